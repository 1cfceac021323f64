import { audit } from '../platform/audit/record.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { endAllLinks } from './password-links.ts';
import { endOpenSessions } from './session-store.ts';

/** No session has this id: with it as the exception, all sessions end. */
const NO_SESSION = 0n;

/** Ends all sessions and all links that set passwords; answers how many sessions. */
export async function signEverybodyOut(platform: Platform, tx: Tx, reason: string): Promise<number> {
  const now = platform.clock.now();
  const ended = await endOpenSessions(tx, now, { userId: undefined, except: NO_SESSION });
  await endAllLinks(tx, now);
  await audit(platform, tx, {
    userId: null,
    action: 'user.endSessions',
    subject: 'user:all',
    after: { sessions: ended.map(({ id }) => String(id)) },
    reason,
    ip: null,
  });
  return ended.length;
}
