import { useMemo, useRef } from 'react';
import { useTabLocation } from '../navigation/tab-location.ts';
import { readListState, withFilter, writeListState, type FilterSpec, type ListState } from './list-state.ts';

export interface ListControl {
  readonly state: ListState;
  readonly setFilter: (name: string, text: string | undefined) => void;
  readonly clearFilters: () => void;
  /** Sets all filters at once, for a saved view. `quietly` replaces the history entry. */
  readonly setFilters: (filters: Readonly<Record<string, string>>, quietly?: boolean) => void;
  readonly next: (cursor: string) => void;
  readonly previous: () => void;
  readonly first: () => void;
  readonly setPageSize: (size: number) => void;
  readonly open: (key: string) => void;
  readonly close: () => void;
}

/** A list's state is in its tab's address. This hook reads and writes it. */
export function useListState(
  specs: readonly FilterSpec[],
  storedSize: number | undefined,
  storeSize: (size: number) => void,
): ListControl {
  const { search, setSearch } = useTabLocation();
  const state = useMemo(() => readListState(search, specs, storedSize), [search, specs, storedSize]);
  // Cursors of the pages visited, so that 'previous' can request a keyset page too.
  const cursors = useRef(new Map<number, string>());

  const change = (next: (now: ListState) => ListState, replace = false, assumedSize = storedSize) =>
    setSearch(
      (now) => writeListState(next(readListState(now, specs, assumedSize)), specs, assumedSize, now),
      { replace },
    );

  return {
    state,
    setFilter(filter, text) {
      cursors.current.clear();
      change((now) => withFilter(now, filter, text));
    },
    clearFilters() {
      cursors.current.clear();
      change((now) => ({ ...now, filters: {}, page: 1, cursor: undefined }));
    },
    setFilters(filters, quietly = false) {
      cursors.current.clear();
      change((now) => ({ ...now, filters, page: 1, cursor: undefined }), quietly);
    },
    next(cursor) {
      cursors.current.set(state.page + 1, cursor);
      change((now) => ({ ...now, page: state.page + 1, cursor }));
    },
    previous() {
      const page = Math.max(1, state.page - 1);
      change((now) => ({ ...now, page, cursor: cursors.current.get(page) }));
    },
    first() {
      change((now) => ({ ...now, page: 1, cursor: undefined }));
    },
    setPageSize(pageSize) {
      cursors.current.clear();
      storeSize(pageSize);
      change((now) => ({ ...now, pageSize, page: 1, cursor: undefined }), false, pageSize);
    },
    open(key) {
      // Moving from row to row in an open drawer adds one history entry, not one per row.
      change((now) => ({ ...now, open: key }), state.open !== undefined);
    },
    close() {
      change((now) => ({ ...now, open: undefined }));
    },
  };
}
