import { attemptsOf, EVENT_OF, type OutcomeListener } from '../callbacks/callback.ts';
import { type OrderEvent, writeEvents } from '../history/events.ts';
import { stillMeaning } from '../callbacks/still-meaning.ts';
import { hot, sql } from '../platform/db/database.ts';
import { lockPayouts } from './store.ts';

/**
 * Writes the outcome of payouts' callbacks into their history. The status stays: it says how the payout ended, not whether it was notified.
 */
export const recordPayoutCallback: OutcomeListener = async (platform, tx, changes, actor) => {
  const ended = changes.filter(({ outcome }) => outcome !== 'failed');
  if (ended.length === 0) return;
  const ids = ended.map(({ callback }) => callback.orderId);
  const statuses = new Map((await lockPayouts(tx, ids)).map(({ id, status }) => [id, status]));
  const meaning = await stillMeaning(tx, ended);
  await writeEvents(
    platform,
    tx,
    meaning.flatMap((change): OrderEvent[] => {
      const { callback, outcome } = change;
      const status = statuses.get(callback.orderId);
      if (status === undefined || outcome === 'failed') return [];
      const data = { callbackId: String(callback.id), attempts: attemptsOf(change) };
      const kind = EVENT_OF[outcome];
      return [{ orderId: callback.orderId, kind, from: status, to: status, actor, data }];
    }),
  );
  const told = meaning.filter(({ outcome }) => outcome === 'succeeded');
  if (told.length > 0)
    tx.send(
      hot(
        'payouts told',
        sql`
      update payout_orders o set told_at = ${platform.clock.now()}, told_attempt = v.attempt
      from unnest(${told.map(({ callback }) => callback.orderId)}::bigint[], ${told.map(attemptsOf)}::int[]) as v (id, attempt)
      where o.id = v.id and o.told_at is null`,
      ),
    );
};
