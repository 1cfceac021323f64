import { type Queryable, type Sql, sql } from '../platform/db/database.ts';
import type { Frame } from './file.ts';
import type { ArchivedTable, OrderSum } from './tables.ts';

/** One file of the archive. */
export interface Archive {
  readonly id: bigint;
  readonly table: ArchivedTable;
  /** The first moment of the month, UTC. */
  readonly month: Date;
  /** No order in it was created or changed at or after this moment. */
  readonly until: Date;
  readonly part: number;
  readonly state: 'writing' | 'checked' | 'removed' | 'givenUp';
  readonly file: string;
  /** The columns of a line, in order. */
  readonly columns: readonly string[];
  readonly rowCount: number;
  readonly idSum: string;
  readonly bytes: bigint;
  readonly sums: readonly OrderSum[];
}

export const ARCHIVE_COLUMNS = sql`
  id, table_name as "table", month::timestamp at time zone 'UTC' as month, until::timestamp at time zone 'UTC' as until, part, state, file, columns, row_count as "rowCount",
  id_sum::text as "idSum", bytes, sums`;

export function readArchives(db: Queryable, where: Sql): Promise<Archive[]> {
  return db.query<Archive>(sql`select ${ARCHIVE_COLUMNS} from archives where ${where} order by month, id`);
}

export interface Due {
  readonly id: bigint;
  readonly table: ArchivedTable;
  readonly month: Date;
  readonly until: Date;
  readonly now: Date;
}

/** The unfinished archive of a table and month, or a new one in state `writing`. */
export async function openOrBegin(db: Queryable, { id, table, month, until, now }: Due): Promise<Archive> {
  const day = month.toISOString().slice(0, 10);
  const [open] = await readArchives(
    db,
    sql`table_name = ${table} and month = ${day}::date and state in ('writing', 'checked')`,
  );
  if (open) return open;
  const [begun] = await db.query<Archive>(sql`
    insert into archives (id, table_name, month, until, part, state, file, started_at)
    select ${id}, ${table}, ${day}::date, ${until.toISOString().slice(0, 10)}::date, n.part, 'writing', ${`${table}-${day.slice(0, 7)}-`} || n.part || '.ndjson.zst', ${now}
    from (select coalesce(max(part), 0) + 1 as part from archives where table_name = ${table} and month = ${day}::date) n
    returning ${ARCHIVE_COLUMNS}`);
  return begun!;
}

/** A frame with the number of its rows and its range of orders. */
export interface FrameRow extends Frame {
  readonly rowCount: number;
  readonly firstOrder: bigint;
  readonly lastOrder: bigint;
}

const FRAME_COLUMNS = sql`
  number, starts_at as "startsAt", length, row_count as "rowCount", first_order as "firstOrder", last_order as "lastOrder", hash`;

export function framesOf(db: Queryable, archiveId: bigint): Promise<FrameRow[]> {
  return db.query<FrameRow>(
    sql`select ${FRAME_COLUMNS} from archive_frames where archive_id = ${archiveId} order by number`,
  );
}

export async function insertFrames(
  db: Queryable,
  archiveId: bigint,
  frames: readonly FrameRow[],
): Promise<void> {
  await db.query(sql`delete from archive_frames where archive_id = ${archiveId}`);
  await db.query(sql`
    insert into archive_frames (archive_id, number, starts_at, length, row_count, first_order, last_order, hash)
    select ${archiveId}, * from unnest(${frames.map(({ number }) => number)}::int[],
      ${frames.map(({ startsAt }) => startsAt)}::bigint[], ${frames.map(({ length }) => length)}::int[],
      ${frames.map(({ rowCount }) => rowCount)}::int[], ${frames.map(({ firstOrder }) => firstOrder)}::bigint[],
      ${frames.map(({ lastOrder }) => lastOrder)}::bigint[], ${frames.map(({ hash }) => hash)}::bytea[])`);
}
