import { useTabLocation } from '../navigation/tab-location.ts';
import type { RowWalk } from '../dialogs/row-walk.ts';
import { useListKeys } from './use-list-keys.ts';

interface RowKeys<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly focused: string | undefined;
  /** The row whose drawer is open. The keys for the next and previous row then open its neighbour. */
  readonly opened: Row | undefined;
  readonly onFocus: (key: string) => void;
  readonly search: () => void;
  readonly reload: () => void;
  /** Undefined where rows do not open. */
  readonly openRow: ((row: Row) => void) | undefined;
  readonly pickRow: ((row: Row) => void) | undefined;
  readonly closeDrawer: () => void;
}

/** The keys of a list (useListKeys), applied to the focused row, and the steps from the row whose drawer is open. */
export function useRowKeys<Row>({
  rows,
  keyOf,
  focused,
  opened,
  onFocus,
  openRow,
  pickRow,
  ...keys
}: RowKeys<Row>): RowWalk {
  const { scroller } = useTabLocation();
  const current = opened ? keyOf(opened) : focused;
  const index = rows.findIndex((row) => keyOf(row) === current);
  const row = rows[index];
  const go = (next: Row) => {
    onFocus(keyOf(next));
    scroller()
      ?.querySelector(`[data-row="${CSS.escape(keyOf(next))}"]`)
      ?.scrollIntoView({ block: 'nearest' });
    if (opened) openRow?.(next);
  };
  const stepTo = (next: Row | undefined) => (opened && next ? () => go(next) : undefined);
  useListKeys({
    ...keys,
    move: (step) => {
      const next = rows[index < 0 ? 0 : Math.min(Math.max(index + step, 0), rows.length - 1)];
      if (next) go(next);
    },
    openRow: () => row && openRow?.(row),
    pickRow: () => row && pickRow?.(row),
  });
  return { previous: stepTo(rows[index - 1]), next: stepTo(rows[index + 1]) };
}
