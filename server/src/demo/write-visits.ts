import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { SECOND } from '../platform/clock.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import { insertAll } from './bulk.ts';
import type { PastOrder } from './plan-orders.ts';
import type { Random } from './random.ts';

const DEVICES = [
  ['phone', 82],
  ['desktop', 13],
  ['tablet', 5],
] as const;
/** The referring pages of a merchant. Some browsers name none. */
const REFERRERS = [
  ['shop', 55],
  ['m', 25],
  ['pay', 8],
  [null, 12],
] as const;
/** Of orders that were not paid: the share whose page was opened, and the share whose page then asked for the order. */
const OPENED = 0.8;
const SEEN = 0.94;

/** Writes visits of the payment pages, and queues every order to be counted by its source. */
export async function writeVisits(tx: Tx, past: readonly PastOrder[], random: Random): Promise<void> {
  const visits = past.flatMap(({ order }) => {
    const paid = order.received !== null;
    const allocated = order.status !== COLLECTION_STATUS.allocationFailed;
    if (!paid && !random.chance(OPENED)) return [];
    const openedAt = new Date(order.createdAt.getTime() + random.int(1, 20) * SECOND);
    const isSeen = allocated && (paid || random.chance(SEEN));
    const host = random.weighted(REFERRERS);
    return {
      order_id: order.id,
      opened_at: openedAt,
      seen_at: isSeen ? new Date(openedAt.getTime() + SECOND) : null,
      referrer: host === null ? null : `${host}.merchant${order.merchantId % 100n}.example`,
      device: random.weighted(DEVICES),
    };
  });
  await insertAll(
    tx,
    'order_visits',
    {
      order_id: 'bigint',
      opened_at: 'timestamptz',
      seen_at: 'timestamptz',
      referrer: 'text',
      device: 'text',
    },
    visits,
  );
  await tx.query(sql`insert into order_changes (id, order_id) select id, id from collection_orders`);
}
