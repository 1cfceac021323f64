import { type Tx, sql } from '../../platform/db/database.ts';

/** Switches off the merchant of a deleted user: its API closes, its data stays. */
export async function switchOffMerchantOf(tx: Tx, userId: bigint): Promise<void> {
  await tx.query(sql`update merchants set enabled = false where user_id = ${userId}`);
}
