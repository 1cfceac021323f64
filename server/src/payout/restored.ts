import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { SYSTEM } from '../history/events.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { freezeContradicted } from './contradicted.ts';
import { lockPayouts } from './store.ts';
import { transition } from './transition.ts';

const AT_ONCE = 500;

/**
 * Freezes every open payout of a database that was restored as it stood at `restoredTo`: any of them may have been paid since. One that
 * waits becomes a processing error. From there people decide that it was paid, that it is refunded, or that it waits again. Returns how
 * many there are.
 */
export async function freezeOpenPayouts(platform: Platform, tx: Tx, restoredTo: Date): Promise<number> {
  const { waiting, processingError } = PAYOUT_STATUS;
  const open = await tx.query<{ id: bigint }>(
    sql`select id from payout_orders where finished_at is null order by id`,
  );
  for (let from = 0; from < open.length; from += AT_ONCE) {
    const ids = open.slice(from, from + AT_ONCE).map(({ id }) => id);
    const orders = await lockPayouts(tx, ids);
    await transition(
      platform,
      tx,
      orders.map(({ id, status }) => ({
        orderId: id,
        kind: 'databaseRestored',
        from: status,
        to: status === waiting ? processingError : status,
        actor: SYSTEM,
        data: { restoredTo },
      })),
    );
    await freezeContradicted(platform, tx, ids);
  }
  return open.length;
}

/** More batches than anybody made since. */
const BATCHES = 10_000;

/** Leaves out the numbers of batches that may have been used since: a bank knows its rows by them. */
export async function skipBatchNumbers(tx: Tx): Promise<void> {
  await tx.query(sql`
    select max(nextval(pg_get_serial_sequence('payout_batches', 'id'))) from generate_series(1, ${BATCHES})`);
}
