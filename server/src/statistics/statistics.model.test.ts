import type { Direction } from '@sangam/contract/products.ts';
import {
  DIRECTIONS,
  FILINGS,
  type Filing,
  PAYMENT_SUMS,
  type Sum,
  SUMS,
  type Sums,
} from '@sangam/contract/statistics.ts';
import { businessDay, formatTime, parseTime } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import {
  changeHistories,
  insertHistories,
  makeOrder,
  type Order,
  type Parties,
  stateOf,
} from '../testing/order-histories.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { createRandom } from '../demo/random.ts';
import { runsOf, SEED } from '../testing/seed.ts';
import { checkDay, daysOf } from './check.ts';
import { addUp, settleOrders, sumUpDays } from './keep.ts';
import { type Key, type Period, readFreshness, readPeriods, readSums } from './read.ts';
import { rebuild } from './rebuild.ts';

/*
 * Random histories of orders, written by two nodes with different clocks while both add changes. The test compares the sums with a naive
 * count of the orders, written separately in this file.
 */

const HISTORIES = runsOf(5_000);
const ROUNDS = 8;

let node: TestPlatform;
let ahead: Platform;
/** The beginning of the day on which, or before which, the orders are created. */
let midnight: number;
beforeAll(async () => {
  node = await createTestPlatform();
  ahead = node.anotherNode(37_000);
  midnight = parseTime(businessDay(node.clock.now()))!.getTime();
});
afterAll(() => node.close());

const random = createRandom(SEED);
const PARTIES: Parties = {
  merchants: [1n, 2n, 3n],
  suppliers: new Map([1n, 2n, 3n].map((id) => [id, [id * 10n, id * 10n + 1n]])),
};

/** What one order adds, by the words of the specification. */
function naive({ direction, amount, state }: Order): Record<Sum, number> {
  const { status } = state;
  const out = direction === 'out';
  const isPaid = out ? status === 3 || state.reversedAt !== null : state.received !== null;
  const stands = isPaid && state.reversedAt === null;
  const arrived = Number(out ? amount : (state.received ?? 0n));
  const count = (is: boolean) => (is ? 1 : 0);
  const money = (is: boolean, value: bigint | null) => (is ? Number(value ?? 0n) : 0);
  const allocated = !out && state.allocatedAt !== null;
  const [failed, timedOut] = [!out && status === 5, !out && status === 2];
  const rejected = out && status === 6 && state.reversedAt === null;
  return {
    created: 1,
    createdAmount: Number(amount),
    allocated: count(allocated),
    allocatedAmount: money(allocated, amount),
    allocationFailed: count(failed),
    allocationFailedAmount: money(failed, amount),
    timedOut: count(timedOut),
    timedOutAmount: money(timedOut, amount),
    cancelled: count(out && status === 4),
    cancelledAmount: money(out && status === 4, amount),
    rejected: count(rejected),
    rejectedAmount: money(rejected, amount),
    toBeConfirmed: count(out && status === 7),
    toBeConfirmedAmount: money(out && status === 7, amount),
    processingError: count(out && status === 9),
    processingErrorAmount: money(out && status === 9, amount),
    paid: count(isPaid),
    paidAmount: isPaid ? arrived : 0,
    supplemented: count(state.supplemented),
    supplementedAmount: state.supplemented ? arrived : 0,
    reversed: count(isPaid && !stands),
    reversedAmount: isPaid && !stands ? arrived : 0,
    fee: money(stands, state.fee),
    commission: money(stands, state.commission),
    agentCommission: money(stands, state.agents),
    toldFirst: count(isPaid && state.toldAttempt === 1),
    toldLater: count(isPaid && state.toldAttempt !== null && state.toldAttempt > 1),
  };
}

const place = (moment: Date) => {
  const [day, time] = formatTime(moment).split(' ') as [string, string];
  const [hour, minute] = time.split(':').map(Number) as [number, number];
  return { day, halfHour: hour * 2 + Math.floor(minute / 30) };
};

type Fields = Record<string, string | number | null>;

function keyFields(order: Order, at: Date, by: readonly Key[]): Fields {
  const all: Record<string, string | number> = {
    ...place(at),
    merchant: String(order.merchant),
    supplier: String(order.state.supplier ?? 0n),
    account: String(order.state.account ?? 0n),
    product: order.product,
    mark: order.state.mark,
  };
  return { currency: order.currency, ...Object.fromEntries(by.map((key) => [key, all[key]!])) };
}

