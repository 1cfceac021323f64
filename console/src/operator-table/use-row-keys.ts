import { useTabLocation } from '../navigation/tab-location.ts';
import { useListKeys } from './use-list-keys.ts';

interface RowKeys<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly focused: string | undefined;
  readonly onFocus: (key: string) => void;
  readonly search: () => void;
  readonly reload: () => void;
  /** Left out where rows do not open, or are not picked. */
  readonly openRow: ((row: Row) => void) | undefined;
  readonly pickRow: ((row: Row) => void) | undefined;
  readonly closeDrawer: () => void;
}

/** The keys of a list (useListKeys), for the row that is focused. */
export function useRowKeys<Row>({
  rows,
  keyOf,
  focused,
  onFocus,
  openRow,
  pickRow,
  ...keys
}: RowKeys<Row>): void {
  const { scroller } = useTabLocation();
  const index = rows.findIndex((row) => keyOf(row) === focused);
  const row = rows[index];
  useListKeys({
    ...keys,
    move: (step) => {
      const next = rows[index < 0 ? 0 : Math.min(Math.max(index + step, 0), rows.length - 1)];
      if (!next) return;
      onFocus(keyOf(next));
      scroller()
        ?.querySelector(`[data-row="${CSS.escape(keyOf(next))}"]`)
        ?.scrollIntoView({ block: 'nearest' });
    },
    openRow: () => row && openRow?.(row),
    pickRow: () => row && pickRow?.(row),
  });
}
