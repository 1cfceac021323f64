import type { Direction } from '@sangam/contract/products.ts';
import { DIRECTIONS } from '@sangam/contract/statistics.ts';
import type { Random } from '../demo/random.ts';
import { raw, sql } from '../platform/db/database.ts';
import { firstIdAt } from '../platform/db/ids.ts';
import type { Platform } from '../platform/platform.ts';

/* Random histories of orders as rows, without the commands that would make them. For code that only reads rows. */

/** The possible later state of an order, as its columns. Null: unchanged since creation. */
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

export interface Order {
  readonly id: bigint;
  readonly direction: Direction;
  readonly merchant: bigint;
  readonly product: number;
  readonly currency: string;
  readonly amount: bigint;
  readonly createdAt: Date;
  state: State;
}

/** The owners of the orders. */
export interface Parties {
  readonly merchants: readonly bigint[];
  /** Each supplier's accounts. */
  readonly suppliers: ReadonlyMap<bigint, readonly bigint[]>;
}

/** A random later state of an order. */
export function stateOf(random: Random, { suppliers }: Parties, order: Omit<Order, 'state'>): State {
  const { direction, createdAt, amount } = order;
  const { chance, pick } = random;
  const below = (limit: number) => random.int(0, limit - 1);
  const later = (moment: Date, most: number) => new Date(moment.getTime() + below(most * 1_000));
  const status = direction === 'in' ? below(7) : below(10);
  const isPaid = direction === 'in' ? [3, 4, 6].includes(status) : status === 3;
  const ended = direction === 'in' ? isPaid : [3, 4, 6].includes(status);
  // A payment mostly comes within minutes, and sometimes days later.
  const endedAt = ended ? later(createdAt, chance(0.1) ? 200_000 : 2_000) : null;
  const isReversed = chance(0.1) && (direction === 'in' ? isPaid : status === 6);
  const isTold = endedAt !== null && chance(0.7);
  const isNobodys = direction === 'out' && [0, 4].includes(status);
  const mustHaveOne = direction === 'in' && status === 1;
  const owner = isNobodys || (!mustHaveOne && chance(0.25)) ? null : pick([...suppliers.keys()]);
  return {
    mark: chance(0.2) ? below(5) : 0,
    supplier: owner,
    account: owner === null ? null : pick(suppliers.get(owner)!),
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

/** An order created within the last three days. `index` makes its id unique. */
export function makeOrder(random: Random, parties: Parties, now: Date, index: number): Order {
  const direction = random.pick(DIRECTIONS);
  const createdAt = new Date(now.getTime() - random.int(0, 3 * 86_400_000));
  const made = {
    id: firstIdAt(createdAt) + BigInt(index),
    direction,
    merchant: random.pick(parties.merchants),
    product: direction === 'in' ? random.pick([1010, 1012]) : random.pick([2010, 2045]),
    currency: random.chance(0.8) ? 'INR' : 'USDT',
    amount: BigInt(random.int(1, 1_000_000)),
    createdAt,
  };
  return { ...made, state: stateOf(random, parties, made) };
}

const of = <Field>(orders: readonly Order[], pick: (order: Order) => Field): Field[] => orders.map(pick);

/** Writes the orders as they are when created. */
export async function insertHistories(platform: Platform, orders: readonly Order[]): Promise<void> {
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

/** Changes the orders to their later states. */
export async function changeHistories(platform: Platform, orders: readonly Order[]): Promise<void> {
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
