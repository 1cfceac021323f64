import { useMemo } from 'react';
import type { Arrangement } from '@sangam/contract/endpoints/list.ts';
import type { ListArrangement } from './arrangement.ts';
import type { ListColumn } from './list-definition.ts';

export type Density = 'small' | 'middle';

export interface TableChoices<Row> {
  readonly shown: readonly ListColumn<Row>[];
  /** Every column, the shown ones first and in their order. */
  readonly all: readonly ListColumn<Row>[];
  readonly choose: (keys: readonly string[]) => void;
  readonly reset: () => void;
  readonly density: Density;
  readonly setDensity: (density: Density) => void;
}

function shownOf<Row>(
  columns: readonly ListColumn<Row>[],
  keys: Arrangement['columns'],
): readonly ListColumn<Row>[] {
  const byKey = new Map(columns.map((column) => [column.key, column]));
  const chosen = keys?.flatMap((key) => byKey.get(key) ?? []) ?? [];
  return chosen.length === 0
    ? columns.filter((column) => !column.optional)
    : [...columns.filter((column) => column.names && !chosen.includes(column)), ...chosen];
}

/** Columns as a user arranged them: those left out are hidden, those unknown to this build are ignored. */
export function useTableChoices<Row>(
  { arrangement, arrange }: ListArrangement,
  columns: readonly ListColumn<Row>[],
): TableChoices<Row> {
  const shown = useMemo(() => shownOf(columns, arrangement.columns), [columns, arrangement.columns]);
  return {
    shown,
    all: [...shown, ...columns.filter((column) => !shown.includes(column))],
    choose: (keys) => arrange({ columns: [...keys] }),
    reset: () => arrange({ columns: undefined }),
    density: arrangement.density ?? 'small',
    setDensity: (density) => arrange({ density }),
  };
}
