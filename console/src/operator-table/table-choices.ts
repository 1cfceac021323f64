import { usePreference } from '../session/preference.ts';
import type { ListColumn } from './list-definition.ts';

export type Density = 'small' | 'middle';

/** Columns as a user arranged them: those left out are hidden, those unknown to this build are ignored. */
const isOrder = (stored: unknown): stored is readonly string[] =>
  Array.isArray(stored) && stored.every((key) => typeof key === 'string');
const isDensity = (stored: unknown): stored is Density => stored === 'small' || stored === 'middle';

const NO_ORDER: readonly string[] = [];

export interface TableChoices<Row> {
  readonly shown: readonly ListColumn<Row>[];
  /** Every column, the shown ones first and in their order. */
  readonly all: readonly ListColumn<Row>[];
  readonly choose: (keys: readonly string[]) => void;
  readonly reset: () => void;
  readonly density: Density;
  readonly setDensity: (density: Density) => void;
}

export function useTableChoices<Row>(name: string, columns: readonly ListColumn<Row>[]): TableChoices<Row> {
  const [order, setOrder] = usePreference(`${name}.columns`, NO_ORDER, isOrder);
  const [density, setDensity] = usePreference<Density>(`${name}.density`, 'small', isDensity);
  const byKey = new Map(columns.map((column) => [column.key, column]));
  const chosen = order.flatMap((key) => byKey.get(key) ?? []);
  const shown =
    chosen.length === 0
      ? columns.filter((column) => !column.optional)
      : [...columns.filter((column) => column.names && !chosen.includes(column)), ...chosen];
  return {
    shown,
    all: [...shown, ...columns.filter((column) => !shown.includes(column))],
    choose: setOrder,
    reset: () => setOrder(undefined),
    density,
    setDensity,
  };
}
