import type { Role } from '@sangam/contract/roles.ts';
import { audit } from '../platform/audit/record.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, wrongInput } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { findRecipients, insertMessages } from './store.ts';

/** Sends a letter to users. The writer gets no copy, whatever roles the letter names. The audit keeps the recipients and not the text. */
export function sendLetter(
  platform: Platform,
  viewer: Viewer,
  letter: { readonly userIds: readonly bigint[]; readonly roles: readonly Role[]; readonly content: string },
): Promise<{ readonly recipients: number } | Refusal> {
  return platform.db.tx(async (tx) => {
    const found = await findRecipients(tx, letter.userIds, letter.roles);
    const recipients = found.filter((id) => id !== viewer.userId);
    if (recipients.length === 0) return wrongInput('userIds', 'roles');
    const data = { content: letter.content };
    await insertMessages(platform, tx, recipients, { senderId: viewer.userId, kind: 'letter', data });
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'message.send',
      subject: `users:${recipients.length}`,
      after: { userIds: letter.userIds.map(String), roles: letter.roles },
      ip: viewer.ip,
    });
    return { recipients: recipients.length };
  });
}
