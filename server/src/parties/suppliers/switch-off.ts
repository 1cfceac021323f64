import { type Tx, sql } from '../../platform/db/database.ts';

/** Switches off the supplier of a deleted user: its accounts get no new orders, its data stays. */
export async function switchOffSupplierOf(tx: Tx, userId: bigint): Promise<void> {
  await tx.query(sql`update suppliers set enabled = false where user_id = ${userId}`);
}
