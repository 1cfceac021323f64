import type { PartyRole } from '@sangam/contract/party-roles.ts';
import { type Queryable, type Sql, type Tx, sql } from '../../platform/db/database.ts';
import type { Viewer } from '../../platform/viewer.ts';

/** The merchant that a user belongs to. */
export async function merchantOf(db: Queryable, userId: bigint): Promise<bigint | null> {
  const [row] = await db.query<{ id: bigint }>(sql`
    select id from merchants where user_id = ${userId}
    union all select merchant_id from party_members where user_id = ${userId} and merchant_id is not null`);
  return row?.id ?? null;
}

/** Members of the viewer's party. */
const ofParty = ({ merchantId, supplierId }: Viewer): Sql =>
  sql`(pm.merchant_id = ${merchantId} or pm.supplier_id = ${supplierId})`;

/** Locks the party, so that nobody else adds a user to it until the transaction ends. Answers how many further users it has. */
export async function lockMembers(tx: Tx, viewer: Viewer): Promise<number> {
  const { merchantId, supplierId } = viewer;
  await tx.query(
    merchantId === null
      ? sql`select from suppliers where id = ${supplierId} for no key update`
      : sql`select from merchants where id = ${merchantId} for no key update`,
  );
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from party_members pm join users u on u.id = pm.user_id and u.deleted_at is null
    where ${ofParty(viewer)}`);
  return row!.count;
}

export async function insertMember(
  tx: Tx,
  { merchantId, supplierId }: Viewer,
  userId: bigint,
  partyRole: PartyRole,
  now: Date,
): Promise<void> {
  await tx.query(sql`
    insert into party_members (user_id, role, merchant_id, supplier_id, party_role, created_at)
    values (${userId}, ${merchantId === null ? 'supplier' : 'merchant'}, ${merchantId}, ${supplierId}, ${partyRole}, ${now})`);
}

/** Locks a further user of the viewer's party; answers its role there. Undefined for any other user. */
export async function lockMember(tx: Tx, viewer: Viewer, userId: bigint): Promise<PartyRole | undefined> {
  const [row] = await tx.query<{ partyRole: PartyRole }>(sql`
    select pm.party_role as "partyRole" from party_members pm join users u on u.id = pm.user_id and u.deleted_at is null
    where pm.user_id = ${userId} and ${ofParty(viewer)} for update of pm`);
  return row?.partyRole;
}

/** False where the user has another role by now. */
export async function writePartyRole(
  tx: Tx,
  userId: bigint,
  from: PartyRole,
  to: PartyRole,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update party_members set party_role = ${to} where user_id = ${userId} and party_role = ${from} returning user_id`);
  return rows.length === 1;
}

/** Further users, not deleted, of the party that was made with this user. */
export async function membersBeside(tx: Tx, userId: bigint): Promise<bigint[]> {
  const rows = await tx.query<{ userId: bigint }>(sql`
    select pm.user_id as "userId" from party_members pm join users u on u.id = pm.user_id and u.deleted_at is null
      left join merchants m on m.id = pm.merchant_id left join suppliers s on s.id = pm.supplier_id
    where ${userId} in (m.user_id, s.user_id) order by pm.user_id`);
  return rows.map((row) => row.userId);
}

interface ListedUser {
  readonly id: bigint;
  readonly account: string;
  readonly nickname: string;
  readonly partyRole: PartyRole;
  readonly isFirst: boolean;
  readonly hasPassword: boolean;
  readonly waits: boolean;
  readonly createdAt: Date;
  readonly lastSignInAt: Date | null;
}

/** The users of the viewer's party that are not deleted, the one it was made with first. */
export function listPartyUsers(db: Queryable, viewer: Viewer, now: Date): Promise<ListedUser[]> {
  const { merchantId, supplierId } = viewer;
  return db.query<ListedUser>(sql`
    select u.id, u.account, u.nickname, coalesce(pm.party_role, 'owner') as "partyRole", pm.user_id is null as "isFirst",
      u.password_hash is not null as "hasPassword", u.created_at as "createdAt", u.last_sign_in_at as "lastSignInAt",
      exists (select from approvals a where a.kind = 'userAccess' and a.subject_kind = 'user' and a.subject_id = u.id
        and a.status = 'pending' and a.expires_at > ${now}) as waits
    from users u left join party_members pm on pm.user_id = u.id
    where u.deleted_at is null and (${ofParty(viewer)}
      or u.id = (select user_id from merchants where id = ${merchantId})
      or u.id = (select user_id from suppliers where id = ${supplierId}))
    order by pm.user_id is not null, u.id`);
}
