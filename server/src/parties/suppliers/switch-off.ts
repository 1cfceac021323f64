import { type Tx, sql } from '../../platform/db/database.ts';

/** The supplier of a user that goes: its accounts get no new orders, nothing of it is lost. */
export async function switchOffSupplierOf(tx: Tx, userId: bigint): Promise<void> {
  await tx.query(sql`update suppliers set enabled = false where user_id = ${userId}`);
}
