import type { Tx } from '../platform/db/database.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';

export type ControlChange = 'created' | 'link' | 'role' | 'unbound' | 'googleOff' | 'revived';

/**
 * Records that user `by` could now act as user `userId`: it had the link that sets the other's passwords, gave it its role, or
 * made or reset it in another way. For a time the two may not be starter and decider of one request. Changes of one's own user
 * do not count.
 */
export async function noteControlChange(
  platform: Platform,
  tx: Tx,
  { userId, by, change }: { readonly userId: bigint; readonly by: bigint; readonly change: ControlChange },
): Promise<void> {
  if (userId === by) return;
  await tx.query(sql`
    insert into user_control_changes (id, user_id, changed_by, change, created_at)
    values (${platform.ids.next()}, ${userId}, ${by}, ${change}, ${platform.clock.now()})`);
}
