import { setTimeout as sleep } from 'node:timers/promises';
import type { Demo } from '../demo-file.ts';
import type { Desk } from '../desk/desk.ts';
import type { CreatedOrder, MerchantClient } from '../merchant/merchant-client.ts';
import type { PayerClient } from '../payer/payer-client.ts';
import { createPrng, type Prng } from '../prng.ts';

/** Status of the merchant API: paid. */
const PAID = 1;
const PAID_WITHIN_MS = 240_000;
/** Blocks are solid sooner than on the real chain, so that a run does not have to wait. */
export const SOLID_MS = 6_000;

export interface RailOptions {
  readonly demo: Demo;
  /** How many of each kind. */
  readonly count: number;
  readonly seed: number;
  readonly mischief: number;
  readonly name: string;
  readonly notifyUrl: (mchId: string, mchOrderNo: string) => string;
  readonly clients: readonly MerchantClient[];
  readonly payers: PayerClient;
  readonly desk: Desk;
}

export interface End {
  /** A payment came that must complete it. */
  readonly paid: boolean;
  readonly credited: boolean;
  readonly problem: string | null;
}

/** Runs `count` of a kind at the same time, each with its own random numbers. A thrown error is recorded as a problem. */
export function many(
  { count, seed }: RailOptions,
  kind: number,
  name: string,
  live: (random: Prng, index: number) => Promise<End>,
): Promise<End[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const random = createPrng(seed, -10 - kind, index);
      await sleep(random.int(0, 5_000));
      return live(random, index).catch((error: unknown): End => ({
        paid: false,
        credited: false,
        problem: `${name} ${index}: ${error instanceof Error ? error.message : String(error)}`,
      }));
    }),
  );
}

/** Creates an order with a merchant's signed call. */
export async function create(
  { demo, clients, name, notifyUrl }: RailOptions,
  random: Prng,
  mchOrderNo: string,
  fields: {
    readonly productId: number;
    readonly amount: number;
    readonly phone?: string;
    readonly address?: string;
  },
): Promise<{ readonly client: MerchantClient; readonly order: CreatedOrder }> {
  const merchant = random.int(0, clients.length - 1);
  const client = clients[merchant]!;
  const number = `RAIL${name}-${mchOrderNo}`;
  const made = await client.create({
    ...fields,
    mchOrderNo: number,
    notifyUrl: notifyUrl(demo.merchants[merchant]!.mchId, number),
  });
  if ('refused' in made) throw new Error(`refused: ${made.refused.code} ${made.refused.msg}`);
  return { client, order: made };
}

/** Whether an order becomes paid. An order that must not become paid is checked after the others have been. */
export async function comesToBePaid(
  client: MerchantClient,
  mchOrderNo: string,
  isExpected: boolean,
): Promise<{ readonly credited: boolean; readonly amount: number | null }> {
  for (
    const end = Date.now() + (isExpected ? PAID_WITHIN_MS : 4 * SOLID_MS);
    Date.now() < end;
    await sleep(1_000)
  ) {
    const found = await client.query(mchOrderNo);
    if (!('refused' in found) && found.status === PAID) return { credited: true, amount: found.realAmount };
  }
  return { credited: false, amount: null };
}

export function ended(what: string, paid: boolean, credited: boolean): End {
  const problem =
    paid === credited ? null : `${what}: ${paid ? 'paid, but not credited' : 'credited without its money'}`;
  return { paid, credited, problem };
}
