import type { Role } from '@sangam/contract/roles.ts';
import type { Tx } from '../platform/db/database.ts';
import { createNodeState } from '../platform/node-state.ts';
import type { Platform } from '../platform/platform.ts';
import type { Viewer } from '../platform/viewer.ts';

/** Does with the platform, within the seed's transaction, what somebody did with it at a moment of the past. */
export async function doneAt<Done>(
  platform: Platform,
  tx: Tx,
  at: Date,
  work: (past: Platform) => Promise<Done>,
): Promise<Done> {
  const state = createNodeState();
  const past: Platform = {
    ...platform,
    state,
    db: { ...platform.db, query: (statement) => tx.query(statement), tx: (inner) => inner(tx) },
    clock: { now: () => at },
    ids: { next: (moment) => platform.ids.next(moment ?? at) },
  };
  try {
    return await work(past);
  } finally {
    // What it keeps up to date by itself would ask a transaction that has ended.
    state.stop();
  }
}

/** One of the cast, at a desk of the office. */
export function personOf(userIds: ReadonlyMap<string, bigint>, account: string, role: Role): Viewer {
  return {
    userId: userIds.get(account)!,
    account,
    role,
    sessionId: 0n,
    merchantId: null,
    supplierId: null,
    ip: '203.0.113.9',
    locale: 'en-US',
  };
}
