import { type PartyDuty, holdersOf } from '@sangam/contract/party-roles.ts';
import { type Queryable, sql } from '../platform/db/database.ts';

/** A merchant or a supplier. The other field is null. */
export interface Party {
  readonly merchantId: bigint | null;
  readonly supplierId: bigint | null;
}

/** The users to notify about a party: the user created with it, and its further users who have the duty. */
export async function usersToTell(
  db: Queryable,
  { merchantId, supplierId }: Party,
  duty: PartyDuty,
): Promise<bigint[]> {
  const rows = await db.query<{ userId: bigint }>(sql`
    select user_id as "userId" from merchants where id = ${merchantId}
    union select user_id from suppliers where id = ${supplierId}
    union select user_id from party_members
      where (merchant_id = ${merchantId} or supplier_id = ${supplierId}) and party_role = any(${holdersOf(duty)})`);
  return rows.map(({ userId }) => userId);
}
