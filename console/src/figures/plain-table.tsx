import type { ReactNode } from 'react';
import styles from './figures.module.css';

export interface PlainTableProps<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly {
    readonly title: string;
    /** Aligns the column right: for amounts and counts. */
    readonly right?: boolean;
    /** Lets a long text take several lines. */
    readonly wraps?: boolean;
    readonly cell: (row: Row) => ReactNode;
  }[];
}

/** A small table inside a drawer or dialog, without paging or choices. */
export function PlainTable<Row>({ rows, keyOf, columns }: PlainTableProps<Row>) {
  const look = ({ right, wraps }: PlainTableProps<Row>['columns'][number]) =>
    right ? styles['right'] : wraps ? styles['wraps'] : undefined;
  return (
    <div className={styles['scroll']} tabIndex={0}>
      <table className={styles['plain']}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={look(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.title} className={look(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
