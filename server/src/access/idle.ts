import { STAFF, ROLES, type Role } from '@sangam/contract/roles.ts';
import { audit } from '../platform/audit/record.ts';
import { HOUR } from '../platform/clock.ts';
import type { Platform } from '../platform/platform.ts';
import { endIdle } from './session-store.ts';

/** Staff walk away from a desk that shows everybody's money. Suppliers and merchants see their own, and leave the order sound on. */
const STAFF_IDLE = HOUR;
const PARTY_IDLE = 12 * HOUR;

/** Milliseconds a session of the role stays open with nobody at it. */
export function idleLimit(role: Role): number {
  return STAFF.includes(role) ? STAFF_IDLE : PARTY_IDLE;
}

/** Ends the sessions that nobody uses; each end is audited and told to its consoles, which show the sign-in page. */
export async function endIdleSessions(platform: Platform): Promise<number> {
  return platform.db.tx(async (tx) => {
    const now = platform.clock.now();
    let ended = 0;
    for (const limit of [STAFF_IDLE, PARTY_IDLE]) {
      const roles = ROLES.filter((role) => idleLimit(role) === limit);
      const since = new Date(now.getTime() - limit);
      for (const { id, userId, ip } of await endIdle(tx, now, roles, since)) {
        await audit(platform, tx, { userId, action: 'user.idle', subject: `session:${id}`, ip });
        ended += 1;
      }
    }
    return ended;
  });
}
