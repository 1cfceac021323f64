import { audit } from '../platform/audit/record.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { Approval } from './approval.ts';
import { expirePending } from './store.ts';

/** Expires the requests that nobody decided in time; answers how many. Safe on any number of nodes at once. */
export function expireApprovals(platform: Platform): Promise<number> {
  return platform.db.tx((tx) => expireOverdue(platform, tx));
}

/** The same within a transaction: for all requests, or for those about one subject. */
export async function expireOverdue(
  platform: Platform,
  tx: Tx,
  of?: Pick<Approval, 'kind' | 'subjectKind' | 'subjectId'>,
): Promise<number> {
  const expired = await expirePending(tx, platform.clock.now(), of);
  for (const { id, kind } of expired) {
    await audit(platform, tx, {
      userId: null,
      action: 'approval.expire',
      subject: `approval:${id}`,
      after: { kind },
      ip: null,
    });
  }
  return expired.length;
}