/** The sums and durations of each group, counted naively. */
function recount(orders: readonly Order[], direction: Direction, filing: Filing, by: readonly Key[]) {
  const sums = new Map<string, Record<string, number>>();
  const times = new Map<string, number>();
  const add = (fields: Fields, sum: string, value: number) => {
    if (value === 0) return;
    const name = JSON.stringify(fields);
    const known = sums.get(name) ?? {};
    known[sum] = (known[sum] ?? 0) + value;
    sums.set(name, known);
  };
  const note = (fields: Fields, kind: string, from: Date, to: Date) => {
    const seconds = (to.getTime() - from.getTime()) / 1_000;
    const bucket = seconds <= 1 ? 0 : Math.min(156, 1 + Math.floor(Math.log(seconds) / Math.log(1.1)));
    const name = JSON.stringify([fields, kind, bucket]);
    times.set(name, (times.get(name) ?? 0) + 1);
  };
  for (const order of orders) {
    if (order.direction !== direction || (!by.includes('mark') && order.state.mark === 2)) continue;
    const values = naive(order);
    for (const sum of SUMS) {
      const ofPayment = (PAYMENT_SUMS as readonly Sum[]).includes(sum);
      if (ofPayment && values.paid === 0) continue;
      const at = ofPayment && filing === 'completed' ? order.state.endedAt! : order.createdAt;
      add(keyFields(order, at, by), sum, values[sum]);
    }
    if (values.paid === 0) continue;
    const { endedAt, toldAt } = order.state;
    const fields = keyFields(order, filing === 'completed' ? endedAt! : order.createdAt, by);
    note(fields, 'pay', order.createdAt, endedAt!);
    if (toldAt) note(fields, 'tell', endedAt!, toldAt);
  }
  return { sums, times };
}

const BY: readonly (readonly Key[])[] = [
  [],
  ['day'],
  ['day', 'halfHour'],
  ['merchant', 'product'],
  ['supplier', 'account'],
  ['day', 'halfHour', 'supplier'],
  ['merchant'],
  ['supplier'],
  ['product'],
  ['merchant', 'supplier'],
  ['day', 'merchant'],
  ['merchant', 'supplier', 'account', 'product'],
  ['merchant', 'supplier', 'halfHour'],
];

/** Whole days, counted from the day on which the orders are created. */
const periodOf = (first: number, last: number): Period => ({
  from: new Date(midnight + first * DAY),
  to: new Date(midnight + (last + 1) * DAY),
});

/** Compares several periods in one question with the days they are made of. */
async function comparePeriods(orders: readonly Order[]): Promise<void> {
  const freshness = await readFreshness(node.platform.db, node.clock.now());
  for (let n = 0; n < 30; n += 1) {
    const [direction, filing] = [random.pick(DIRECTIONS), random.pick(FILINGS)];
    const by = random.pick(BY.filter((keys) => !keys.includes('halfHour') && !keys.includes('day')));
    const periods = Array.from({ length: 3 }, () => {
      const first = random.int(-9, 19);
      return periodOf(first, random.int(first, 19));
    });
    const question = { direction, filing, by, ...periods[0]! };
    const days = [...recount(orders, direction, filing, ['day', ...by]).sums];
    const answers = await readPeriods(node.platform.db, question, periods, freshness);
    for (const [index, { from, to }] of periods.entries()) {
      const expected = new Map<string, Record<string, number>>();
      for (const [name, sums] of days) {
        const { day, ...fields } = JSON.parse(name) as Fields;
        const start = parseTime(String(day))!;
        if (start < from || start >= to) continue;
        const known = expected.get(JSON.stringify(fields)) ?? {};
        for (const [sum, value] of Object.entries(sums)) known[sum] = (known[sum] ?? 0) + value;
        expected.set(JSON.stringify(fields), known);
      }
      const found = new Map(answers[index]!.map((row) => [fieldsText(row, by), notZero(row.sums)]));
      const name = `${direction} ${filing} ${by.join()} ${from.toISOString()} ${to.toISOString()}`;
      expect([name, found]).toEqual([name, expected]);
    }
  }
}

const notZero = (sums: Sums) => Object.fromEntries(Object.entries(sums).filter(([, value]) => value !== 0));

async function compare(orders: readonly Order[], groupings: typeof BY): Promise<void> {
  const freshness = await readFreshness(node.platform.db, node.clock.now());
  for (const direction of DIRECTIONS)
    for (const filing of FILINGS)
      for (const by of groupings) {
        for (const withMark of by.length === 4 ? [false, true] : [false]) {
          const keys: readonly Key[] = withMark ? [...by, 'mark'] : by;
          const expected = recount(orders, direction, filing, keys);
          const question = {
            direction,
            filing,
            ...periodOf(-9, 19),
            by: keys,
          };
          const marks = withMark ? [0, 1, 2, 3, 4] : [undefined];
          const sums = new Map<string, Record<string, number>>();
          const times = new Map<string, number>();
          for (const mark of marks) {
            for (const row of await readSums(node.platform.db, { ...question, mark }, freshness)) {
              sums.set(fieldsText(row, keys), notZero(row.sums));
              for (const kind of ['pay', 'tell'] as const)
                for (const [bucket, count] of row.times[kind])
                  times.set(JSON.stringify([fieldsOf(row, keys), kind, bucket]), count);
            }
          }
          const name = `${direction} ${filing} ${keys.join()}`;
          expect([name, sums]).toEqual([name, expected.sums]);
          expect([name, times]).toEqual([name, expected.times]);
        }
      }
}

