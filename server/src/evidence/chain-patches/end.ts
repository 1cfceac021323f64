import { audit } from '../../platform/audit/record.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import { emptyGap, holdChain } from '../trusted-chain/fill-gap.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { endPatches, lockPatch, markReopened } from './store.ts';

/**
 * Withdraws a live patch, so that its gap opens again, or drops a proposal. Orders that the patch completed stay completed; only a reversal
 * takes one back. 409 if the patch has ended already.
 */
export function endPatch(
  platform: Platform,
  viewer: Viewer,
  input: { readonly id: bigint; readonly reason: string },
): Promise<{ id: bigint; state: 'withdrawn' | 'dropped' } | Refusal> {
  const at = platform.clock.now();
  return platform.db.tx(async (tx) => {
    const seen = await lockPatch(tx, input.id);
    if (!seen) return refuse('notFound');
    if (seen.state !== 'live' && seen.state !== 'proposed') return refuse('conflict');
    const state = seen.state === 'live' ? 'withdrawn' : 'dropped';
    if (state === 'withdrawn') {
      await holdChain(platform, tx, seen.accountId);
      // The old gap ends first, because the gap that opens in its place has the same two ends.
      await markReopened(tx, seen.gapId);
      const emptied = await emptyGap(platform, tx, seen.accountId, seen.fromMinute, seen.id);
      if (isRefusal(emptied)) return emptied;
    }
    await endPatches(tx, [seen.id], { state, by: viewer.userId, reason: input.reason }, at);
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'chain.endPatch',
      subject: `account:${seen.accountId}`,
      before: { patch: String(seen.id), state: seen.state },
      after: { state },
      reason: input.reason,
      ip: viewer.ip,
    });
    return { id: seen.id, state };
  });
}
