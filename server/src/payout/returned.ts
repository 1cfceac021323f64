import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { noteReturn, returnsOn } from '../evidence/matching/taken-back.ts';
import { DAY } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { firstIdAt } from '../platform/db/ids.ts';
import type { Platform } from '../platform/platform.ts';

/** Credits of this time are looked at. */
const LOOK_BACK = 3 * DAY;
/** A bank may return money so long after a payout was completed, as a gateway may. */
const RETURNED_WITHIN = 7 * DAY;
/** An older payout is found by its number alone, so that a sweep reads the weeks that matter and not every payout of the sum. */
const COMPLETED_WITHIN = 7 * DAY;
const AT_ONCE = 100;

/** SQL: the number of the credit (alias `c`), and those in its text. */
const NUMBERS = sql`(array(select number[1] from regexp_matches(upper(c.text), '[A-Z0-9]{9,30}', 'g') as stated (number)) || c.utr)`;

/**
 * Finds credits on paying accounts that may be the money of a completed payout, and notifies the admins of each once: the credit has the
 * payout's number or names it, or, where it fits no other account of the phone, has its sum. The bank may return money under a number of its own. A sweep, because a credit and the
 * payout's completion that are written at the same moment do not see each other. Returns how many it found.
 */
export async function reportReturned(platform: Platform): Promise<number> {
  const now = platform.clock.now().getTime();
  const found = await platform.db.query<{
    messageId: bigint;
    orderId: bigint;
    amount: bigint;
    currency: string;
    utr: string | null;
  }>(sql`
    select distinct on (c.id) c.id as "messageId", o.id as "orderId", c.amount, c.currency, c.utr
    from accounts a cross join lateral (${returnsOn(sql`a`, firstIdAt(new Date(now - LOOK_BACK)))}) c
    cross join lateral (
      select id, 1 as rank from payout_orders where utr = c.utr
      union all
      select id, case when position(utr in c.text) > 0 then 2 else 3 end from payout_orders
      where supplier_id = a.supplier_id and id >= ${firstIdAt(new Date(now - LOOK_BACK - RETURNED_WITHIN - COMPLETED_WITHIN))}
        -- A credit that has or names the number of a debit is the money of that debit, whatever its sum.
        and (position(utr in c.text) > 0 or c.account_id is not null and amount = c.amount
          and not exists (select from messages d where d.utr = any(${NUMBERS}) and d.account_id = a.id and d.direction = 'debit'))
    ) p join payout_orders o on o.id = p.id
    where a.direction = 'out' and o.status = ${PAYOUT_STATUS.completed} and o.reversed_at is null and o.currency = c.currency
      and o.supplier_id = a.supplier_id and coalesce(o.account_id, a.id) = a.id
      and o.created_at <= c.received_at and o.finished_at >= c.received_at - ${RETURNED_WITHIN} * interval '1 millisecond'
    order by c.id, p.rank, o.finished_at desc limit ${AT_ONCE}`);
  for (const { messageId, ...money } of found)
    await platform.db.tx((tx) => noteReturn(platform, tx, messageId, money));
  return found.length;
}
