import type { NotificationData, NotificationKind } from '@sangam/contract/notifications.ts';
import type { Role } from '@sangam/contract/roles.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { findRecipients, insertMessages } from './store.ts';

/**
 * The system tells people something: users by id, everybody of some roles, or both. Written in the transaction of what
 * happened, so nobody hears of what was rolled back; worded for each reader when it is read. Consoles that are open show
 * it within a second.
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
