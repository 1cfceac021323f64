import { DAY } from '../platform/clock.ts';

/** The days that one row of sums holds, as part of one or more periods. */
export interface Piece {
  /** The first day. */
  readonly day: string;
  /** The number of days. */
  readonly span: number;
  /** True: in statistics_spans. False: in statistics_days. */
  readonly isSpan: boolean;
  /** The periods that it is part of, one bit for each. */
  readonly part: number;
}

/** Days since 1970-01-01, as calendar dates without a time zone. */
const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY;
const dayOf = (number: number): string => new Date(number * DAY).toISOString().slice(0, 10);

/**
 * The fewest pieces that together make up the periods (first day, last day). Days before `until` are in spans of these lengths, the longest
 * first; days that fill none of them are read one by one.
 */
export function piecesOf(
  periods: readonly (readonly [string, string])[],
  spans?: { readonly until: string; readonly lengths: readonly number[] },
): Piece[] {
  const bounds = periods.map(([first, last]) => [numberOf(first), numberOf(last) + 1] as const);
  const until = spans === undefined ? -Infinity : numberOf(spans.until);
  const cuts = [...new Set([...bounds.flat(), until])].filter(Number.isFinite).toSorted((a, b) => a - b);
  const pieces: Piece[] = [];
  for (const [index, from] of cuts.entries()) {
    const to = cuts[index + 1] ?? from;
    const part = bounds.reduce(
      (bits, [first, end], bit) => (first <= from && to <= end ? bits | (1 << bit) : bits),
      0,
    );
    if (part === 0) continue;
    const lengths = to <= until ? spans!.lengths : [];
    for (let day = from; day < to;) {
      const span = lengths.find((days) => day % days === 0 && day + days <= to);
      pieces.push({ day: dayOf(day), span: span ?? 1, isSpan: span !== undefined, part });
      day += span ?? 1;
    }
  }
  return pieces;
}
