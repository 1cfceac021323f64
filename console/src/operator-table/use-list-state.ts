import { useMemo, useRef } from 'react';
import { usePreference } from '../session/preference.ts';
import { useTabLocation } from '../shell/tab-location.ts';
import { readListState, withFilter, writeListState, type FilterSpec, type ListState } from './list-state.ts';

export interface ListControl {
  readonly state: ListState;
  readonly setFilter: (name: string, text: string | undefined) => void;
  readonly clearFilters: () => void;
  readonly next: (cursor: string) => void;
  readonly previous: () => void;
  readonly first: () => void;
  readonly setPageSize: (size: number) => void;
  readonly open: (key: string) => void;
  readonly close: () => void;
}

const isNumber = (stored: unknown): stored is number => typeof stored === 'number';

/** A list's state lives in its tab's address; this reads it and writes it. */
export function useListState(name: string, specs: readonly FilterSpec[]): ListControl {
  const { search, setSearch } = useTabLocation();
  const [storedSize, storeSize] = usePreference(`${name}.pageSize`, 0, isNumber);
  const state = useMemo(() => readListState(search, specs, storedSize), [search, specs, storedSize]);
  // Cursors of the pages walked through, so that 'previous' is a keyset page too.
  const cursors = useRef(new Map<number, string>());

  const change = (next: (now: ListState) => ListState, replace = false, assumedSize = storedSize) =>
    setSearch((now) => writeListState(next(readListState(now, specs, assumedSize)), specs, assumedSize), {
      replace,
    });

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
      // Walking from row to row in an open drawer is one step back, not twenty.
      change((now) => ({ ...now, open: key }), state.open !== undefined);
    },
    close() {
      change((now) => ({ ...now, open: undefined }));
    },
  };
}
