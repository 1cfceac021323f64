import type { getDuties } from '@sangam/contract/endpoints/todo.ts';
import { businessDay, parseTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { DAY } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { escapeLike, readPage } from '../platform/db/page.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';

type Output = z.input<typeof getDuties.output>;
type Row = Omit<Output['list'][number], 'id' | 'amount'> & {
  readonly rank: bigint;
  readonly amount: bigint | null;
};

const USUAL_PERIOD = 30 * DAY;

/**
 * Pairs of users: how many requests of one the other decided, and what one did to the other's account. And what each of the
 * staff moved on its own word. Without a start, the period begins 30 days before its end (now, unless named).
 */
export async function listDuties(
  platform: Platform,
  input: z.output<typeof getDuties.input>,
): Promise<Output | Refusal> {
  const until = (input.endTime && parseTime(input.endTime)) || platform.clock.now();
  const since = (input.startTime && parseTime(input.startTime)) || new Date(until.getTime() - USUAL_PERIOD);
  const named = input.account === undefined ? undefined : `%${escapeLike(input.account)}%`;
  // The rank makes the sort order unique, which paging needs.
  const page = await readPage<Row>(platform, input, {
    columns: sql`t.*`,
    from: sql`
      from (
        with decided as (
          select started_by as a, decided_by as b, count(*) filter (where status = 'approved')::int as approved,
            count(*) filter (where status = 'refused')::int as refused
          from approvals where decided_by is not null and decided_at between ${since} and ${until} group by 1, 2),
        hands as (
          select user_id as a, changed_by as b, array_agg(distinct change order by change) as changes
          from user_control_changes where created_at between ${since} and ${until} group by 1, 2),
        pairs as (
          select coalesce(d.a, h.a) as a, coalesce(d.b, h.b) as b, coalesce(d.approved, 0) as approved, coalesce(d.refused, 0) as refused,
            coalesce(back.approved, 0) as back, coalesce(h.changes, '{}') as changes, null as currency, null::bigint as amount
          from decided d full join hands h on h.a = d.a and h.b = d.b
            left join decided back on back.a = coalesce(d.b, h.b) and back.b = coalesce(d.a, h.a)
          union all
          select user_id, null, 0, 0, 0, '{}', currency, sum(amount)::bigint from own_word_days
          where day between ${businessDay(since)} and ${businessDay(until)} and amount > 0 group by 1, 7)
        select row_number() over (order by p.approved + p.back, p.amount nulls first, u.account, o.account) as rank, u.account, o.account as other,
          p.approved, p.refused, p.back as "approvedBack", p.changes, p.currency, p.amount,
          (100 * (p.approved + p.refused) / greatest(1, sum(p.approved + p.refused) over (partition by p.a)))::int as "sharePercent"
        from pairs p join users u on u.id = p.a left join users o on o.id = p.b
      ) t where ${named === undefined ? sql`true` : sql`(t.account ilike ${named} or t.other ilike ${named})`}`,
    key: sql`t.rank`,
  });
  if (isRefusal(page)) return page;
  const list = page.list.map(
    ({ rank, account, other, approved, refused, approvedBack, sharePercent, changes, currency, amount }) => ({
      id: String(rank),
      account,
      other,
      approved,
      refused,
      approvedBack,
      sharePercent,
      changes,
      currency,
      amount: amount === null ? null : Number(amount),
    }),
  );
  return { ...page, list };
}
