import type { ReactNode } from 'react';
import styles from './figures.module.css';

interface PlainTableProps<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly {
    readonly title: string;
    /** Amounts and counts. */
    readonly right?: boolean;
    readonly cell: (row: Row) => ReactNode;
  }[];
}

/** A few rows inside a drawer or dialog: no paging, no choices. */
export function PlainTable<Row>({ rows, keyOf, columns }: PlainTableProps<Row>) {
  const side = (right = false) => (right ? styles['right'] : undefined);
  return (
    <div className={styles['scroll']} tabIndex={0}>
      <table className={styles['plain']}>
        <thead>
          <tr>
            {columns.map(({ title, right }) => (
              <th key={title} scope="col" className={side(right)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, right, cell }) => (
                <td key={title} className={side(right)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
