import { MOST_PICTURES } from '@sangam/contract/endpoints/outside.ts';
import type { getPictures } from '@sangam/contract/endpoints/order.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { sql } from '../platform/db/database.ts';
import { pictureType } from '../platform/files/picture.ts';
import { type Actor, writeEvents } from '../history/events.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, refuse, wrongInput } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { visibleOrder } from './detail.ts';
import { countPictures } from './picture-store.ts';
import { lockWithWaiting } from './store.ts';

/**
 * Keeps a screenshot of a payment with its order, while AllowPictureQueryOrder is on. It proves nothing: an operator looks at
 * it, and the UTR sent with it is looked up like one the payer typed. An order takes only a few: anybody with the page's
 * address can add one.
 */
export async function keepPicture(
  platform: Platform,
  orderId: bigint,
  bytes: Buffer,
  actor: Actor & { readonly kind: 'payer' | 'merchant' },
): Promise<{ readonly pictures: number } | Refusal> {
  const { AllowPictureQueryOrder } = await platform.settings.all();
  if (!AllowPictureQueryOrder) return refuse('actionNotAllowed');
  const mime = pictureType(bytes);
  if (mime === undefined) return wrongInput('picture');
  const at = platform.clock.now();
  return platform.db.tx(async (tx) => {
    const {
      orders: [order],
    } = await lockWithWaiting(tx, [orderId]);
    if (!order) return refuse('notFound');
    const before = await countPictures(tx, orderId);
    if (before >= MOST_PICTURES) return refuse('conflict', {}, { reason: 'tooManyPictures' });
    await tx.query(sql`
      insert into order_pictures (id, order_id, source, mime, bytes, added_at)
      values (${platform.ids.next(at)}, ${orderId}, ${actor.kind}, ${mime}, ${bytes}, ${at})`);
    await writeEvents(platform, tx, [
      { orderId, kind: 'pictureAdded', from: order.status, to: order.status, actor, data: {} },
    ]);
    return { pictures: before + 1 };
  });
}

/** The pictures of an order the viewer may see, oldest first. */
export async function readPictures(
  platform: Platform,
  viewer: Viewer,
  orderId: bigint,
): Promise<z.input<typeof getPictures.output> | Refusal> {
  if (!(await visibleOrder(platform, viewer, orderId))) return refuse('notFound');
  const rows = await platform.db.query<{
    id: bigint;
    source: 'payer' | 'merchant';
    mime: string;
    bytes: Buffer;
    at: Date;
  }>(
    sql`select id, source, mime, bytes, added_at as at from order_pictures where order_id = ${orderId} order by id`,
  );
  return {
    list: rows.map(({ id, source, mime, bytes, at }) => ({
      id: String(id),
      source,
      picture: `data:${mime};base64,${bytes.toString('base64')}`,
      time: formatTime(at),
    })),
  };
}

export { deletePicturesOfArchived } from './picture-store.ts';
