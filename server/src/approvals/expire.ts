import { audit } from '../platform/audit/record.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { Approval } from './approval.ts';
import { expireEvery, expirePending } from './store.ts';

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
  return record(platform, tx, await expirePending(tx, platform.clock.now(), of), null);
}

/** Expires every request that waits, whenever it was made; answers how many. */
export async function expireAll(platform: Platform, tx: Tx, reason: string): Promise<number> {
  return record(platform, tx, await expireEvery(tx, platform.clock.now(), reason), reason);
}

async function record(
  platform: Platform,
  tx: Tx,
  expired: readonly Pick<Approval, 'id' | 'kind'>[],
  reason: string | null,
): Promise<number> {
  for (const { id, kind } of expired) {
    await audit(platform, tx, {
      userId: null,
      action: 'approval.expire',
      subject: `approval:${id}`,
      after: { kind },
      reason,
      ip: null,
    });
  }
  return expired.length;
}
