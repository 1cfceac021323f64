import { type Tx, sql } from '../../platform/db/database.ts';

/** The merchant of a user that goes: its API closes, nothing of it is lost. */
export async function switchOffMerchantOf(tx: Tx, userId: bigint): Promise<void> {
  await tx.query(sql`update merchants set enabled = false where user_id = ${userId}`);
}
