import type { Tx } from '../platform/db/database.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';

export type ControlChange = 'created' | 'link' | 'role' | 'unbound' | 'googleOff' | 'revived';

/**
 * Notes that one user could now act as another: it had the link that sets the other's passwords in hand, or gave it its role. For a time the two may not be
 * starter and decider of one request. What a user changes of its own is no such change.
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
