import { useMemo } from 'react';
import type { Arrangement } from '@sangam/contract/endpoints/list.ts';
import type { ListArrangement } from './arrangement.ts';
import type { ListColumn } from './list-definition.ts';

export type Density = 'small' | 'middle';

export interface TableChoices<Row> {
  readonly shown: readonly ListColumn<Row>[];
  /** Every column: first the shown ones in their order, then the hidden ones. */
  readonly all: readonly ListColumn<Row>[];
  readonly choose: (keys: readonly string[]) => void;
  readonly reset: () => void;
  /** Widths that the user set, by column, in pixels of the content. */
  readonly widths: Readonly<Record<string, number>>;
  readonly setWidth: (key: string, pixels: number | undefined) => void;
  readonly pinned: readonly string[];
  readonly togglePin: (key: string) => void;
  readonly density: Density;
  readonly setDensity: (density: Density) => void;
}

function shownOf<Row>(
  columns: readonly ListColumn<Row>[],
  { columns: keys, pinned }: Arrangement,
): readonly ListColumn<Row>[] {
  const byKey = new Map(columns.map((column) => [column.key, column]));
  const chosen = keys?.flatMap((key) => byKey.get(key) ?? []) ?? [];
  const shown =
    chosen.length === 0
      ? columns.filter((column) => !column.optional)
      : [...columns.filter((column) => column.names && !chosen.includes(column)), ...chosen];
  if (!pinned?.length) return shown;
  // Pinned columns stand together at the left, after the column that names the row.
  const place = ({ key, names }: ListColumn<Row>) => (names ? 0 : pinned.includes(key) ? 1 : 2);
  return shown.toSorted((a, b) => place(a) - place(b));
}

const NO_WIDTHS: Readonly<Record<string, number>> = {};
const NONE: readonly string[] = [];

/** Columns as the user arranged them. Columns that this build does not know are ignored. */
export function useTableChoices<Row>(
  { arrangement, arrange }: ListArrangement,
  columns: readonly ListColumn<Row>[],
): TableChoices<Row> {
  const shown = useMemo(() => shownOf(columns, arrangement), [columns, arrangement]);
  const { widths = NO_WIDTHS, pinned = NONE } = arrangement;
  return {
    shown,
    all: [...shown, ...columns.filter((column) => !shown.includes(column))],
    choose: (keys) => arrange({ columns: [...keys] }),
    reset: () => arrange({ columns: undefined, widths: undefined, pinned: undefined }),
    widths,
    setWidth: (key, pixels) => {
      const { [key]: _, ...others } = widths;
      arrange({ widths: pixels === undefined ? others : { ...others, [key]: pixels } });
    },
    pinned,
    togglePin: (key) =>
      arrange({ pinned: pinned.includes(key) ? pinned.filter((each) => each !== key) : [...pinned, key] }),
    density: arrangement.density ?? 'small',
    setDensity: (density) => arrange({ density }),
  };
}
