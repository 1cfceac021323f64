import { type Tx, join, raw, sql } from '../platform/db/database.ts';

/** Rows in a statement: enough to make round trips cheap, few enough to keep the parameters to a few MB. */
const CHUNK = 2_000;

/** Inserts rows into one table, column by column. `columns` gives the SQL type of each field. */
export async function insertAll<Name extends string>(
  tx: Tx,
  table: string,
  columns: Readonly<Record<Name, string>>,
  rows: readonly Readonly<Record<Name, unknown>>[],
): Promise<void> {
  const names = Object.keys(columns) as Name[];
  for (let from = 0; from < rows.length; from += CHUNK) {
    const chunk = rows.slice(from, from + CHUNK);
    const arrays = names.map((name) => sql`${chunk.map((row) => row[name])}${raw(`::${columns[name]}[]`)}`);
    await tx.query(
      sql`insert into ${raw(table)} (${raw(names.join(', '))}) select * from unnest(${join(arrays)})`,
    );
  }
}
