import type { Role } from '@sangam/contract/roles.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { createNodeState } from '../platform/node-state.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';

/** A platform whose commands run in the seed's transaction, at a moment in the past. */
export function platformAt(platform: Platform, tx: Tx, now: Date): Platform {
  const within: Pick<Database, 'query' | 'tx'> = {
    query: (statement) => tx.query(statement),
    tx: (work) => work(tx),
  };
  return {
    ...platform,
    state: createNodeState(),
    db: { ...platform.db, ...within, calls: within, evidence: within },
    clock: { now: () => now },
    ids: { next: (moment) => platform.ids.next(moment ?? now) },
  };
}

/** Like `platformAt`, for commands that start timers to refresh what they keep. The timers stop with the work, as the transaction does. */
export async function doneAt<Done>(
  platform: Platform,
  tx: Tx,
  now: Date,
  work: (past: Platform) => Promise<Done>,
): Promise<Done> {
  const past = platformAt(platform, tx, now);
  try {
    return await work(past);
  } finally {
    past.state.stop();
  }
}

/** One of the demo's people, as if signed in. */
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

/** Takes the answer of a command that the demo's people may give. Throws when the command was refused. */
export function must<Answer extends object>(answer: Answer | Refusal): Exclude<Answer, Refusal> {
  if (isRefusal(answer)) throw new Error(`a command of the demo's people was refused: ${answer.code}`);
  return answer as Exclude<Answer, Refusal>;
}
