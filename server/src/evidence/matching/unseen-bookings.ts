import { familiesOf } from '../../order-numbers/references.ts';
import { DAY } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/db/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { type BookedCredit, compareBooked, notifyBookedOtherwise } from './booked.ts';
import { isOpenToMessages } from './reported-amounts.ts';

/** Credits of this time are looked at: an order is booked by a reference soon after the money moved. */
const LOOK_BACK = 3 * DAY;

/**
 * Finds open credits whose reference an order or a payout has used, though account or sum differ, and notifies the admins of each once. A
 * credit that comes after the booking is judged at once (`judgeUsed`). A sweep, because a credit and a booking on two accounts that are
 * written at the same moment lock nothing in common and do not see each other, and because a payout's completion looks for no credit. Paying
 * accounts are left out: a credit there may be a payout's money on its way back (payout/returned.ts). Returns how many it found.
 */
export function reportUnseenBookings(platform: Platform): Promise<number> {
  const since = firstIdAt(new Date(platform.clock.now().getTime() - LOOK_BACK));
  return platform.db.tx(async (tx) => {
    const credits = await tx.query<BookedCredit & { id: bigint }>(sql`
      select m.id, m.account_id as "accountId", m.amount, m.currency, m.utr as reference
      from messages m join accounts a on a.id = m.account_id and a.direction = 'in'
      where m.id >= ${since} and m.direction = 'credit' and ${isOpenToMessages(sql`m`)}
        and m.reason is distinct from 'contradictsBooked'
        and exists (select from utr_uses u where u.utr = m.utr and u.family = any(${familiesOf(sql`m.currency`)}))
      order by m.id`);
    const bookings = await compareBooked(tx, credits);
    let found = 0;
    for (const credit of credits) {
      const booked = bookings.get(credit);
      if (booked?.is !== 'contradiction') continue;
      const marked = await tx.query(sql`
        update messages m set state = 'ambiguous', reason = 'contradictsBooked'
        where m.id = ${credit.id} and ${isOpenToMessages(sql`m`)} returning 1`);
      if (marked.length === 0) continue;
      await notifyBookedOtherwise(platform, tx, credit, booked.orderId);
      found += 1;
    }
    return found;
  });
}
