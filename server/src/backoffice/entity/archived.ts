import type { EntityKind } from '@sangam/contract/entity.ts';
import { type Fields, fieldsOf, readArchivedOrder } from '../../archive/read.ts';
import { raw, type Sql, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';

/** What the files of the archive have of an order: statements that answer its row, and the rows of its history. */
interface ArchivedOrder {
  readonly row: Sql;
  readonly events: Sql;
  readonly fields: Fields;
}

/** An order of this kind that is only in the archive. Undefined: none. */
export async function archivedOrder(
  { db, config }: Platform,
  kind: EntityKind,
  id: bigint,
): Promise<ArchivedOrder | undefined> {
  if (kind !== 'collectionOrder' && kind !== 'payoutOrder') return undefined;
  const [table, direction] =
    kind === 'collectionOrder' ? (['collection_orders', 'in'] as const) : (['payout_orders', 'out'] as const);
  const away = await db.query(
    sql`select from archived_orders where order_id = ${id} and direction = ${direction}`,
  );
  if (away.length === 0) return undefined;
  const rows = await readArchivedOrder(db, config.archiveDir, id);
  const of = (name: typeof table | 'order_events') =>
    rows.filter((row) => row.table === name).map((row) => fieldsOf(row));
  const [fields] = of(table);
  if (!fields) throw new Error(`order ${id} is not in the file that should hold it`);
  // As a text, `data` would become a text within JSON.
  const events = of('order_events').map(({ data, ...event }) => ({
    ...event,
    data: JSON.parse(data ?? '{}') as unknown,
  }));
  return {
    row: sql`select * from json_populate_record(null::${raw(table)}, ${JSON.stringify(fields)}::json)`,
    events: sql`select * from json_populate_recordset(null::order_events, ${JSON.stringify(events)}::json)`,
    fields,
  };
}
