import {
  type Direction,
  DIRECTIONS,
  FILINGS,
  type Filing,
  PAYMENT_SUMS,
  type Sum,
  SUMS,
} from '@sangam/contract/statistics.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { raw, sql } from '../platform/db/database.ts';
import { firstIdAt } from '../platform/db/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { createRandom } from '../demo/random.ts';
import { runsOf, SEED } from '../testing/seed.ts';
import { checkDay, daysOf, rebuildDay } from './check.ts';
import { addUp } from './keep.ts';
import { type Key, readFreshness, readSums, readTimes } from './read.ts';

/*
 * Random histories of orders, written by two nodes whose clocks differ, while both add up; and the same counted naively, order by
 * order, in this file's own words.
 */

const HISTORIES = runsOf(5_000);
const ROUNDS = 8;

let node: TestPlatform;
let ahead: Platform;
beforeAll(async () => {
  node = await createTestPlatform();
  ahead = node.anotherNode(37_000);
});
afterAll(() => node.close());

/** What may become of an order, as its columns; null = as it was made. */
interface State {
  readonly mark: number;
  readonly supplier: bigint | null;
  readonly account: bigint | null;
  readonly status: number;
  readonly supplemented: boolean;
  readonly received: bigint | null;
  readonly fee: bigint;
  readonly commission: bigint | null;
  readonly agents: bigint | null;
  readonly allocatedAt: Date | null;
  readonly endedAt: Date | null;
  readonly reversedAt: Date | null;
  readonly toldAt: Date | null;
  readonly toldAttempt: number | null;
}

interface Order {
  readonly id: bigint;
  readonly direction: Direction;
  readonly merchant: bigint;
  readonly product: number;
  readonly currency: string;
  readonly amount: bigint;
  readonly createdAt: Date;
  state: State;
}

const random = createRandom(SEED);
const below = (limit: number) => random.int(0, limit - 1);
const { chance, pick: some } = random;
const later = (moment: Date, most: number) => new Date(moment.getTime() + below(most * 1_000));

function stateOf(order: Omit<Order, 'state'>): State {
  const { direction, createdAt, amount } = order;
  const status = direction === 'in' ? below(7) : below(10);
  const isPaid = direction === 'in' ? [3, 4, 6].includes(status) : status === 3;
  const ended = direction === 'in' ? isPaid : [3, 4, 6].includes(status);
  // A payment comes within minutes mostly, and days later at times.
  const endedAt = ended ? later(createdAt, chance(0.1) ? 200_000 : 2_000) : null;
  const isReversed = chance(0.1) && (direction === 'in' ? isPaid : status === 6);
  const isTold = endedAt !== null && chance(0.7);
  const isNobodys = direction === 'out' && [0, 4].includes(status);
  const owner = isNobodys ? 0 : direction === 'in' && status === 1 ? 1 + below(3) : below(4);
  return {
    mark: chance(0.2) ? below(5) : 0,
    supplier: owner === 0 ? null : BigInt(owner),
    account: owner === 0 ? null : BigInt(owner * 10 + below(2)),
    status,
    supplemented: isPaid && direction === 'in' && chance(0.2),
    received: direction === 'in' && isPaid ? amount + BigInt(below(99)) : null,
    fee: BigInt(below(500)),
    commission: isPaid ? BigInt(below(200)) : null,
    agents: isPaid ? BigInt(below(50)) : null,
    allocatedAt: direction === 'in' && chance(0.8) ? createdAt : null,
    endedAt,
    reversedAt: isReversed ? later(endedAt!, 5_000) : null,
    toldAt: isTold ? later(endedAt, 600) : null,
    toldAttempt: isTold ? 1 + below(3) : null,
  };
}

