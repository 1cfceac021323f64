import { ADMINS } from '@sangam/contract/roles.ts';
import { closeAlert, raiseAlert } from '../alerts/raise.ts';
import { notify } from '../inbox/notify.ts';
import { type ClockState, type DatabaseClock, SECOND } from '../platform/clock.ts';
import type { Platform } from '../platform/platform.ts';

/**
 * Reports when the machine's clock leaves the database's clock and when it is right again: a log line, a notification to admins, and an
 * alert while it lasts. Call the returned function after each comparison of the clocks.
 */
export function createClockWatch(platform: Platform, node: string, clock: DatabaseClock): () => void {
  const { log } = platform;
  let reported: ClockState = 'right';
  // One after the other, because an alert must not be closed before it is raised.
  let told: Promise<void> = Promise.resolve();
  const tell = (work: () => Promise<void>) => {
    told = told
      .then(work)
      .catch((error: unknown) => log.error({ err: error }, 'nobody was told of the clock'));
  };
  return () => {
    const { state, offset } = clock;
    if (state === reported) return;
    reported = state;
    // Positive when the machine is ahead.
    const aheadMs = -offset;
    if (state === 'right') {
      log.warn({ aheadMs }, 'the clock of this machine is right again');
      tell(() => closeAlert(platform, 'clockSkew', node));
      return;
    }
    if (state === 'off') log.warn({ aheadMs }, "the clock of this machine is not the database's");
    else
      log.error(
        { aheadMs },
        'the clock of this machine is wrong: this node decides nothing by itself (expiry, claims, settlement)',
      );
    const seconds = Math.round(aheadMs / SECOND);
    tell(async () => {
      await platform.db.tx((tx) => notify(platform, tx, { roles: ADMINS }, 'clockOff', { node, seconds }));
      await raiseAlert(platform, { kind: 'clockSkew', subject: node, data: { node, seconds } });
    });
  };
}
