import type { Tx } from '../../platform/db/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { lockUser } from '../admin-store.ts';
import { closeUser } from '../close-user.ts';
import { membersBeside } from './store.ts';

/** Deletes the further users of a party together with the user that the party was made with. */
export async function closeMembers(tx: Tx, viewer: Viewer, userId: bigint, now: Date): Promise<void> {
  for (const id of await membersBeside(tx, userId)) {
    const user = await lockUser(tx, id);
    if (user) await closeUser(tx, viewer, user, now);
  }
}
