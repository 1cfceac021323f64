import type { ReactNode } from 'react';
import type { ListColumn, RowAction } from './list-definition.ts';
import type { Density } from './table-choices.ts';
import type { Picked } from './use-picked.ts';

/** Props shared by the table and the cards of a list. */
export interface ListTableProps<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly ListColumn<Row>[];
  /** Widths that the user set, by column, in pixels of the content. Other columns fit their content. */
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
  /** Absent where the list has no action for many rows. */
  readonly picked: Picked<Row> | undefined;
}

/** A click that ends a text selection must not open the row. */
export const isSelecting = () => (getSelection()?.toString() ?? '') !== '';

/** The CSS classes for a row's state, from the given style sheet. */
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
