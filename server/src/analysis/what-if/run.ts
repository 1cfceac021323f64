import type { whatIf } from '@sangam/contract/endpoints/what-if.ts';
import { businessDay } from '@sangam/contract/time.ts';
import type { Currency } from '@sangam/contract/money.ts';
import type { z } from 'zod';
import { splitFee } from '../../ledger/fees.ts';
import { SECOND } from '../../platform/clock.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import { perPlatform } from '../../platform/node-state.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal, wrongInput } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { readFreshness } from '../../statistics/read.ts';
import { supplierTerms, type SupplierTerms } from '../../terms/products/commission-terms.ts';
import { readDay } from './read-day.ts';
import { type Change, type Day, replay, type Replay, type Replayed } from './replay.ts';

type Input = z.output<typeof whatIf.input>;
type Output = z.input<typeof whatIf.output>;

/** One replay at a time on a node, because a replay keeps a processor busy. */
const running = perPlatform(() => ({ busy: false }));
const LONGEST_READ = 30 * SECOND;

/**
 * Replays a past day, as it was and with changes. Refuses a day that is not over (400) or has
 * archived orders (422), and a second replay on this node (429).
 */
export async function runWhatIf(
  platform: Platform,
  _viewer: Viewer,
  input: Input,
): Promise<Output | Refusal> {
  if (input.day >= businessDay(platform.clock.now())) return wrongInput('day');
  const state = running(platform);
  if (state.busy) return refuse('tooMany');
  state.busy = true;
  const began = performance.now();
  try {
    const read = await platform.db.tx(async (tx) => {
      await tx.query(sql`set transaction isolation level repeatable read read only`);
      const { archivedUntil } = await readFreshness(tx, platform.clock.now());
      if (input.day <= archivedUntil) return refuse('ordersArchived');
      const day = await readDay(platform, tx, input.day);
      return { day, termsOf: await readTerms(tx, day) };
    }, LONGEST_READ);
    if (isRefusal(read)) return read;
    const { day, termsOf } = read;
    const asItWas = await replay(day, { settings: {}, accounts: new Map() });
    const changed = await replay(day, changeOf(input));
    const name = new Map(day.candidates.map(({ accountId, accountName }) => [accountId, accountName]));
    return {
      asItWas: sideOf(asItWas, termsOf, name, undefined),
      changed: sideOf(changed, termsOf, name, input.ratePpm),
      sameAccount: asItWas.orders.filter(
        ({ arrival, waiting }) => arrival.accountId === (waiting?.accountId ?? null),
      ).length,
      tookMs: Math.round(performance.now() - began),
    };
  } finally {
    state.busy = false;
  }
}

function changeOf(input: Input): Change {
  const { orderTimeoutMinutes, completeCheckMinutes, limitMode, floatSteps, maxWaiting } = input;
  return {
    settings: {
      ...(orderTimeoutMinutes !== undefined && { OrderTimeoutMinutes: orderTimeoutMinutes }),
      ...(completeCheckMinutes !== undefined && { CompleteCheckOrderTime: completeCheckMinutes }),
      ...(limitMode !== undefined && { LimitMode: limitMode }),
    },
    floatSteps,
    maxWaiting,
    accounts: new Map(
      (input.accounts ?? []).map(({ resourceId, dailyAmountLimit, ...rest }) => [
        BigInt(resourceId),
        {
          ...rest,
          dailyAmountLimit: dailyAmountLimit === undefined ? undefined : BigInt(dailyAmountLimit),
        },
      ]),
    ),
  };
}

type TermsOf = (supplierId: bigint, productId: number) => SupplierTerms;

/** The commissions of suppliers and agents when the day began. */
async function readTerms(tx: Tx, day: Day): Promise<TermsOf> {
  const pairs = new Map(
    day.candidates.map(({ supplierId, productId }) => [
      `${supplierId}/${productId}`,
      { supplierId, productId },
    ]),
  );
  const at = day.arrivals[0]?.at ?? new Date(0);
  const terms = await supplierTerms(
    tx,
    [...pairs.values()].map((pair) => ({ ...pair, at })),
  );
  const known = new Map([...pairs.keys()].map((key, index) => [key, terms[index]!]));
  return (supplierId, productId) => known.get(`${supplierId}/${productId}`)!;
}

function sideOf(
  { orders, mostWaiting }: Replay,
  termsOf: TermsOf,
  nameOf: ReadonlyMap<bigint, string>,
  ratePpm: number | undefined,
): Output['asItWas'] {
  const allocated = orders.filter(({ waiting }) => waiting !== null);
  const why = new Map<string, number>();
  for (const { waiting, verdicts } of orders)
    if (!waiting) for (const verdict of verdicts) why.set(verdict, (why.get(verdict) ?? 0) + 1);
  const byAccount = Map.groupBy(allocated, ({ waiting }) => waiting!.accountId);
  return {
    orders: orders.length,
    allocated: allocated.length,
    refused: orders.length - allocated.length,
    why: [...why]
      .map(([verdict, count]) => ({ verdict, orders: count }))
      .toSorted((a, b) => b.orders - a.orders),
    money: moneyOf(allocated, termsOf, ratePpm),
    assumed: orders.filter(({ assumed }) => assumed).length,
    accounts: [...byAccount]
      .map(([accountId, rows]) => ({
        resourceId: String(accountId),
        name: nameOf.get(accountId) ?? String(accountId),
        orders: rows.length,
        paid: rows.filter(({ received }) => received !== null).length,
        mostWaiting: mostWaiting.get(accountId) ?? 0,
      }))
      .toSorted((a, b) => b.orders - a.orders),
  };
}

function moneyOf(
  allocated: readonly Replayed[],
  termsOf: TermsOf,
  ratePpm: number | undefined,
): Output['asItWas']['money'] {
  const sums = new Map<string, { paid: number; paidAmount: bigint; fee: bigint; profit: bigint }>();
  for (const { arrival, waiting, received } of allocated) {
    if (received === null) continue;
    const { supplier, agents } = termsOf(waiting!.supplierId, arrival.productId);
    const merchant = { ratePpm: ratePpm ?? arrival.merchantRatePpm, fixedFee: arrival.merchantFixedFee };
    const split = splitFee(received, merchant, supplier, agents);
    const sum = sums.get(arrival.currency) ?? { paid: 0, paidAmount: 0n, fee: 0n, profit: 0n };
    sums.set(arrival.currency, {
      paid: sum.paid + 1,
      paidAmount: sum.paidAmount + received,
      fee: sum.fee + split.fee,
      profit: sum.profit + split.revenue,
    });
  }
  return [...sums].map(([currency, sum]) => ({
    currency: currency as Currency,
    paid: sum.paid,
    paidAmount: Number(sum.paidAmount),
    fee: Number(sum.fee),
    profit: Number(sum.profit),
  }));
}
