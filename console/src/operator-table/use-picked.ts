import { useMemo, useState } from 'react';
import { MOST_PICKED } from './bulk-bar.tsx';

export interface Picked<Row> {
  readonly rows: readonly Row[];
  readonly keys: readonly string[];
  readonly pick: (rows: readonly Row[]) => void;
  readonly toggle: (row: Row) => void;
  readonly clear: () => void;
}

const NONE: readonly never[] = [];

/** The rows picked for a bulk action, across pages. They are kept as long as the filters stay the same. */
export function usePicked<Row>(keyOf: (row: Row) => string, filterKey: string): Picked<Row> {
  const [held, setHeld] = useState<{ readonly filterKey: string; readonly rows: readonly Row[] }>();
  const rows = held?.filterKey === filterKey ? held.rows : NONE;
  return useMemo(() => {
    const pick = (next: readonly Row[]) => setHeld({ filterKey, rows: next.slice(0, MOST_PICKED) });
    return {
      rows,
      keys: rows.map(keyOf),
      pick,
      toggle: (row) => {
        const others = rows.filter((each) => keyOf(each) !== keyOf(row));
        pick(others.length < rows.length ? others : [...rows, row]);
      },
      clear: () => setHeld(undefined),
    };
  }, [rows, keyOf, filterKey]);
}
