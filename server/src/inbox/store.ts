import type { Role } from '@sangam/contract/roles.ts';
import { type Queryable, sql, type Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';

export type Folder = 'unread' | 'readed' | 'trash';

export interface InboxMessage {
  readonly id: bigint;
  /** 'letter' with {content}, or a kind of notification (see the contract) with its data. */
  readonly kind: string;
  readonly data: Readonly<Record<string, string | number>>;
  readonly folder: Folder;
  readonly sender: string | null;
  readonly createdAt: Date;
}

const COLUMNS = sql`m.id, m.kind, m.data, m.folder, s.nickname as sender, m.created_at as "createdAt"`;
const FROM = sql`from inbox_messages m left join users s on s.id = m.sender_id`;

export interface NewMessage {
  readonly senderId: bigint | null;
  readonly kind: string;
  readonly data: object;
}

/** The users with these ids or roles, each once, without deleted users. */
export async function findRecipients(
  db: Queryable,
  userIds: readonly bigint[],
  roles: readonly Role[],
): Promise<bigint[]> {
  const rows = await db.query<{ id: bigint }>(sql`
    select id from users where deleted_at is null and (id = any(${userIds}) or role = any(${roles})) order by id`);
  return rows.map(({ id }) => id);
}

/** Writes one row for each recipient. */
export async function insertMessages(
  platform: Platform,
  tx: Tx,
  recipients: readonly bigint[],
  message: NewMessage,
): Promise<void> {
  const now = platform.clock.now();
  await tx.query(sql`
    insert into inbox_messages (id, user_id, sender_id, kind, data, moved_at, created_at)
    select id, user_id, ${message.senderId}, ${message.kind}, ${JSON.stringify(message.data)}, ${now}, ${now}
    from unnest(${recipients.map(() => platform.ids.next())}::bigint[], ${recipients}::bigint[]) as v (id, user_id)`);
}

/** The newest messages of a folder, ordered by when they came into it. */
export function listFolder(
  db: Queryable,
  userId: bigint,
  folder: Folder,
  limit: number,
): Promise<InboxMessage[]> {
  return db.query<InboxMessage>(sql`
    select ${COLUMNS} ${FROM} where m.user_id = ${userId} and m.folder = ${folder}
    order by m.moved_at desc, m.id desc limit ${limit}`);
}

export async function findMessage(
  db: Queryable,
  userId: bigint,
  id: bigint,
): Promise<InboxMessage | undefined> {
  const rows = await db.query<InboxMessage>(
    sql`select ${COLUMNS} ${FROM} where m.user_id = ${userId} and m.id = ${id}`,
  );
  return rows[0];
}

export async function countFolder(db: Queryable, userId: bigint, folder: Folder): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from inbox_messages where user_id = ${userId} and folder = ${folder}`,
  );
  return row!.count;
}

/** Moves a message. False when the message is not the user's or is in neither folder. A message that is already there counts as moved. */
export async function moveMessage(
  tx: Tx,
  userId: bigint,
  id: bigint,
  move: { readonly from: Folder; readonly to: Folder; readonly at: Date },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update inbox_messages
    set folder = ${move.to}, moved_at = case when folder = ${move.to} then moved_at else ${move.at} end
    where user_id = ${userId} and id = ${id} and folder in (${move.from}, ${move.to}) returning id`);
  return rows.length === 1;
}
