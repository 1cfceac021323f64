import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { DAY, MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { firstIdAt } from '../platform/db/ids.ts';
import { movedAtOf } from '../evidence/matching/reported-amounts.ts';
import type { Platform } from '../platform/platform.ts';
import { notifyContradiction } from './contradicted.ts';
import { movedAfter, OPEN_DEBIT } from './debits.ts';
import { lockPayouts } from './store.ts';

/** As far back as debits look for their payouts (match-debits.ts). */
const LOOK_BACK = 3 * DAY;
/** So long a debit may still turn out to be another payout's. */
const WAITED_FOR = 2 * DAY;
const MADE_WITHIN = 30 * DAY;
const CLOCK_SLACK = 5 * MINUTE;
const AT_ONCE = 100;

const { cancelled, completed, inProgress, preparing, processingError, rejected, submitted, toBeConfirmed } =
  PAYOUT_STATUS;

/**
 * Debits that fit a payout which its batch's file is not to pay any more: it has ended unpaid, was called off (others may pay it by
 * now, or another file of the account, by which it has its debit or could not be paid yet), or failed before the debit came. The bank
 * paid it all the same. By the bank's own number of the row; else by the amount, where
 * no other payout of the account, or of the supplier that has not said from which it pays, may be meant, or none has got it in two days.
 * People are notified, once for each payout; one that waits or has failed is frozen. Returns how many it found.
 */
export async function reportDebitsOfEnded(platform: Platform): Promise<number> {
  const now = platform.clock.now().getTime();
  const since = new Date(now - LOOK_BACK);
  const found = await platform.db.query<{ orderId: bigint; attempt: number; utr: string | null }>(sql`
    select distinct on (o.id) o.id as "orderId", o.attempt, m.utr
    from accounts a join messages m on m.account_id = a.id
    join payout_batches b on b.account_id = a.id and coalesce(b.sent_at, b.exported_at) <= m.received_at + ${CLOCK_SLACK} * interval '1 millisecond'
    join payout_batch_orders i on i.batch_id = b.id and i.in_file and i.amount = m.amount
    join payout_orders o on o.id = i.order_id
    where a.direction = 'out' and ${OPEN_DEBIT} and m.id >= ${firstIdAt(since)} and o.id >= ${firstIdAt(new Date(now - MADE_WITHIN))}
      and (o.status in (${cancelled}, ${rejected}) and o.reversed_at is null
        or i.state <> 'completed' and (o.account_id is distinct from a.id or o.status = ${processingError} or exists (
          select from payout_batch_orders n join payout_batches l on l.id = n.batch_id
          where n.order_id = o.id and n.batch_id > i.batch_id and l.account_id = a.id and (not coalesce(${movedAfter(movedAtOf(sql`m`), sql`l.exported_at`)}, false)
            or exists (select from message_matches x where x.order_id = o.id)))) and not exists (
          select from order_events e where e.order_id = o.id and e.kind = 'failed' and e.created_at >= m.received_at))
      and (m.utr = i.bank_reference or not exists (
        select from payout_orders p
        where (p.account_id = a.id and p.id <> o.id or p.account_id is null and p.supplier_id = a.supplier_id) and p.amount = m.amount
          and (m.id >= ${firstIdAt(new Date(now - WAITED_FOR))} or p.utr = m.utr) and (p.status in (${inProgress}, ${preparing}, ${toBeConfirmed}, ${submitted}) or p.status = ${completed} and p.finished_at >= ${since}
            and not exists (select from message_matches x where x.order_id = p.id))))
      and not exists (select from order_events e where e.order_id = o.id and e.kind = 'contradicted' and e.data->>'said' = 'debited')
    order by o.id, m.id limit ${AT_ONCE}`);
  for (const { orderId, attempt, utr } of found) {
    await platform.db.tx(async (tx) => {
      const [order] = await lockPayouts(tx, [orderId]);
      if (order) await notifyContradiction(platform, tx, order, { said: 'debited', attempt, utr });
    });
  }
  return found.length;
}
