import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { parseTime } from '@sangam/contract/time.ts';
import { type Sql, type Tx, hot, raw, sql } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/db/ids.ts';
import { unnestRows } from '../../platform/db/unnest-rows.ts';

/**
 * Daily limits of the terms of merchants and suppliers: how many orders, and of what amount, a business day may have. Only days
 * with a limit are counted. Waiting and paid orders count.
 */
export interface TermsDay {
  readonly countLimit: number | null;
  readonly amountLimit: bigint | null;
  /** Whether the day is counted: from its first order under a limit on, also after the limit was removed. */
  isCounted: boolean;
  /** Counted on in memory while a batch is placed. */
  orders: number;
  amount: bigint;
}

export function termsDayOf(
  limits: Pick<TermsDay, 'countLimit' | 'amountLimit'>,
  counted: { readonly orders: number | null; readonly amount: bigint | null },
): TermsDay {
  return {
    ...limits,
    isCounted: counted.orders !== null,
    orders: counted.orders ?? 0,
    amount: counted.amount ?? 0n,
  };
}

/** The limit that one more order of this amount would exceed. */
export function termsLimitReached(
  { countLimit, amountLimit, orders, amount: sum }: TermsDay,
  amount: bigint,
): 'count' | 'amount' | undefined {
  if (countLimit !== null && orders >= countLimit) return 'count';
  return amountLimit !== null && sum + amount > amountLimit ? 'amount' : undefined;
}

interface TermsDayKey {
  readonly ownerKind: 'merchant' | 'supplier';
  readonly ownerId: bigint;
  readonly productId: number;
  /** Business day. */
  readonly day: string;
}

/** The owner, product and day that an order would count towards. */
export type TermsDayOf = TermsDayKey & { readonly termsDay: TermsDay };

/**
 * Starts to count days that have a limit and are not counted yet, with the orders of the day so far. Call it before orders are
 * placed, because their limits are checked against the count. Done once for each owner, product and day.
 */
export async function beginTermsDays(tx: Tx, days: readonly TermsDayOf[]): Promise<void> {
  const fresh = days.filter(({ termsDay }) => isLimited(termsDay) && !termsDay.isCounted);
  const keys = [...new Map(fresh.map((day) => [keyOf(day), { ...day, orders: 0, amount: 0n }])).values()];
  if (keys.length === 0) return;
  const since = firstIdAt(parseTime(keys[0]!.day)!);
  const ofDay = (
    table: 'collection_orders' | 'payout_orders',
    owner: 'merchant' | 'supplier',
    counts: Sql,
  ) => sql`
    select o.amount from ${raw(table)} o where v.owner_kind = ${owner} and o.${raw(`${owner}_id`)} = v.owner_id
      and o.product_id = v.product_id and o.id >= ${since} and ${counts}`;
  const collected = sql`(o.status = ${COLLECTION_STATUS.allocated} or o.received is not null)`;
  const paidOut = sql`(o.status <> all(${[PAYOUT_STATUS.cancelled, PAYOUT_STATUS.rejected]}::int[]) or o.reversed_at is not null)`;
  await tx.query(sql`
    insert into user_product_days (owner_kind, owner_id, product_id, day, orders, amount)
    select v.owner_kind, v.owner_id, v.product_id, v.day, o.orders, o.amount
    from ${unnestRows(SUM, keys)}
    cross join lateral (
      select count(*)::int as orders, coalesce(sum(amount), 0)::bigint as amount from (
        ${ofDay('collection_orders', 'merchant', collected)} union all ${ofDay('collection_orders', 'supplier', collected)}
        union all ${ofDay('payout_orders', 'merchant', paidOut)}
        union all select o.amount from payout_orders o where v.owner_kind = 'supplier' and o.supplier_id = v.owner_id
          and o.product_id = v.product_id and o.taken_on = v.day and ${paidOut}
      ) counted
    ) o
    order by 1, 2, 3, 4 on conflict do nothing`);
  const begun = await tx.query<TermsDayKey & Sum>(sql`
    select owner_kind as "ownerKind", owner_id as "ownerId", product_id as "productId", day, orders, amount
    from user_product_days d
    where (owner_kind, owner_id, product_id, day) in (select owner_kind, owner_id, product_id, day
      from ${unnestRows(SUM, keys)})`);
  const sums = new Map(begun.map((row) => [keyOf(row), row]));
  for (const key of keys) {
    const { orders, amount } = sums.get(keyOf(key))!;
    Object.assign(key.termsDay, { isCounted: true, orders, amount });
  }
}

