import { BUSINESS_TIME_ZONE, businessDay } from '@sangam/contract/time.ts';
import { DAY } from '../platform/clock.ts';
import { type Queryable, type Tx, empty, sql } from '../platform/db/database.ts';
import { firstIdAt } from '../platform/db/ids.ts';
import { unnestRows } from '../platform/db/unnest-rows.ts';
import type { Mend } from '../platform/mend.ts';
import { lockLoads } from './load.ts';

/** Days that are recounted. Older days count towards no limit any more. */
const DAYS = 31;

interface Load {
  readonly accountId: bigint;
  /** Null: the account has no row. */
  readonly count: number | null;
  readonly amount: bigint | null;
  readonly grace: bigint | null;
  readonly countThen: number;
  readonly amountThen: bigint;
  readonly graceThen: bigint;
}

interface Day {
  readonly accountId: bigint;
  readonly day: string;
  readonly orders: number | null;
  readonly amount: bigint | null;
  readonly ordersThen: number;
  readonly amountThen: bigint;
}

/**
 * Recounts the load of accounts (account_load, account_days) from their orders and mends what differs; answers what it did.
 * Whoever changes a load locks its row first, so the count under that lock is exact.
 */
export async function mendLoads(tx: Tx, at: Date): Promise<Mend[]> {
  // One statement sees one snapshot: where nothing differs, nothing is locked.
  const [loads, days] = [await wrongLoads(tx), await wrongDays(tx, at)];
  const ids = [...new Set([...loads, ...days].map(({ accountId }) => accountId))];
  if (ids.length === 0) return [];
  await tx.query(sql`
    insert into account_load (account_id) select id from unnest(${ids}::bigint[]) as v (id)
    where not exists (select from account_load where account_id = v.id) order by id on conflict do nothing`);
  lockLoads(tx, ids);
  const missing = new Set(loads.filter(({ count }) => count === null).map(({ accountId }) => accountId));
  return [...(await mendLoad(tx, ids, missing)), ...(await mendDays(tx, ids, at))];
}

async function mendLoad(tx: Tx, ids: readonly bigint[], missing: ReadonlySet<bigint>): Promise<Mend[]> {
  const wrong = await wrongLoads(tx, ids);
  await tx.query(sql`
    update account_load l set version = l.version + 1, waiting_count = v.n, waiting_amount = v.amount, grace_amount = v.grace
    from unnest(${wrong.map((row) => row.accountId)}::bigint[], ${wrong.map((row) => row.countThen)}::int[],
      ${wrong.map((row) => row.amountThen)}::bigint[], ${wrong.map((row) => row.graceThen)}::bigint[]) as v (id, n, amount, grace)
    where l.account_id = v.id`);
  const seen = new Set(wrong.map(({ accountId }) => accountId));
  const empties = [...missing].filter((id) => !seen.has(id)).map((id) => emptyLoad(id));
  return [...wrong, ...empties].map((row) => {
    const isMissing = missing.has(row.accountId);
    return {
      kind: 'accountLoad',
      subject: `account:${row.accountId}`,
      before: isMissing ? {} : loadOf(row.count ?? 0, row.amount ?? 0n, row.grace ?? 0n),
      after: loadOf(row.countThen, row.amountThen, row.graceThen),
    };
  });
}

const emptyLoad = (accountId: bigint): Load => ({
  accountId,
  count: null,
  amount: null,
  grace: null,
  countThen: 0,
  amountThen: 0n,
  graceThen: 0n,
});

const loadOf = (waitingCount: number, waitingAmount: bigint, graceAmount: bigint) => ({
  waitingCount,
  waitingAmount: String(waitingAmount),
  graceAmount: String(graceAmount),
});

async function mendDays(tx: Tx, ids: readonly bigint[], at: Date): Promise<Mend[]> {
  const wrong = await wrongDays(tx, at, ids);
  const v = unnestRows({ accountId: 'bigint', day: 'date', ordersThen: 'int', amountThen: 'bigint' }, wrong);
  await tx.query(sql`
    with mended as (
      update account_days d set version = d.version + 1, orders = v.orders_then, amount = v.amount_then
      from ${v} where d.account_id = v.account_id and d.day = v.day
      returning d.account_id, d.day
    )
    insert into account_days (account_id, day, orders, amount)
    select * from ${v} where not exists (select from mended m where m.account_id = v.account_id and m.day = v.day)`);
  return wrong.map(({ accountId, day, orders, amount, ordersThen, amountThen }) => ({
    kind: 'accountDay',
    subject: `account:${accountId}`,
    before: orders === null ? { day } : { day, orders, amount: String(amount) },
    after: { day, orders: ordersThen, amount: String(amountThen) },
  }));
}

function wrongLoads(db: Queryable, ids?: readonly bigint[]): Promise<Load[]> {
  const only = ids === undefined ? empty : sql`and a.id = any(${ids})`;
  return db.query<Load>(sql`
    select a.id as "accountId", l.waiting_count as count, l.waiting_amount as amount, l.grace_amount as grace,
      coalesce(w.orders, 0)::int as "countThen", coalesce(w.amount, 0)::bigint as "amountThen",
      coalesce(w.grace, 0)::bigint as "graceThen"
    from accounts a
    left join account_load l on l.account_id = a.id
    left join (
      select account_id, count(*) filter (where not timed_out) as orders, sum(payable) filter (where not timed_out) as amount,
        sum(payable) filter (where timed_out) as grace
      from waiting_orders group by 1) w on w.account_id = a.id
    where (l.account_id is null or l.waiting_count <> coalesce(w.orders, 0) or l.waiting_amount <> coalesce(w.amount, 0)
      or l.grace_amount <> coalesce(w.grace, 0)) ${only}
    order by a.id`);
}

/**
 * Days whose count cannot be right. A timed-out order that was paid later counts, unless its amount had been freed in between,
 * and that leaves no trace. So a right count lies between two values. A wrong count becomes the higher one, which lets no limit
 * be exceeded.
 */
function wrongDays(db: Queryable, at: Date, ids?: readonly bigint[]): Promise<Day[]> {
  const since = new Date(at.getTime() - DAYS * DAY);
  const first = businessDay(since);
  const only = ids === undefined ? empty : sql`and account_id = any(${ids})`;
  return db.query<Day>(sql`
    select account_id as "accountId", day, d.orders, d.amount, coalesce(o.most, 0)::int as "ordersThen",
      coalesce(o.most_amount, 0)::bigint as "amountThen"
    from (select account_id, day, orders, amount from account_days where day >= ${first} ${only}) d
    full join (
      select account_id, day, count(*) filter (where not late) as least, count(*) as most,
        coalesce(sum(payable) filter (where not late), 0) as least_amount, sum(payable) as most_amount
      from (
        select c.account_id, (c.allocated_at at time zone ${BUSINESS_TIME_ZONE})::date as day, c.payable,
          exists (select from order_events e where e.order_id = c.id and e.kind = 'timedOut') as late
        from collection_orders c
        where c.id >= ${firstIdAt(new Date(since.getTime() - DAY))} and (c.stage in (1, 3, 4)) ${only}
      ) each where account_id is not null and day >= ${first} group by account_id, day
    ) o using (account_id, day)
    where coalesce(d.orders, 0) not between coalesce(o.least, 0) and coalesce(o.most, 0)
      or coalesce(d.amount, 0) not between coalesce(o.least_amount, 0) and coalesce(o.most_amount, 0)
    order by account_id, day`);
}
