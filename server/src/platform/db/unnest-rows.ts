import { raw, Sql } from 'sql-template-tag';

type ColumnType =
  | 'bigint'
  | 'boolean'
  | 'bytea'
  | 'date'
  | 'int'
  | 'json'
  | 'jsonb'
  | 'smallint'
  | 'text'
  | 'timestamptz';

/** The fields of a row that a statement uses, with the types of their columns. */
export type Columns<Field extends string> = Readonly<Record<Field, ColumnType>>;

/**
 * Rows as a table `alias` in a statement: one array parameter for each column, so that one SQL text serves any number of rows. A column has
 * the field's name in snake case (`orderId`: `order_id`). Give JSON values as they are; null becomes SQL null.
 */
export function unnestRows<Field extends string>(
  columns: Columns<Field>,
  rows: readonly Readonly<Record<NoInfer<Field>, unknown>>[],
  alias = 'v',
): Sql {
  const fields = Object.keys(columns) as Field[];
  const values = fields.map((field) =>
    rows.map((row) => (isJson(columns[field]) ? jsonOf(row[field]) : row[field])),
  );
  const casts = fields.map((field) => `::${columns[field]}[]`);
  const between = casts.slice(0, -1).map((cast) => `${cast}, `);
  const last = `${casts.at(-1)}) as ${alias} (${names(columns)})`;
  return new Sql(['unnest(', ...between, last], values);
}

/** The names of the columns, for `insert into table (…) select * from …`. */
export function columnNames(columns: Columns<string>): Sql {
  return raw(names(columns));
}

function names(columns: Columns<string>): string {
  return Object.keys(columns)
    .map((field) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    .join(', ');
}

const isJson = (type: ColumnType) => type === 'json' || type === 'jsonb';

function jsonOf(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
