/** What the screen of sources counts orders by; each of these can be combined with a merchant. */
export const SOURCE_DIMENSIONS = ['hour', 'referrer', 'device', 'network', 'band', 'bank'] as const;
export type SourceDimension = (typeof SOURCE_DIMENSIONS)[number];
/** What one row of the screen stands for. */
export const SOURCE_GROUPS = ['merchant', 'day', ...SOURCE_DIMENSIONS] as const;

/**
 * The steps of an order, each with its number in the filter `reached`. An order that came to a later step counts at the earlier
 * ones too: a payer who paid without saying so counts at 'told'.
 */
export const SOURCE_STEPS = ['created', 'opened', 'seen', 'told', 'paid', 'acknowledged'] as const;

/** The orders that one number of the sources counts. */
export interface SourceCell {
  /** Business days of creation, both included. */
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  /** The orders reached at least this step, an index of SOURCE_STEPS. */
  readonly reached: number;
  /** Undefined means any source. */
  readonly of: { readonly dimension: SourceDimension; readonly value: string } | undefined;
}

/** A cell as a filter of the order list: `2026-11-01~2026-11-24/INR/4/device=phone`. */
export function sourceCellText({ from, to, currency, reached, of }: SourceCell): string {
  return `${from}~${to}/${currency}/${reached}${of ? `/${of.dimension}=${of.value}` : ''}`;
}

const DAY = String.raw`(\d{4}-\d{2}-\d{2})`;
const CELL = new RegExp(
  String.raw`^${DAY}~${DAY}/(INR|KES|USDT)/([0-5])(?:/(${SOURCE_DIMENSIONS.join('|')})=(.*))?$`,
);

/** Reads a cell; undefined where the text is none. */
export function parseSourceCell(text: string): SourceCell | undefined {
  const found = CELL.exec(text);
  if (!found) return undefined;
  const [, from = '', to = '', currency = '', reached = '', dimension, value = ''] = found;
  const of = dimension === undefined ? undefined : { dimension: dimension as SourceDimension, value };
  return { from, to, currency, reached: Number(reached), of };
}
