import { ADMINS } from '@sangam/contract/roles.ts';
import { notify } from '../inbox/notify.ts';
import { type ClockState, type DatabaseClock, SECOND } from '../platform/clock.ts';
import type { Platform } from '../platform/platform.ts';

/**
 * Says when the machine's clock leaves the database's and when it is back: a log line, and to admins a notification.
 * To be called after each comparison of the two.
 */
export function createClockWatch(platform: Platform, node: string, clock: DatabaseClock): () => void {
  const { log } = platform;
  let reported: ClockState = 'right';
  return () => {
    const { state, offset } = clock;
    if (state === reported) return;
    reported = state;
    // Positive: the machine is ahead.
    const aheadMs = -offset;
    if (state === 'right') {
      log.warn({ aheadMs }, 'the clock of this machine is right again');
      return;
    }
    if (state === 'off') log.warn({ aheadMs }, "the clock of this machine is not the database's");
    else
      log.error(
        { aheadMs },
        'the clock of this machine is wrong: this node decides nothing by itself (expiry, claims, settlement)',
      );
    const seconds = Math.round(aheadMs / SECOND);
    platform.db
      .tx((tx) => notify(platform, tx, { roles: ADMINS }, 'clockOff', { node, seconds }))
      .catch((error: unknown) => log.error({ err: error }, 'admins were not notified of the clock'));
  };
}
