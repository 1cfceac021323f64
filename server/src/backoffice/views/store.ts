import type { Arrangement } from '@sangam/contract/endpoints/list.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { empty, type Queryable, sql, type Tx } from '../../platform/db/database.ts';
import type { Viewer } from '../../platform/viewer.ts';

export interface ListView {
  readonly id: bigint;
  readonly ownerId: bigint;
  readonly list: string;
  readonly name: string;
  readonly filters: Readonly<Record<string, string>>;
  readonly arrangement: Arrangement;
  readonly sharedRoles: readonly Role[];
  readonly updatedAt: Date;
}

export interface ListChoice {
  readonly list: string;
  readonly arrangement: Arrangement;
  readonly defaultViewId: bigint | null;
}

const COLUMNS = sql`
  v.id, v.owner_id as "ownerId", v.list, v.name, v.filters, v.arrangement, v.shared_roles as "sharedRoles",
  v.updated_at as "updatedAt"`;

/** The viewer's own views and those shared with the viewer's role, by name. */
export function visibleViews(
  db: Queryable,
  viewer: Viewer,
  list: string | undefined,
): Promise<(ListView & { ownerName: string })[]> {
  return db.query(sql`
    select ${COLUMNS}, u.nickname as "ownerName" from list_views v join users u on u.id = v.owner_id
    where (v.owner_id = ${viewer.userId} or (${viewer.role} = any(v.shared_roles) and u.deleted_at is null))
      ${list === undefined ? empty : sql`and v.list = ${list}`}
    order by lower(v.name), v.id`);
}

export function choicesOf(db: Queryable, userId: bigint, list: string | undefined): Promise<ListChoice[]> {
  return db.query(sql`
    select list, arrangement, default_view_id as "defaultViewId" from list_choices
    where user_id = ${userId} ${list === undefined ? empty : sql`and list = ${list}`} order by list`);
}

/** One of the viewer's own views, locked. */
export async function lockOwnView(tx: Tx, ownerId: bigint, id: bigint): Promise<ListView | undefined> {
  const [view] = await tx.query<ListView>(
    sql`select ${COLUMNS} from list_views v where v.id = ${id} and v.owner_id = ${ownerId} for update`,
  );
  return view;
}

export async function countViews(tx: Tx, ownerId: bigint, list: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from list_views where owner_id = ${ownerId} and list = ${list}`,
  );
  return row!.count;
}

export async function writeView(tx: Tx, view: ListView): Promise<void> {
  await tx.query(sql`
    insert into list_views (id, owner_id, list, name, filters, arrangement, shared_roles, updated_at)
    values (${view.id}, ${view.ownerId}, ${view.list}, ${view.name}, ${JSON.stringify(view.filters)},
      ${JSON.stringify(view.arrangement)}, ${view.sharedRoles}, ${view.updatedAt})
    on conflict (id) do update set name = excluded.name, filters = excluded.filters, arrangement = excluded.arrangement,
      shared_roles = excluded.shared_roles, updated_at = excluded.updated_at`);
}

export async function removeView(tx: Tx, id: bigint): Promise<void> {
  await tx.query(sql`delete from list_views where id = ${id}`);
}

export async function writeChoice(
  db: Queryable,
  userId: bigint,
  choice: ListChoice,
  at: Date,
): Promise<void> {
  await db.query(sql`
    insert into list_choices (user_id, list, arrangement, default_view_id, updated_at)
    values (${userId}, ${choice.list}, ${JSON.stringify(choice.arrangement)}, ${choice.defaultViewId}, ${at})
    on conflict (user_id, list) do update set arrangement = excluded.arrangement,
      default_view_id = excluded.default_view_id, updated_at = excluded.updated_at`);
}
