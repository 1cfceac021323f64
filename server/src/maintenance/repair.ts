import type * as contract from '@sangam/contract/endpoints/maintenance.ts';
import { MONEY_MENDS } from '@sangam/contract/mends.ts';
import { z } from 'zod';
import { mendLoads } from '../accounts/mend-load.ts';
import { approvalHandler } from '../approvals/approval.ts';
import { startApproval } from '../approvals/start.ts';
import { mendCallbackLeases } from '../callbacks/mend-leases.ts';
import { mendHolds } from '../collection/mend-holds.ts';
import { mendWaiting } from '../collection/mend-waiting.ts';
import { mendChainHolds } from '../evidence/trusted-chain/mend-chain-holds.ts';
import { mendClaims } from '../payout/expire-claims.ts';
import { audit } from '../platform/audit/record.ts';
import type { Tx } from '../platform/db/database.ts';
import { mendJobLeases } from '../platform/db/mend-leases.ts';
import type { Mend } from '../platform/mend.ts';
import { rolledBack } from '../platform/db/rolled-back.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';

type Answer = z.input<typeof contract.previewFix.output>;
type What = 'pool' | 'everything';

/** How many rows of a repair one audit row keeps. */
const MOST_AUDITED = 200;

/** Orders first, then deposits, then loads: each step counts from what the step before left. */
async function mend(platform: Platform, tx: Tx, what: What): Promise<Mend[]> {
  const at = platform.clock.now();
  if (what === 'pool') return mendLoads(tx, at);
  return [
    ...(await mendWaiting(platform, tx, at)),
    ...(await mendHolds(platform, tx, false)),
    ...(await mendChainHolds(tx)),
    ...(await mendClaims(platform, tx, at)),
    ...(await mendCallbackLeases(tx, at)),
    ...(await mendJobLeases(tx, at)),
    ...(await mendLoads(tx, at)),
  ];
}

/** What the repair would do. It runs the repair and rolls it back, so the preview cannot differ from the repair. */
export async function previewRepair(platform: Platform, what: What): Promise<Answer> {
  return answerOf(await rolledBack(platform.db, (tx) => mend(platform, tx, what)), null);
}

/** Repairs what moves no money, and asks a second person for the rest. */
export async function repair(
  platform: Platform,
  viewer: Viewer,
  what: What,
  reason: string,
): Promise<Answer | Refusal> {
  return platform.db.tx(async (tx): Promise<Answer | Refusal> => {
    const mends = await mend(platform, tx, what);
    const waiting = mends.filter(({ kind }) => MONEY_MENDS.has(kind));
    const done = mends.filter(({ kind }) => !MONEY_MENDS.has(kind));
    if (done.length > 0) await note(platform, tx, viewer, { what, mends: done, reason });
    if (waiting.length === 0) return answerOf(mends, null);
    const started = await startApproval(platform, tx, viewer, {
      kind: 'heldRelease',
      subjectKind: 'system',
      subjectId: 0n,
      payload: { mends: waiting.map(({ subject, before }) => ({ subject, before })) },
      reason,
      sole: true,
    });
    return isRefusal(started) ? started : answerOf(mends, started.todoId);
  });
}

function note(
  platform: Platform,
  tx: Tx,
  { userId, ip }: Viewer,
  {
    what,
    mends,
    reason,
  }: { readonly what: What | 'holds'; readonly mends: readonly Mend[]; readonly reason: string | null },
): Promise<void> {
  return audit(platform, tx, {
    userId,
    action: 'maintenance.repair',
    subject: 'system',
    after: { what, count: mends.length, mends: mends.slice(0, MOST_AUDITED) },
    reason,
    ip,
  });
}

const answerOf = (mends: readonly Mend[], todoId: bigint | null): Answer => ({
  list: mends.map((each) => ({ ...each, waits: MONEY_MENDS.has(each.kind) })),
  todoId: todoId === null ? null : String(todoId),
});

const mended = z.object({ subject: z.string(), before: z.record(z.string(), z.unknown()) });

/** Returns deposit holds of orders that no longer wait. Anything that differs from the request is not done. */
export const heldReleaseApproval = approvalHandler({
  kind: 'heldRelease',
  payload: z.object({ mends: z.array(mended) }),
  summary: () => ({ amount: null, currency: null }),
  async execute(platform, tx, { payload, reason }, decider) {
    const key = (each: z.output<typeof mended>) => `${each.subject} ${String(each.before['held'])}`;
    const moved = (await mendHolds(platform, tx, true)).filter(({ kind }) => MONEY_MENDS.has(kind));
    if (moved.map(key).join('\n') !== payload.mends.map(key).join('\n')) return refuse('conflict');
    await note(platform, tx, decider, { what: 'holds', mends: moved, reason });
    return { mends: moved.length };
  },
});
