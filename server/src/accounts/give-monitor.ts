import { type Tx, sql } from '../platform/db/database.ts';

/** Gives this monitor to an account that has none. */
export async function giveMonitor(tx: Tx, accountId: bigint, monitorId: bigint): Promise<void> {
  await tx.query(
    sql`update accounts set monitor_id = ${monitorId} where id = ${accountId} and monitor_id is null`,
  );
}
