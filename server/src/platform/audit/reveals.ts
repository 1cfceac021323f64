import { REVEALS_A_DAY } from '@sangam/contract/personal-data.ts';
import { DAY } from '../clock.ts';
import { type Sql, sql, type Tx } from '../db/database.ts';
import { firstIdAt } from '../db/ids.ts';
import type { Platform } from '../platform.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { Viewer } from '../viewer.ts';
import { audit } from './record.ts';

/** SQL: the audit rows of values that users revealed in the last 24 hours. The index audit_log_reveals has the same two actions. */
export const revealsOfTheDay = (platform: Platform): Sql =>
  sql`action in ('account.reveal', 'order.reveal') and id >= ${firstIdAt(new Date(platform.clock.now().getTime() - DAY))}`;

/**
 * Writes to the audit that a user is about to see a masked value. 429 when the user has seen REVEALS_A_DAY values in 24 hours: whoever may
 * see one for a reason may not read them all, one by one.
 */
export async function recordReveal(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  shown: {
    readonly action: 'account.reveal' | 'order.reveal';
    readonly subject: string;
    readonly field: string;
    readonly reason: string;
  },
): Promise<Refusal | undefined> {
  const { action, subject, field, reason } = shown;
  // One call of a user at a time, so that calls at the same moment do not pass the limit together.
  await tx.query(sql`select pg_advisory_xact_lock(hashtext('reveal'), hashint8(${viewer.userId}))`);
  const [before] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from audit_log where user_id = ${viewer.userId} and ${revealsOfTheDay(platform)}`);
  if (before!.count >= REVEALS_A_DAY) return refuse('tooMany', {}, { reason: 'revealsSpent' });
  await audit(platform, tx, {
    userId: viewer.userId,
    action,
    subject,
    after: { field },
    reason,
    ip: viewer.ip,
  });
  return undefined;
}
