import { createHash } from 'node:crypto';
import { type getSlips, MOST_SLIPS } from '@sangam/contract/endpoints/payout.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { invalid } from '../accounts/account-checks.ts';
import { actorOf, writeEvents } from '../history/events.ts';
import { sql } from '../platform/db/database.ts';
import { pictureType } from '../platform/files/picture.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { payoutScope } from './actions.ts';
import { UNDER_WAY } from './row.ts';
import { countSlips } from './slip-store.ts';
import { lockPayouts } from './store.ts';

/**
 * Keeps a slip (a picture of the bank's receipt) with a payout that its supplier claimed or confirmed, for the desk to look at. A slip
 * proves, completes and credits nothing. The same picture sent again, after a lost answer, is kept once.
 */
export function addSlip(
  platform: Platform,
  viewer: Viewer,
  orderId: bigint,
  bytes: Buffer,
): Promise<{ readonly slips: number } | Refusal> {
  const { supplierId, userId } = viewer;
  const mime = pictureType(bytes);
  if (mime === undefined) return Promise.resolve(invalid('picture', 'notAPicture'));
  const hash = createHash('sha256').update(bytes).digest();
  const at = platform.clock.now();
  return platform.db.tx(async (tx) => {
    const [order] = await lockPayouts(tx, [orderId]);
    if (!order || supplierId === null || order.supplierId !== supplierId) return refuse('notFound');
    if (!UNDER_WAY.includes(order.status) && order.status !== PAYOUT_STATUS.completed)
      return refuse('actionNotAllowed');
    const before = await countSlips(tx, orderId, supplierId);
    const [known] = await tx.query(sql`
      select 1 from payout_slips where order_id = ${orderId} and supplier_id = ${supplierId} and sha256 = ${hash}`);
    if (known) return { slips: before };
    if (before >= MOST_SLIPS) return refuse('conflict', {}, { reason: 'tooManyPictures' });
    await tx.query(sql`
      insert into payout_slips (id, order_id, supplier_id, mime, bytes, sha256, added_by, added_at)
      values (${platform.ids.next(at)}, ${orderId}, ${supplierId}, ${mime}, ${bytes}, ${hash}, ${userId}, ${at})`);
    await writeEvents(platform, tx, [
      { orderId, kind: 'slipAdded', from: order.status, to: order.status, actor: actorOf(viewer) },
    ]);
    return { slips: before + 1 };
  });
}

/** The slips of a payout the viewer may see, oldest first. */
export async function readSlips(
  { db }: Platform,
  viewer: Viewer,
  orderId: bigint,
): Promise<z.input<typeof getSlips.output> | Refusal> {
  const [order] = await db.query(
    sql`select 1 from payout_orders o where o.id = ${orderId} ${payoutScope(viewer)}`,
  );
  if (!order) return refuse('notFound');
  const rows = await db.query<{
    id: bigint;
    supplierName: string;
    mime: string;
    bytes: Buffer;
    at: Date;
  }>(sql`
    select p.id, s.name as "supplierName", p.mime, p.bytes, p.added_at as at
    from payout_slips p join suppliers s on s.id = p.supplier_id where p.order_id = ${orderId} order by p.id`);
  return {
    list: rows.map(({ id, supplierName, mime, bytes, at }) => ({
      id: String(id),
      supplierName,
      picture: `data:${mime};base64,${bytes.toString('base64')}`,
      time: formatTime(at),
    })),
  };
}

export { deleteSlipsOfArchived } from './slip-store.ts';
