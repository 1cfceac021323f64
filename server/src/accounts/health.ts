import { businessDay, formatTime } from '@sangam/contract/time.ts';
import { DAY } from '../platform/clock.ts';
import { type Queryable, sql } from '../platform/db/database.ts';
import { firstIdAt } from '../platform/db/ids.ts';

export interface AccountHealth {
  readonly todayAllocated: number;
  readonly todayPaid: number;
  readonly weekAllocated: number;
  readonly weekPaid: number;
  readonly secondsToPay: number | null;
  readonly lastMessageTime: string | null;
}

const NONE: AccountHealth = {
  todayAllocated: 0,
  todayPaid: 0,
  weekAllocated: 0,
  weekPaid: 0,
  secondsToPay: null,
  lastMessageTime: null,
};
const WEEK_DAYS = 7;
/** How many of an account's last payments the median time to pay is taken from: they show how the account does now. */
const SAMPLE = 50;

/** The health of these accounts, in one statement whose cost grows with the number of accounts, not with their orders. */
export async function accountHealth(
  db: Queryable,
  accountIds: readonly bigint[],
  now: Date,
): Promise<(accountId: bigint) => AccountHealth> {
  const today = businessDay(now);
  const weekAgo = new Date(now.getTime() - (WEEK_DAYS - 1) * DAY);
  const rows = await db.query<
    Omit<AccountHealth, 'lastMessageTime'> & { accountId: bigint; lastMessageAt: Date | null }
  >(sql`
    select v.id as "accountId", coalesce(d.today_allocated, 0)::int as "todayAllocated",
      coalesce(d.today_paid, 0)::int as "todayPaid", coalesce(d.allocated, 0)::int as "weekAllocated",
      coalesce(d.paid, 0)::int as "weekPaid", p.seconds::int as "secondsToPay", l.received_at as "lastMessageAt"
    from unnest(${accountIds}::bigint[]) as v (id)
    left join lateral (
      select sum(allocated) as allocated, sum(paid) as paid,
        sum(allocated) filter (where day = ${today}) as today_allocated, sum(paid) filter (where day = ${today}) as today_paid
      from account_days where account_id = v.id and day >= ${businessDay(weekAgo)}
    ) d on true
    left join lateral (
      select percentile_cont(0.5) within group (order by extract(epoch from o.paid_at - o.allocated_at)) as seconds
      from (select order_id from messages where account_id = v.id and id >= ${firstIdAt(weekAgo)} and order_id is not null
        order by id desc limit ${SAMPLE}) t
      join collection_orders o on o.id = t.order_id and o.paid_at is not null and o.allocated_at is not null
    ) p on true
    left join lateral (
      select received_at from messages where account_id = v.id and id >= ${firstIdAt(weekAgo)} order by id desc limit 1
    ) l on true`);
  const byAccount = new Map(
    rows.map(({ accountId, lastMessageAt, ...row }) => [
      accountId,
      { ...row, lastMessageTime: lastMessageAt && formatTime(lastMessageAt) },
    ]),
  );
  return (accountId) => byAccount.get(accountId) ?? NONE;
}
