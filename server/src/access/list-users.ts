import type { z } from 'zod';
import type * as contract from '@sangam/contract/endpoints/admin.ts';
import type { PartyRole } from '@sangam/contract/party-roles.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { type Sql, empty, sql } from '../platform/db/database.ts';
import { readPage } from '../platform/db/page.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, isRefusal } from '../platform/refusal.ts';
import { type Viewer, isStaff, teamOf } from '../platform/viewer.ts';
import { mayManage } from './manage-user.ts';

interface Row {
  readonly id: bigint;
  readonly account: string;
  readonly nickname: string;
  readonly role: Role;
  readonly enableGoogleVerify: boolean;
  readonly confirmBind: boolean;
  readonly hasPayPassword: boolean;
  readonly allowModify: boolean;
  readonly merchantId: bigint | null;
  readonly supplierId: bigint | null;
  readonly partyRole: PartyRole | null;
  readonly createdAt: Date;
  readonly deletedAt: Date | null;
}

/** Users, newest first; `account` finds by part of the account or nickname. */
export async function listUsers(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.getUserList.input>,
): Promise<z.input<typeof contract.getUserList.output> | Refusal> {
  const account = input.account?.toLowerCase();
  const page = await readPage<Row>(platform, input, {
    columns: sql`u.id, u.account, u.nickname, u.role, u.enable_google_verify as "enableGoogleVerify",
      u.google_secret is not null as "confirmBind", u.pay_password_hash is not null as "hasPayPassword",
      u.allow_modify as "allowModify", coalesce(m.id, pm.merchant_id) as "merchantId", coalesce(s.id, pm.supplier_id) as "supplierId",
      pm.party_role as "partyRole", u.created_at as "createdAt",
      u.deleted_at as "deletedAt"`,
    from: sql`
      from users u left join merchants m on m.user_id = u.id left join suppliers s on s.user_id = u.id
        left join party_members pm on pm.user_id = u.id
      where true ${input.includeDeleted ? empty : sql`and u.deleted_at is null`}
      ${input.role === undefined ? empty : sql`and u.role = ${input.role}`}
      ${account ? sql`and (strpos(lower(u.account), ${account}) > 0 or strpos(lower(u.nickname), ${account}) > 0)` : empty}`,
    key: sql`u.id`,
  });
  if (isRefusal(page)) return page;
  return {
    ...page,
    list: page.list.map(({ id, merchantId, supplierId, createdAt, deletedAt, ...row }) => ({
      ...row,
      id: String(id),
      merchantId: merchantId === null ? null : String(merchantId),
      supplierId: supplierId === null ? null : String(supplierId),
      createTime: formatTime(createdAt),
      deletedTime: deletedAt && formatTime(deletedAt),
      mayChange: mayManage(viewer, row.role),
    })),
  };
}

type Options = z.input<typeof contract.getUserOptions.output>;

/** Options for choosing a user, by account. */
export function userOptions(
  platform: Platform,
  _viewer: Viewer,
  input: z.output<typeof contract.getUserOptions.input>,
): Promise<Options> {
  return options(
    platform,
    sql`${input.includeDeleted ? empty : sql`and u.deleted_at is null`} ${input.role === undefined ? empty : sql`and u.role = ${input.role}`}`,
  );
}

/** Users that were made for a merchant or supplier which does not exist yet. */
export function unusedUserOptions(
  platform: Platform,
  _viewer: Viewer,
  input: z.output<typeof contract.getUnusedUserOptions.input>,
): Promise<Options> {
  const role =
    input.role === undefined ? sql`u.role in ('merchant', 'supplier')` : sql`u.role = ${input.role}`;
  return options(
    platform,
    sql`and u.deleted_at is null and ${role} and not exists (select from merchants m where m.user_id = u.id)
      and not exists (select from suppliers s where s.user_id = u.id)
      and not exists (select from party_members pm where pm.user_id = u.id)`,
  );
}

async function options({ db }: Platform, condition: Sql): Promise<Options> {
  const rows = await db.query<{
    id: bigint;
    account: string;
    name: string;
    role: Role;
    deleted: boolean;
  }>(sql`
    select u.id, u.account, u.nickname as name, u.role, u.deleted_at is not null as deleted
    from users u where true ${condition} order by lower(u.account), u.id`);
  return { list: rows.map((row) => ({ ...row, id: String(row.id) })) };
}

/** Options for choosing a supplier. Staff get all; a supplier gets itself and the suppliers it brought, or its team on all levels. */
export async function supplierUserOptions(
  { db }: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.getSupplierUserOptions.input>,
): Promise<z.input<typeof contract.getSupplierUserOptions.output>> {
  const own = viewer.supplierId;
  const team = input.isGetAllAgentSupplier ? sql`s.id in ${teamOf(own ?? 0n)}` : sql`s.agent_id = ${own}`;
  const rows = await db.query<{
    id: bigint;
    userId: bigint;
    account: string;
    name: string;
    agentId: bigint | null;
    isAgent: boolean;
  }>(sql`
    select s.id, s.user_id as "userId", u.account, s.name, s.agent_id as "agentId",
      exists (select from suppliers t where t.agent_id = s.id) as "isAgent"
    from suppliers s join users u on u.id = s.user_id
    where u.deleted_at is null ${isStaff(viewer) ? empty : sql`and (s.id = ${own} or ${team})`}
    order by s.name, s.id`);
  return {
    list: rows.map((row) => ({
      ...row,
      id: String(row.id),
      userId: String(row.userId),
      agentId: row.agentId === null ? null : String(row.agentId),
    })),
  };
}
