import type { getHome } from '@sangam/contract/endpoints/home.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { ORDER_MARK } from '@sangam/contract/orders.ts';
import { businessDay, parseTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { DAY, MINUTE } from '../../platform/clock.ts';
import { raw, sql } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/db/ids.ts';
import type { Platform } from '../../platform/platform.ts';

type Earned = NonNullable<z.input<typeof getHome.output>['team']>['earned'];

/** How far ids may be off as clocks. */
const SLACK = 5 * MINUTE;

/**
 * What an agent earned today and yesterday on the orders of others, as the ledger has it: an order has the sum of all its agents, not each
 * share. Orders are filed as on the rest of home, and reversed ones earn nothing. A share may have repaid a debt.
 */
export async function readEarned({ db, clock, settings }: Platform, agentId: bigint): Promise<Earned> {
  const filing = (await settings.all()).OrderStatisticsTimeFormat;
  const todayDate = businessDay(clock.now());
  const today = parseTime(todayDate)!;
  const [yesterday, tomorrow] = [-DAY, DAY].map((by) => new Date(today.getTime() + by)) as [Date, Date];
  const orders = (table: string, direction: string, ended: string) => sql`
    select ${direction}::text as direction, ${raw(filing === 'created' ? 'o.created_at' : ended)} as filed
    from ${raw(table)} o
    where o.id = p.order_id and o.supplier_id <> ${agentId} and o.reversed_at is null and o.mark <> ${ORDER_MARK.test}`;
  const list = await db.query<{
    currency: Currency;
    direction: 'in' | 'out';
    today: bigint;
    yesterday: bigint;
  }>(sql`
    select a.currency, o.direction, coalesce(sum(e.amount) filter (where o.filed >= ${today}), 0)::bigint as today,
      coalesce(sum(e.amount) filter (where o.filed < ${today}), 0)::bigint as yesterday
    from ledger_accounts a
    join ledger_entries e on e.account_id = a.id and e.id >= ${firstIdAt(new Date(yesterday.getTime() - SLACK))}
    join postings p on p.id = e.posting_id
    cross join lateral (${orders('collection_orders', 'in', 'o.paid_at')} union all ${orders('payout_orders', 'out', 'o.finished_at')}) o
    where a.owner_kind = 'supplier' and a.owner_id = ${agentId} and a.bucket in ('commission', 'debt')
      and o.filed >= ${yesterday} and o.filed < ${tomorrow}
    group by 1, 2 order by 1, 2`);
  return {
    filing,
    todayDate,
    yesterdayDate: businessDay(yesterday),
    tomorrowDate: businessDay(tomorrow),
    list: list.map((row) => ({ ...row, today: Number(row.today), yesterday: Number(row.yesterday) })),
  };
}
