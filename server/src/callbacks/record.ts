import { SYSTEM } from '../history/events.ts';
import { timed } from '../platform/stage-times.ts';
import type { Platform } from '../platform/platform.ts';
import type { CallbackOutcome, ClaimedCallback, MadeAttempt, OutcomeListener } from './callback.ts';
import { waitAfter } from './schedule.ts';
import type { Sender } from './send.ts';
import { recordAttempts } from './store.ts';

/** Sends one leased callback. Never throws: a failure is an answer to be recorded, too. */
export async function makeAttempt(
  platform: Platform,
  sender: Sender,
  callback: ClaimedCallback,
  secret: string,
): Promise<MadeAttempt> {
  const attempt = await timed(platform, 'callback', () =>
    sender.send({ ...callback, signType: callback.merchant.signType, secret }, platform.clock.now()),
  );
  const at = platform.clock.now();
  const wait = waitAfter(callback.attempts + 1 - callback.attemptsBefore, callback.merchant.waits);
  const outcome = attempt.acknowledged ? 'succeeded' : wait === undefined ? 'exhausted' : 'failed';
  return { callback, attempt, at, outcome, nextAt: new Date(at.getTime() + (wait ?? 0)) };
}

/** Records attempts and their consequences for the orders, in one transaction. */
export async function recordMade(
  platform: Platform,
  made: readonly MadeAttempt[],
  onOutcomes: OutcomeListener,
): Promise<void> {
  const ended = made.filter(({ outcome }) => outcome !== 'failed');
  const { SysFlag } = await platform.settings.all();
  await platform.db.tx(async (tx) => {
    if (ended.length > 0) await onOutcomes(platform, tx, ended, SYSTEM);
    recordAttempts(platform, tx, made, SysFlag);
  });
}

/** Sends one leased callback and records the attempt. */
export async function deliver(
  platform: Platform,
  sender: Sender,
  callback: ClaimedCallback,
  onOutcomes: OutcomeListener,
): Promise<CallbackOutcome> {
  const made = await makeAttempt(
    platform,
    sender,
    callback,
    platform.vault.open(callback.merchant.secret, ['merchants.secret', callback.merchantId]),
  );
  await recordMade(platform, [made], onOutcomes);
  return made.outcome;
}