function fieldsOf(row: Awaited<ReturnType<typeof readSums>>[number] | object, keys: readonly Key[]): Fields {
  const names: Record<string, string> = {
    merchant: 'merchantId',
    supplier: 'supplierId',
    account: 'accountId',
    product: 'productId',
  };
  const values = row as Record<string, unknown>;
  const text = (value: unknown) => (typeof value === 'bigint' ? String(value) : (value as string | number));
  return {
    currency: String(values['currency']),
    ...Object.fromEntries(keys.map((key) => [key, text(values[names[key] ?? key])])),
  };
}
const fieldsText = (row: object, keys: readonly Key[]) => JSON.stringify(fieldsOf(row, keys));

/** Only the acknowledgement comes, with its status. */
function acknowledged(state: Order['state']): Order['state'] {
  const { endedAt, received, status } = state;
  if (endedAt === null || received === null) return state;
  const toldAt = new Date(endedAt.getTime() + random.int(0, 600_000));
  return { ...state, status: status === 6 ? 3 : status, toldAt, toldAttempt: random.int(1, 4) };
}

test(`sums are what a naive recount gives (${HISTORIES} histories, SEED=${SEED})`, async () => {
  const orders = Array.from({ length: HISTORIES }, (_, index) =>
    makeOrder(random, PARTIES, node.clock.now(), index),
  );
  const nodes = [node.platform, ahead];
  const half = Math.ceil(orders.length / 2);
  await Promise.all(
    nodes.map((each, index) => insertHistories(each, orders.slice(index * half, (index + 1) * half))),
  );
  for (let round = 0; round < ROUNDS; round += 1) {
    const changed = orders.filter(() => random.chance(0.5));
    // The last round changes all orders, so that no order is as it was created.
    const touched = round === ROUNDS - 1 ? orders : changed;
    for (const order of touched)
      order.state = random.chance(0.3) ? acknowledged(order.state) : stateOf(random, PARTIES, order);
    const middle = Math.floor(touched.length / 2);
    const rebuilt = round % 3 === 1 ? (await daysOf(node.platform.db, {})).slice(0, 7) : [];
    await Promise.all([
      changeHistories(nodes[round % 2]!, touched.slice(0, middle)),
      changeHistories(nodes[(round + 1) % 2]!, touched.slice(middle)),
      addUp(nodes[0]!),
      addUp(nodes[1]!),
      // Days that are over go on changing. Two nodes make their spans at once, one merchant in a transaction.
      ...nodes.map((each) => sumUpDays(each, 1)),
      // In the first rounds, questions by merchant and supplier together are counted from the orders. In the next rounds, orders of days
      // that are in spans already settle.
      ...(round > ROUNDS / 2 ? nodes.map((each) => settleOrders(each, Math.ceil(HISTORIES / 5))) : []),
      // Two nodes rebuild days at once, one day in a transaction.
      ...nodes.map((each) => rebuild(each, rebuilt, 1)),
    ]);
    if (round === ROUNDS / 2) node.clock.advance(20 * DAY);
  }
  // The days of the orders, and of payments two days later.
  const days = (await daysOf(node.platform.db, {})).slice(0, 7);
  for (const each of nodes) await addUp(each);
  const changeAll = async () => {
    for (const order of orders) order.state = stateOf(random, PARTIES, order);
    await changeHistories(node.platform, orders);
  };
  await changeAll();
  // While changes wait, a rebuild leaves them out, and a check counts them in.
  await rebuild(node.platform, days.slice(0, 2), 1);
  await sumUpDays(node.platform);
  // Now changes of days that are in spans wait.
  await changeAll();
  for (const size of [200, undefined])
    for (const day of days) expect(await checkDay(node.platform.db, day, size)).toEqual([]);
  for (const each of nodes) await addUp(each);
  const { pairsUntil } = await readFreshness(node.platform.db, node.clock.now());
  expect(pairsUntil > businessDay(new Date(midnight))).toBe(true);
  await compare(orders, BY);
  await comparePeriods(orders);
  await node.platform.db.query(sql`update statistics_days set created = created + 1 where grain = 7`);
  await node.platform.db.query(sql`update statistics_half_hours set pay = null`);
  await node.platform.db.query(
    sql`update statistics_spans set created = created + 1 where grain = 2 and span = 16 or grain = 3`,
  );
  const wrong = days[Math.floor(days.length / 2)]!;
  expect(
    (await checkDay(node.platform.db, days[1]!)).length + (await checkDay(node.platform.db, wrong)).length,
  ).toBeGreaterThan(0);
  await rebuild(node.platform, days, 1);
  await compare(orders, [...BY.slice(0, 2), ['merchant', 'supplier']]);
  await sumUpDays(node.platform);
  for (const day of days) expect(await checkDay(node.platform.db, day)).toEqual([]);
  await compare(orders, [['merchant'], ['supplier'], ['merchant', 'supplier'], ['merchant', 'account']]);
}, 300_000);
