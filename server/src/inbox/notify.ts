import type { NotificationData, NotificationKind } from '@sangam/contract/notifications.ts';
import type { Role } from '@sangam/contract/roles.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { findRecipients, insertMessages } from './store.ts';

/**
 * Sends a system notification to users by id, to all users of some roles, or to both. It is written in the transaction of the event, so a
 * rollback also removes it. Each reader gets it in their own language; open consoles show it within a second.
 *
 *     await notify(platform, tx, { userIds: [viewer.userId] }, 'workDone', { work, done, refused });
 */
export async function notify<Kind extends NotificationKind>(
  platform: Platform,
  tx: Tx,
  to: { readonly userIds?: readonly bigint[]; readonly roles?: readonly Role[] },
  kind: Kind,
  data: NotificationData[Kind],
): Promise<void> {
  const recipients = await findRecipients(tx, to.userIds ?? [], to.roles ?? []);
  await insertMessages(platform, tx, recipients, { senderId: null, kind, data });
}
