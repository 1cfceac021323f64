import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Tx, sql } from '../db/database.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { runsOf, SEED } from '../testing/seed.ts';
import { LEDGER_CHECKS } from '../verify/ledger-checks.ts';
import { setDepositLimit } from './credit-limit.ts';
import { splitFee } from './fees.ts';
import { post, type Leg, type PostingOutcome } from './post.ts';
import { postMirror } from './reverse.ts';

let world: TestPlatform;
beforeAll(async () => {
  world = await createTestPlatform();
});
afterAll(() => world.close());

type Owner = 'merchant' | 'supplier' | 'agent';

type Command =
  | { readonly kind: 'credit'; readonly amount: bigint; readonly offset: boolean }
  | { readonly kind: 'reverse'; readonly nth: number }
  | { readonly kind: 'adjust' | 'withdraw'; readonly owner: Owner; readonly amount: bigint }
  | { readonly kind: 'drain'; readonly owner: Owner }
  | { readonly kind: 'limit'; readonly limit: bigint }
  | { readonly kind: 'again'; readonly nth: number };

// Few amounts, and balances that are emptied: what meets by chance is what goes wrong.
const amount = fc.oneof(fc.constantFrom(100_00n, 150_00n, 300_00n), fc.bigInt(1n, 500_00n));
const owner = fc.constantFrom<Owner>('merchant', 'supplier', 'agent');
const nth = fc.nat(30);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('credit' as const), amount, offset: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('reverse' as const), nth }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('drain' as const), owner }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('adjust' as const),
      owner,
      amount: fc.bigInt(-300_00n, 300_00n).filter((value) => value !== 0n),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('withdraw' as const), owner, amount }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('limit' as const), limit: fc.bigInt(0n, 400_00n) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('again' as const), nth }) },
);

class Undo extends Error {}

/** What the ledger is held to: what each owner should own in all, and which credits were taken back. */
class Books {
  readonly #tx: Tx;
  readonly #owned: Record<Owner, bigint> = { merchant: 0n, supplier: 0n, agent: 0n };
  readonly #credits: { readonly key: string; readonly legs: readonly Leg[]; reversed: boolean }[] = [];
  #limit = 0n;
  #made = 0;

  constructor(tx: Tx) {
    this.#tx = tx;
  }

  async run(each: Command): Promise<void> {
    switch (each.kind) {
      case 'credit':
        return this.#credit(each.amount, each.offset);
      case 'reverse':
        return this.#reverse(each.nth);
      case 'adjust':
      case 'withdraw':
        return this.#move(each.owner, each.kind === 'adjust' ? each.amount : -each.amount, each.kind);
      case 'drain': {
        const { ownerId, bucket } = legOf(each.owner, 0n);
        const all = (await this.#balances()).get(`${ownerId}/${bucket}`) ?? 0n;
        return all > 0n ? this.#move(each.owner, -all, 'withdraw') : undefined;
      }
      case 'limit':
        return this.#setLimit(each.limit);
      case 'again':
        return this.#again(each.nth);
    }
  }

  async #post(key: string, legs: readonly Leg[]): Promise<PostingOutcome> {
    const request = { key, kind: 'test', orderId: null, currency: 'INR', legs } as const;
    const [outcome] = await post(world.platform, this.#tx, [request]);
    if (outcome === 'posted') this.#own(legs, 1n);
    return outcome!;
  }

  #own(legs: readonly Leg[], sign: 1n | -1n): void {
    for (const leg of legs) {
      const name = leg.ownerKind === 'supplier' && leg.ownerId === 2n ? 'agent' : leg.ownerKind;
      if (name !== 'platform') this.#owned[name] += sign * leg.amount;
    }
  }

  async #credit(received: bigint, offset: boolean): Promise<void> {
    const terms = (ratePpm: number) => ({ ratePpm, fixedFee: 1n });
    const split = splitFee(received, terms(30_000), terms(12_345), [{ agentId: 2n, terms: terms(2_345) }]);
    const legs: Leg[] = [
      offset
        ? { ownerKind: 'platform', ownerId: 0n, bucket: 'suspense', amount: -received }
        : { ...legOf('supplier', -received), spillsToDebt: true },
      { ...legOf('merchant', received - split.fee), spillsToDebt: true },
      { ownerKind: 'platform', ownerId: 0n, bucket: 'revenue', amount: split.revenue },
      { ownerKind: 'supplier', ownerId: 1n, bucket: 'commission', amount: split.supplierCommission },
      legOf('agent', split.agentCommission),
    ];
    const key = `credit/${(this.#made += 1)}`;
    expect(await this.#post(key, legs)).toBe('posted');
    this.#credits.push({ key, legs, reversed: false });
  }