function makeOrder(index: number): Order {
  const direction = some(DIRECTIONS);
  const createdAt = new Date(node.clock.now().getTime() - below(3 * 86_400_000));
  const made = {
    id: firstIdAt(createdAt) + BigInt(index),
    direction,
    merchant: BigInt(1 + below(3)),
    product: direction === 'in' ? some([1010, 1020]) : some([2010, 2020]),
    currency: chance(0.8) ? 'INR' : 'USDT',
    amount: BigInt(1 + below(1_000_000)),
    createdAt,
  };
  return { ...made, state: stateOf(made) };
}

const of = <Field>(orders: readonly Order[], pick: (order: Order) => Field): Field[] => orders.map(pick);

async function insert(platform: Platform, orders: readonly Order[]): Promise<void> {
  for (const direction of DIRECTIONS) {
    const mine = orders.filter((order) => order.direction === direction);
    const { table, extra, values } =
      direction === 'in'
        ? {
            table: 'collection_orders',
            extra: 'identify_code, notify_url, merchant_rate_ppm, merchant_fixed_fee, status',
            values: `'x' || id, 'http://x', 0, 0, 0`,
          }
        : { table: 'payout_orders', extra: 'fee, status', values: '0, 0' };
    await platform.db.query(sql`
      insert into ${raw(table)} (id, merchant_id, mch_order_no, product_id, currency, amount, created_at, ${raw(extra)})
      select id, merchant, id::text, product, currency, amount, made, ${raw(values)} from unnest(
        ${of(mine, ({ id }) => id)}::bigint[], ${of(mine, ({ merchant }) => merchant)}::bigint[], ${of(mine, ({ product }) => product)}::int[],
        ${of(mine, ({ currency }) => currency)}::text[], ${of(mine, ({ amount }) => amount)}::bigint[],
        ${of(mine, ({ createdAt }) => createdAt)}::timestamptz[]) v (id, merchant, product, currency, amount, made)`);
  }
}

async function change(platform: Platform, orders: readonly Order[]): Promise<void> {
  for (const direction of DIRECTIONS) {
    const mine = orders.filter((order) => order.direction === direction);
    const column = <Field>(pick: (state: State) => Field) => of(mine, ({ state }) => pick(state));
    const own =
      direction === 'in'
        ? sql`supplement_status = v.supplemented::int, received = v.received, allocated_at = v.allocated, paid_at = v.ended`
        : sql`finished_at = v.ended`;
    await platform.db.query(sql`
      update ${raw(direction === 'in' ? 'collection_orders' : 'payout_orders')} o set mark = v.mark, supplier_id = v.supplier,
        account_id = v.account, status = v.status, fee = v.fee, supplier_commission = v.commission, agent_commission = v.agents,
        reversed_at = v.reversed, told_at = v.told, told_attempt = v.attempt, ${own}
      from unnest(${of(mine, ({ id }) => id)}::bigint[], ${column(({ mark }) => mark)}::smallint[],
        ${column(({ supplier }) => supplier)}::bigint[], ${column(({ account }) => account)}::bigint[],
        ${column(({ status }) => status)}::smallint[], ${column(({ supplemented }) => supplemented)}::boolean[],
        ${column(({ received }) => received)}::bigint[], ${column(({ fee }) => fee)}::bigint[],
        ${column(({ commission }) => commission)}::bigint[], ${column(({ agents }) => agents)}::bigint[],
        ${column(({ allocatedAt }) => allocatedAt)}::timestamptz[], ${column(({ endedAt }) => endedAt)}::timestamptz[],
        ${column(({ reversedAt }) => reversedAt)}::timestamptz[], ${column(({ toldAt }) => toldAt)}::timestamptz[],
        ${column(({ toldAttempt }) => toldAttempt)}::int[])
        v (id, mark, supplier, account, status, supplemented, received, fee, commission, agents, allocated, ended, reversed, told, attempt)
      where o.id = v.id`);
  }
}

/** The spec's words, one order at a time. */
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

/** Sums and durations of each group, counted naively. */
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
  ['merchant', 'supplier', 'account', 'product'],
  ['merchant', 'supplier', 'halfHour'],
];

