import { id as idText } from '@sangam/contract/fields.ts';
import { normaliseReference } from '@sangam/contract/references.ts';
import { type Database, type Queryable, sql } from '../platform/db/database.ts';
import { gather } from '../platform/db/gather.ts';
import { perPlatform } from '../platform/node-state.ts';
import type { Platform } from '../platform/platform.ts';
import { openArchive, readFrame } from './file.ts';
import { textsOf } from './lines.ts';
import { type Archive, type FrameRow, readArchives } from './store.ts';
import { type ArchivedTable, keyIn } from './tables.ts';

/** A row as its file holds it: the texts of its columns. */
export interface ArchivedRow {
  readonly table: ArchivedTable;
  readonly month: Date;
  readonly columns: readonly string[];
  readonly texts: readonly (string | null)[];
}

/** Finds archived orders by id, by the merchant's number or by UTR. */
export async function findArchived(db: Queryable, text: string): Promise<bigint[]> {
  const id = idText.safeParse(text).success ? BigInt(text) : -1n;
  const rows = await db.query<{ id: bigint }>(sql`
    select a.order_id as id from archived_orders a where a.order_id in (
      select ${id}::bigint union all select order_id from merchant_orders where mch_order_no = ${text}
      union all select order_id from utr_uses where utr = ${normaliseReference(text)})
    order by 1 desc limit 20`);
  return rows.map((row) => row.id);
}

/**
 * All rows of an order that is only in the archive: the order, its history, attempts and messages, each once. Throws when a file is missing
 * or is not as it was written.
 */
export async function readArchivedOrder(
  db: Database,
  folder: string,
  orderId: bigint,
): Promise<ArchivedRow[]> {
  const archives = await readArchives(
    db,
    sql`state = 'removed' and exists (select from archive_frames f where f.archive_id = archives.id
        and ${orderId} between f.first_order and f.last_order)
      and (table_name not in ('collection_orders', 'payout_orders')
        or id = (select archive_id from archived_orders where order_id = ${orderId}))`,
  );
  const found = new Map<string, ArchivedRow>();
  for (const archive of archives)
    for (const texts of await rowsOf(db, folder, archive, orderId)) {
      const { table, month, columns } = archive;
      found.set(`${table} ${texts[columns.indexOf('id')]!}`, { table, month, columns, texts });
    }
  return [...found.values()];
}

export type Fields = Readonly<Record<string, string | null>>;

export const fieldsOf = ({ columns, texts }: Pick<ArchivedRow, 'columns' | 'texts'>): Fields =>
  Object.fromEntries(columns.map((column, place) => [column, texts[place] ?? null]));

/** One read at a time on a node, because each unpacks thousands of orders. */
const orderReads = perPlatform(({ db, config }) =>
  gather(
    async ([orderId]: readonly bigint[]) => {
      const [archive] = await readArchives(
        db,
        sql`id = (select archive_id from archived_orders where order_id = ${orderId!})`,
      );
      if (!archive) return [undefined];
      const [texts] = await rowsOf(db, config.archiveDir, archive, orderId!);
      if (!texts) throw new Error(`order ${orderId} is not in the file that should hold it`);
      return [fieldsOf({ columns: archive.columns, texts })];
    },
    { batch: 1, inFlight: 1 },
  ),
);

/**
 * The texts of an order's columns, for either direction. Undefined when it is not in the archive. Throws when its file is missing or is not
 * as it was written.
 */
export function readArchivedFields(platform: Platform, orderId: bigint): Promise<Fields | undefined> {
  return orderReads(platform)(orderId);
}

async function rowsOf(
  db: Database,
  folder: string,
  { id, file: name, table, columns }: Archive,
  orderId: bigint,
): Promise<(string | null)[][]> {
  const frames = await db.query<FrameRow>(sql`
    select number, starts_at as "startsAt", length, hash from archive_frames
    where archive_id = ${id} and ${orderId} between first_order and last_order`);
  const file = await openArchive(folder, name);
  try {
    const rows: (string | null)[][] = [];
    for (const frame of frames)
      for (const line of (await readFrame(file, frame)).toString().split('\n')) {
        // Most lines belong to other orders and are not parsed.
        if (!line.includes(`"${orderId}"`)) continue;
        const texts = textsOf(line);
        if (keyIn(table, columns, texts) === orderId) rows.push(texts);
      }
    return rows;
  } finally {
    await file.close();
  }
}
