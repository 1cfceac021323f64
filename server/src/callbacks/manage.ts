import type { Role } from '@sangam/contract/roles.ts';
import { audit } from '../platform/audit/record.ts';
import type { Tx } from '../platform/db/database.ts';
import { actorOf } from '../history/events.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { OutcomeListener } from './callback.ts';
import { retryNow, readCallback, revive, type StoredCallback, withdraw } from './store.ts';

type Command = (tx: Tx, callback: StoredCallback) => Promise<Refusal | undefined>;

/**
 * Sends a callback now. A waiting one becomes due. One that was given up or withdrawn is put back on the queue with its whole
 * schedule, and its order is 'callback under way' again; refused (409) when a later callback of the same order was sent or
 * waits. An acknowledged one is sent again from its order (1201).
 */
export function resendCallback(
  platform: Platform,
  viewer: Viewer,
  id: bigint,
  onOutcomes: OutcomeListener,
): Promise<Refusal | undefined> {
  return act(platform, viewer, id, 'callback.resend', ['superAdmin', 'merchant'], async (tx, callback) => {
    const now = platform.clock.now();
    if (callback.state === 1) return refuse('actionNotAllowed');
    // A merchant cannot resend what an operator has taken off the queue.
    if (callback.state === 3 && viewer.role !== 'superAdmin') return refuse('actionNotAllowed');
    if (callback.state === 0) return (await retryNow(tx, id, now)) ? undefined : refuse('conflict');
    // The order is locked before its callbacks, as in every command.
    await onOutcomes(platform, tx, [{ callback, outcome: 'revived' }], actorOf(viewer));
    return (await revive(tx, callback, now)) ? undefined : refuse('conflict');
  });
}

/**
 * Takes a callback off the queue: it is not sent any more, and its paid order becomes 'callback failed'. Refused while it is
 * being sent (409) and after it was acknowledged (1201). Nothing is erased.
 */
export function deleteCallback(
  platform: Platform,
  viewer: Viewer,
  id: bigint,
  onOutcomes: OutcomeListener,
): Promise<Refusal | undefined> {
  return act(platform, viewer, id, 'callback.delete', ['superAdmin'], async (tx, callback) => {
    if (callback.state === 1 || callback.state === 3) return refuse('actionNotAllowed');
    if (callback.state === 0)
      await onOutcomes(platform, tx, [{ callback, outcome: 'withdrawn' }], actorOf(viewer));
    return (await withdraw(tx, callback, platform.clock.now())) ? undefined : refuse('conflict');
  });
}

function act(
  platform: Platform,
  viewer: Viewer,
  id: bigint,
  action: string,
  roles: readonly Role[],
  command: Command,
): Promise<Refusal | undefined> {
  return platform.db.tx(async (tx) => {
    if (!roles.includes(viewer.role)) return refuse('forbidden');
    const callback = await readCallback(tx, viewer, id);
    if (!callback) return refuse('notFound');
    const refusal = await command(tx, callback);
    if (isRefusal(refusal)) return refusal;
    await audit(platform, tx, {
      userId: viewer.userId,
      action,
      subject: `callback:${id}`,
      before: { state: callback.state, attempts: callback.attempts, orderCode: String(callback.orderId) },
      ip: viewer.ip,
    });
    return undefined;
  });
}
