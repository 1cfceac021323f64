import type { CollectionOrder } from '../../collection/order.ts';
import { sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { refuse, type Refusal, wrongInput } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { supplement } from '../matching/supplement.ts';

/**
 * Completes an order with a stored credit of its account: a supplement that names the bank's message. The UTR is the
 * message's; where it states none, the caller's (400 without). 409 where the two differ, the credit has found another
 * order meanwhile, or is another account's; the rest is refused as a supplement is.
 */
export async function joinLostMoney(
  platform: Platform,
  viewer: Viewer,
  input: { readonly orderId: bigint; readonly messageId: bigint; readonly utr: string | undefined },
): Promise<CollectionOrder | Refusal> {
  const { orderId, messageId } = input;
  const [message] = await platform.db.query<{ utr: string | null }>(
    sql`select utr from messages where id = ${messageId}`,
  );
  if (!message) return refuse('notFound');
  const utr = input.utr ?? message.utr;
  if (utr === null) return wrongInput('utr');
  return supplement(platform, viewer, { orderId, messageId, utr, offset: false });
}