/** An order that begins (+1) or ceases (−1) to count. */
export interface TermsCount extends TermsDayKey {
  readonly orders: 1 | -1;
  readonly amount: bigint;
}

/** An error that `tx` retries: another node counted orders while this one placed its own. */
class LimitMissed extends Error {
  override readonly name = 'LimitMissed';
  readonly code = '40001';
}

/**
 * Counts orders that begin to wait; call it last in their transaction. The rows of an owner are not locked while orders are
 * placed. When the sum passes a limit because another node counted meanwhile, the whole transaction runs again and refuses what
 * no longer fits. So limits are exact, and nobody waits for a lock before the end of the transaction.
 */
export async function countTowardsTerms(
  tx: Tx,
  counts: readonly (TermsCount & { readonly termsDay: TermsDay })[],
): Promise<void> {
  const wanted = sumsOf(counts.filter(({ termsDay }) => termsDay.isCounted));
  if (wanted.length === 0) return;
  const rows = await tx.query<TermsDayKey & { orders: number; amount: bigint }>(
    hot(
      'count terms',
      sql`
    insert into user_product_days as d (owner_kind, owner_id, product_id, day, orders, amount)
    select * from ${unnestRows(SUM, wanted)}
    order by owner_kind, owner_id, product_id, day
    on conflict (owner_kind, owner_id, product_id, day) do update
      set orders = d.orders + excluded.orders, amount = d.amount + excluded.amount
    returning owner_kind as "ownerKind", owner_id as "ownerId", product_id as "productId", day, orders, amount`,
    ),
  );
  const limits = new Map(wanted.map((each) => [keyOf(each), each.termsDay]));
  for (const row of rows) {
    const { countLimit, amountLimit } = limits.get(keyOf(row))!;
    if (
      (countLimit !== null && row.orders > countLimit) ||
      (amountLimit !== null && row.amount > amountLimit)
    )
      throw new LimitMissed(`${keyOf(row)} has reached its daily limit meanwhile`);
  }
}

/** The same for orders that cease to count, or count again: no limit refuses what has already happened. */
export function recountTerms(tx: Tx, counts: readonly TermsCount[]): void {
  if (counts.length === 0) return;
  const sums = sumsOf(counts);
  tx.send(sql`
    with v as (select * from ${unnestRows(SUM, sums)}),
    locked as (
      select d.owner_kind, d.owner_id, d.product_id, d.day from user_product_days d join v using (owner_kind, owner_id, product_id, day)
      order by 1, 2, 3, 4 for update of d
    )
    update user_product_days d set orders = d.orders + v.orders, amount = d.amount + v.amount
    from v join locked using (owner_kind, owner_id, product_id, day)
    where (d.owner_kind, d.owner_id, d.product_id, d.day) = (v.owner_kind, v.owner_id, v.product_id, v.day)`);
}

const SUM = {
  ownerKind: 'text',
  ownerId: 'bigint',
  productId: 'int',
  day: 'date',
  orders: 'int',
  amount: 'bigint',
} as const;

interface Sum {
  readonly orders: number;
  readonly amount: bigint;
}

const isLimited = ({ countLimit, amountLimit }: TermsDay) => countLimit !== null || amountLimit !== null;

const keyOf = ({ ownerKind, ownerId, productId, day }: TermsDayKey) =>
  `${ownerKind}/${ownerId}/${productId}/${day}`;

function sumsOf<Count extends TermsDayKey & Sum>(counts: readonly Count[]): (Count & Sum)[] {
  const sums = new Map<string, Count & Sum>();
  for (const count of counts) {
    const sum = sums.get(keyOf(count));
    sums.set(keyOf(count), {
      ...count,
      orders: (sum?.orders ?? 0) + count.orders,
      amount: (sum?.amount ?? 0n) + count.amount,
    });
  }
  return [...sums.values()];
}
