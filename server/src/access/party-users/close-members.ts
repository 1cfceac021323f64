import type { Tx } from '../../platform/db/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { lockUser } from '../admin-store.ts';
import { closeUser } from '../close-user.ts';
import { membersBeside } from './store.ts';

/** Ends the further users of the party that was made with a user, as that user is ended. */
export async function closeMembers(tx: Tx, viewer: Viewer, userId: bigint, now: Date): Promise<void> {
  for (const id of await membersBeside(tx, userId)) {
    const user = await lockUser(tx, id);
    if (user) await closeUser(tx, viewer, user, now);
  }
}