  async #reverse(nth: number): Promise<void> {
    const credit = this.#credits[nth % Math.max(this.#credits.length, 1)];
    if (!credit) return;
    const request = { undo: credit.key, key: `reversal/${credit.key}`, reason: null, userId: null };
    const outcome = await postMirror(world.platform, this.#tx, request);
    expect(outcome).toBe(credit.reversed ? 'duplicate' : 'posted');
    if (!credit.reversed) this.#own(credit.legs, -1n);
    credit.reversed = true;
  }

  async #move(of: Owner, value: bigint, kind: 'adjust' | 'withdraw'): Promise<void> {
    const leg: Leg = {
      ...legOf(of, value),
      spillsToDebt: value > 0n,
      ...(kind === 'withdraw' ? { atLeast: 0n } : {}),
    };
    const before = (await this.#balances()).get(`${leg.ownerId}/${leg.bucket}`) ?? 0n;
    const least = kind === 'withdraw' || of !== 'supplier' ? 0n : -this.#limit;
    const counter: Leg = { ownerKind: 'platform', ownerId: 0n, bucket: 'adjustment', amount: -value };
    const outcome = await this.#post(`move/${(this.#made += 1)}`, [leg, counter]);
    expect(outcome).toBe(value > 0n || before + value >= least ? 'posted' : 'insufficient');
  }

  async #setLimit(limit: bigint): Promise<void> {
    const deposit = (await this.#balances()).get('1/deposit') ?? 0n;
    const before = await setDepositLimit(world.platform, this.#tx, 1n, 'INR', limit);
    expect(before).toBe(deposit < -limit ? 'insufficient' : this.#limit);
    if (before !== 'insufficient') this.#limit = limit;
  }

  async #again(nth: number): Promise<void> {
    const credit = this.#credits[nth % Math.max(this.#credits.length, 1)];
    if (credit) expect(await this.#post(credit.key, credit.legs)).toBe('duplicate');
  }

  async #balances(): Promise<Map<string, bigint>> {
    const rows = await this.#tx.query<{ name: string; balance: bigint }>(sql`
      select owner_id || '/' || bucket as name, balance from ledger_accounts where owner_kind <> 'platform'`);
    return new Map(rows.map((row) => [row.name, row.balance]));
  }

  /** After every command: nobody below a floor, no debt beside free money, every owner owns what it should. */
  async check(): Promise<void> {
    const balances = await this.#balances();
    const at = (name: string) => balances.get(name) ?? 0n;
    for (const [name, balance] of balances) {
      if (name.endsWith('/debt')) expect(balance).toBeLessThanOrEqual(0n);
      else expect(balance).toBeGreaterThanOrEqual(name === '1/deposit' ? -this.#limit : 0n);
    }
    if (at('9/available') > 0n) expect(at('9/debt')).toBe(0n);
    expect({
      merchant: at('9/available') + at('9/debt'),
      supplier: at('1/deposit') + at('1/commission') + at('1/debt'),
      agent: at('2/commission') + at('2/debt'),
    }).toEqual(this.#owned);
  }

  /** At the end: double entry, from the entries up. */
  async audit(): Promise<void> {
    for (const { name, statement } of LEDGER_CHECKS) {
      const broken = await this.#tx.query<{ detail: string }>(statement);
      expect([name, broken]).toEqual([name, []]);
    }
  }
}

function legOf(of: Owner, value: bigint): Leg {
  if (of === 'merchant') return { ownerKind: 'merchant', ownerId: 9n, bucket: 'available', amount: value };
  return of === 'supplier'
    ? { ownerKind: 'supplier', ownerId: 1n, bucket: 'deposit', amount: value }
    : { ownerKind: 'supplier', ownerId: 2n, bucket: 'commission', amount: value };
}

test(`any sequence of credits, reversals, adjustments and limits keeps the books (seed ${SEED})`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 6, maxLength: 20 }), async (commands) => {
      const work = async (tx: Tx): Promise<void> => {
        const books = new Books(tx);
        for (const each of commands) {
          await books.run(each);
          await books.check();
        }
        await books.audit();
        throw new Undo();
      };
      await world.platform.db.tx(work).catch((error: unknown) => {
        if (!(error instanceof Undo)) throw error;
      });
    }),
    { seed: SEED, numRuns: runsOf(120) },
  );
}, 600_000);
