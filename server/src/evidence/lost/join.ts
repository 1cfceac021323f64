import type { CollectionOrder } from '../../collection/order.ts';
import { sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { refuse, type Refusal, wrongInput } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { supplement } from '../matching/supplement.ts';

/**
 * Completes an order with a stored credit of its account: a supplement that names the message. The UTR is the message's; if the message
 * states none, the caller must give one (400). 404: no such message. 409: the two UTRs differ, or the credit is not open any more or lies
 * on another account. All other refusals are those of a supplement.
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
