import { type Queryable, sql } from '../../platform/db/database.ts';
import type { PayingAccount } from './templates/render.ts';

/** What a batch's file says of the paying account. */
export async function payingAccount(db: Queryable, accountId: bigint): Promise<PayingAccount> {
  const [account] = await db.query<PayingAccount>(sql`
    select account_number as "accountNumber", ifsc, owner_name as "ownerName", currency from accounts where id = ${accountId}`);
  return account!;
}

/** Whether the account or its supplier is frozen: nothing may be paid from it. */
export async function isPayerFrozen(db: Queryable, accountId: bigint): Promise<boolean> {
  const [payer] = await db.query<{ frozen: boolean }>(sql`
    select a.frozen or s.frozen as frozen from accounts a join suppliers s on s.id = a.supplier_id where a.id = ${accountId}`);
  return payer!.frozen;
}
