import { amountText, type Currency } from '@sangam/contract/money.ts';
import { ADMINS } from '@sangam/contract/roles.ts';
import { SYSTEM, writeEvents } from '../../history/events.ts';
import { notify } from '../../inbox/notify.ts';
import { lowestIdAfter } from '../../platform/db/ids.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';

/** Money of a completed order that may have gone back. Amount in minor units. */
export interface WentBack {
  readonly orderId: bigint;
  readonly currency: string;
  readonly amount: bigint;
  readonly utr: string | null;
}

/**
 * Notifies the admins that the money of completed pay-ins may have gone back, once for each order and number, though the bank may tell of it
 * in several messages. `by` is the message that shows it now. A debit is told again if the bank has credited the number once more since. Of
 * an order in the archive the admins are notified each time, because its history is closed. The caller holds the account's chain.
 */
export async function tellWentBack(
  platform: Platform,
  tx: Tx,
  paid: readonly WentBack[],
  by: 'debit' | 'credit',
): Promise<void> {
  for (const money of paid) {
    const { orderId, utr } = money;
    const [order] = await tx.query<{ isTold: boolean }>(sql`
      select exists (select from order_events e
        where e.order_id = o.id and e.id > ${lowestIdAfter(orderId)} and e.kind = 'contradicted' and e.data->>'said' = 'wentBack'
          and e.data->>'utr' is not distinct from ${utr}
          and not (${by} = 'debit' and exists (select from messages c
            where c.utr = ${utr} and c.direction = 'credit' and c.state <> 'duplicate' and c.id > e.id))
        ) as "isTold"
      from collection_orders o where o.id = ${orderId}`);
    if (order?.isTold) continue;
    const data = { said: 'wentBack', utr };
    if (order)
      await writeEvents(platform, tx, [
        { orderId, kind: 'contradicted', from: null, to: null, actor: SYSTEM, data },
      ]);
    await notifyWentBack(platform, tx, money);
  }
}

/** Notifies the admins that the money of a completed order may have gone back. */
export function notifyWentBack(platform: Platform, tx: Tx, money: WentBack): Promise<void> {
  return notify(platform, tx, { roles: ADMINS }, 'moneyWentBack', {
    order: String(money.orderId),
    ...worded(money),
  });
}

/** Notifies the admins that the money of a top-up may have gone back. `orderId` is the id of its request. */
export function notifyTopUpWentBack(platform: Platform, tx: Tx, money: WentBack): Promise<void> {
  return notify(platform, tx, { roles: ADMINS }, 'topUpWentBack', {
    request: String(money.orderId),
    ...worded(money),
  });
}

const worded = ({ currency, amount, utr }: WentBack) => ({
  utr: utr ?? '–',
  amount: `${currency} ${amountText(amount, currency as Currency)}`,
});