async function compare(orders: readonly Order[], halfHours: boolean): Promise<void> {
  const now = node.clock.now();
  const freshness = await readFreshness(node.platform);
  for (const direction of DIRECTIONS)
    for (const filing of FILINGS)
      for (const by of halfHours ? BY : BY.slice(0, 2)) {
        for (const withMark of [false, true]) {
          const keys: readonly Key[] = withMark ? [...by, 'mark'] : by;
          const expected = recount(orders, direction, filing, keys);
          const question = {
            direction,
            filing,
            from: new Date(now.getTime() - 9 * 86_400_000),
            to: new Date(now.getTime() + 20 * 86_400_000),
            by: keys,
          };
          const marks = withMark ? [0, 1, 2, 3, 4] : [undefined];
          const sums = new Map<string, Record<string, number>>();
          const times = new Map<string, number>();
          for (const mark of marks) {
            for (const row of await readSums(node.platform.db, { ...question, mark }, freshness))
              sums.set(
                fieldsText(row, keys),
                Object.fromEntries(Object.entries(row.sums).filter(([, value]) => value !== 0)),
              );
            for (const row of await readTimes(node.platform.db, { ...question, mark }, freshness))
              for (const kind of ['pay', 'tell'] as const)
                for (const [bucket, count] of row.times[kind])
                  times.set(JSON.stringify([fieldsOf(row, keys), kind, bucket]), count);
          }
          const name = `${direction} ${filing} ${keys.join()}`;
          expect([name, sums]).toEqual([name, expected.sums]);
          expect([name, times]).toEqual([name, expected.times]);
        }
      }
}

function fieldsOf(row: Awaited<ReturnType<typeof readSums>>[number] | object, keys: readonly Key[]): Fields {
  const names: Record<string, string> = { merchant: 'merchantId', supplier: 'supplierId', account: 'accountId', product: 'productId' };
  const values = row as Record<string, unknown>;
  const text = (value: unknown) => (typeof value === 'bigint' ? String(value) : (value as string | number));
  return {
    currency: String(values['currency']),
    ...Object.fromEntries(keys.map((key) => [key, text(values[names[key] ?? key])])),
  };
}
const fieldsText = (row: object, keys: readonly Key[]) => JSON.stringify(fieldsOf(row, keys));

test(`sums are what a naive recount gives (${HISTORIES} histories, SEED=${SEED})`, async () => {
  const orders = Array.from({ length: HISTORIES }, (_, index) => makeOrder(index));
  const nodes = [node.platform, ahead];
  const half = Math.ceil(orders.length / 2);
  await Promise.all(nodes.map((each, index) => insert(each, orders.slice(index * half, (index + 1) * half))));
  for (let round = 0; round < ROUNDS; round += 1) {
    const changed = orders.filter(() => chance(0.5));
    // The last round touches all, so that no order is as it was made.
    const touched = round === ROUNDS - 1 ? orders : changed;
    for (const order of touched) order.state = stateOf(order);
    const middle = Math.floor(touched.length / 2);
    await Promise.all([
      change(nodes[round % 2]!, touched.slice(0, middle)),
      change(nodes[(round + 1) % 2]!, touched.slice(middle)),
      addUp(nodes[0]!),
      addUp(nodes[1]!),
    ]);
  }
  // With changes waiting, a check counts them in.
  const days = await daysOf(node.platform.db, {});
  for (const day of days) expect(await checkDay(node.platform.db, day)).toEqual([]);
  for (const each of nodes) await addUp(each);
  await compare(orders, true);
  await node.platform.db.query(sql`update statistics_days set paid = paid + 1 where grain = 3`);
  await node.platform.db.query(sql`delete from statistics_half_hour_times`);
  const wrong = days[Math.floor(days.length / 2)]!;
  expect((await checkDay(node.platform.db, days[1]!)).length + (await checkDay(node.platform.db, wrong)).length).toBeGreaterThan(0);
  for (const day of days) await rebuildDay(node.platform.db, day);
  for (const day of days) expect(await checkDay(node.platform.db, day)).toEqual([]);
  await compare(orders, false);
});
