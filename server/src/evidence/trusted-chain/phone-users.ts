import { type Tx, sql } from '../../platform/db/database.ts';

/** Users who could have forged what an account's phone reports: the users of the supplier that holds its monitor. */
export async function phoneUsers(tx: Tx, accountId: bigint): Promise<readonly bigint[]> {
  const rows = await tx.query<{ userId: bigint }>(sql`
    with holder as (
      select m.supplier_id from accounts a join monitors m on m.id = a.monitor_id where a.id = ${accountId})
    select s.user_id as "userId" from holder h join suppliers s on s.id = h.supplier_id
    union select p.user_id from holder h join party_members p on p.supplier_id = h.supplier_id`);
  return rows.map(({ userId }) => userId);
}
