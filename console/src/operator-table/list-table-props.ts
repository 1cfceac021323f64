import type { ReactNode } from 'react';
import type { ListColumn, RowAction } from './list-definition.ts';
import type { Density } from './table-choices.ts';
import type { Picked } from './use-picked.ts';

/** What a list shows, as a table or as cards. */
export interface ListTableProps<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly ListColumn<Row>[];
  /** Pixels of the content, by column; the others are as wide as what stands in them. */
  readonly widths: Readonly<Record<string, number>>;
  readonly onWidth: (key: string, pixels: number | undefined) => void;
  readonly pinned: readonly string[];
  readonly density: Density;
  readonly fresh: ReadonlySet<string>;
  readonly dimmed: boolean;
  readonly focused: string | undefined;
  readonly opened: string | undefined;
  readonly onOpen: ((row: Row) => void) | undefined;
  readonly actionsOf: ((row: Row) => readonly RowAction[]) | undefined;
  readonly empty: ReactNode;
  readonly caption: string;
  /** Absent where nothing can be done with many rows at once. */
  readonly picked: Picked<Row> | undefined;
}

/** A click that ends a text selection is not a click on the row. */
export const isSelecting = () => (getSelection()?.toString() ?? '') !== '';

/** The classes of a row's state, by the style sheet that has them. */
export const rowClasses = <Row>(
  { onOpen, fresh, focused, opened }: ListTableProps<Row>,
  key: string,
  styles: Readonly<Record<string, string>>,
): string =>
  [
    onOpen && styles['opens'],
    fresh.has(key) && styles['fresh'],
    key === focused && styles['focused'],
    key === opened && styles['opened'],
  ]
    .filter(Boolean)
    .join(' ');
