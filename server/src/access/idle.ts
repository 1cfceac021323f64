import { STAFF, ROLES, type Role } from '@sangam/contract/roles.ts';
import { audit } from '../platform/audit/record.ts';
import { HOUR } from '../platform/clock.ts';
import type { Platform } from '../platform/platform.ts';
import { endIdle } from './session-store.ts';

/**
 * Staff may leave a desk that shows everybody's money. Suppliers and merchants see only their own, and keep the console open
 * for its order sound.
 */
const STAFF_IDLE = HOUR;
const PARTY_IDLE = 12 * HOUR;

/** How long a session of the role stays open without a person using it, in milliseconds. */
export function idleLimit(role: Role): number {
  return STAFF.includes(role) ? STAFF_IDLE : PARTY_IDLE;
}

/** Ends sessions that nobody uses. Each end is audited and sent to its consoles, which then show the sign-in page. */
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
