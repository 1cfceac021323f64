import { type Tx, sql } from '../platform/db/database.ts';
import type { CallbackChange, CallbackOutcome } from './callback.ts';

/**
 * `changes` without those that have no effect any more, because one callback was sent twice: it was acknowledged before, or its
 * retries were used up after it had left the queue. Call it once the orders are locked.
 */
export async function stillMeaning<Change extends CallbackChange>(
  tx: Tx,
  changes: readonly Change[],
): Promise<Change[]> {
  const of = (outcome: CallbackOutcome) =>
    changes.filter((change) => change.outcome === outcome).map(({ callback }) => callback.id);
  const overtaken = await tx.query<{ id: bigint }>(sql`
    select c.id from callbacks c where not exists (select from callback_queue q where q.callback_id = c.id)
      and (c.id = any(${of('succeeded')}) and c.given_up is null or c.id = any(${of('exhausted')}))`);
  const ended = new Set(overtaken.map(({ id }) => id));
  return changes.filter(({ callback, outcome }) => {
    if (ended.has(callback.id)) return false;
    if (outcome === 'succeeded') ended.add(callback.id);
    return true;
  });
}
