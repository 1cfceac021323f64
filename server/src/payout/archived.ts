import type { Currency } from '@sangam/contract/money.ts';
import { normaliseReference } from '@sangam/contract/references.ts';
import { ADMINS } from '@sangam/contract/roles.ts';
import type { CheckAnswer } from '../channels/payout-channel.ts';
import { notify } from '../inbox/notify.ts';
import { type Queryable, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { completedKey } from './posting.ts';

/** What the database still knows of a payout that is in the archive. */
interface ArchivedPayout {
  readonly currency: Currency;
  /** Completed and not reversed. */
  readonly isPaid: boolean;
  /** The reference that it was paid by. */
  readonly utr: string | null;
}

export async function archivedPayout(db: Queryable, orderId: bigint): Promise<ArchivedPayout | undefined> {
  const [payout] = await db.query<ArchivedPayout>(sql`
    select min(p.currency) as currency, bool_or(p.key = ${completedKey(orderId)}
        and not exists (select from postings r where r.reverses = p.id)) as "isPaid",
      (select min(u.utr) from utr_uses u where u.order_id = a.order_id) as utr
    from archived_orders a join postings p on p.order_id = a.order_id
    where a.order_id = ${orderId} and a.direction = 'out' group by a.order_id`);
  return payout;
}

/**
 * A gateway's status changes nothing of a payout in the archive. The admins are notified when the gateway says that a paid payout failed,
 * or that it paid one which ended unpaid or was paid by another reference. False: the payout is not in the archive.
 */
export async function noteArchived(
  platform: Platform,
  orderId: bigint,
  answer: CheckAnswer,
): Promise<boolean> {
  const payout = await archivedPayout(platform.db, orderId);
  if (!payout) return false;
  const order = String(orderId);
  const to = { roles: ADMINS };
  await platform.db.tx(async (tx) => {
    if (answer.state === 'failed' && payout.isPaid)
      await notify(platform, tx, to, 'archivedPayoutFailed', { order, reason: answer.reason });
    if (answer.state === 'processed' && !(payout.isPaid && isPaidBy(payout, answer.utr)))
      await notify(platform, tx, to, 'gatewaySaysPaid', { order });
  });
  return true;
}

/** False when both name a reference, and another one. */
function isPaidBy({ utr }: ArchivedPayout, told: string | null): boolean {
  return utr === null || told === null || normaliseReference(told) === utr;
}
