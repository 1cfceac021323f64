import type { getStatement } from '@sangam/contract/endpoints/fund.ts';
import { parseTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { DAY } from '../platform/clock.ts';
import { empty, sql } from '../platform/db/database.ts';
import { firstIdAt } from '../platform/db/ids.ts';
import { endOf } from '../platform/db/page.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal, wrongInput } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ownerAsked } from './owner.ts';

type Output = z.input<typeof getStatement.output>;

interface Row {
  readonly bucket: string;
  readonly opening: bigint;
  readonly closing: bigint;
  readonly lines: Output['list'][number]['lines'];
}

/** A longer period takes several statements: each starts with the closing balance of the one before. */
export const LONGEST = 93 * DAY;

/**
 * Opening and closing balance of a period and the entries between. Both balances are computed backwards from the present
 * balance in one statement, so in one snapshot. No 'last entry before the period' has to be found, and the sum of the lines can
 * be compared with the difference of the balances.
 */
export async function readStatement(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof getStatement.input>,
): Promise<Output | Refusal> {
  const owner = ownerAsked(viewer, input);
  if (isRefusal(owner)) return owner;
  const [start, end] = [parseTime(input.startTime)!, endOf(input.endTime)!];
  if (end <= start || end.getTime() - start.getTime() > LONGEST) return wrongInput('startTime', 'endTime');
  const [from, to] = [firstIdAt(start), firstIdAt(end)];
  const rows = await platform.db.query<Row>(sql`
    with own as (
      select id, bucket, balance from ledger_accounts
      where owner_kind = ${owner.ownerKind} and owner_id = ${owner.ownerId} and currency = ${input.currency}
        ${input.bucket === undefined ? empty : sql`and bucket = ${input.bucket}`}
    ), since as (
      select own.bucket, e.id >= ${to} as is_after, p.kind, count(*)::int as count, sum(e.amount) as amount
      from own join ledger_entries e on e.account_id = own.id and e.id >= ${from} join postings p on p.id = e.posting_id
      group by 1, 2, 3
    )
    select b.bucket, (b.balance - coalesce(s.all_since, 0))::bigint as opening,
      (b.balance - coalesce(s.after, 0))::bigint as closing, coalesce(s.lines, '[]') as lines
    from (select bucket, sum(balance) as balance from own group by 1) b
    left join (
      select bucket, sum(amount) as all_since, sum(amount) filter (where is_after) as after,
        json_agg(json_build_object('postingKind', kind, 'count', count, 'amount', amount) order by kind)
          filter (where not is_after) as lines
      from since group by 1
    ) s using (bucket)
    order by b.bucket`);
  return {
    list: rows.map((row) => ({ ...row, opening: Number(row.opening), closing: Number(row.closing) })),
  };
}
