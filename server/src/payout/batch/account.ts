import { type Queryable, sql } from '../../platform/db/database.ts';
import type { PayingAccount } from './templates/render.ts';

/** The account as its file names it. */
export async function payingAccount(db: Queryable, accountId: bigint): Promise<PayingAccount> {
  const [account] = await db.query<PayingAccount>(sql`
    select account_number as "accountNumber", ifsc, owner_name as "ownerName", currency from accounts where id = ${accountId}`);
  return account!;
}
