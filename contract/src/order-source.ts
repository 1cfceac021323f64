/** What orders are counted by on the screen of their sources; merchants stand beside all of them. */
export const SOURCE_DIMENSIONS = ['hour', 'referrer', 'device', 'network', 'band', 'bank'] as const;
export type SourceDimension = (typeof SOURCE_DIMENSIONS)[number];
/** What the rows of the screen are. */
export const SOURCE_GROUPS = ['merchant', 'day', ...SOURCE_DIMENSIONS] as const;

/**
 * The way of an order, each step with its number in the filter `reached`. An order that came to a later step counts at the
 * earlier ones: who paid without telling has come past 'told'.
 */
export const SOURCE_STEPS = ['created', 'opened', 'seen', 'told', 'paid', 'acknowledged'] as const;

/** Orders that one number of the sources counts. */
export interface SourceCell {
  /** Business days of creation, both included. */
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  /** They came at least so far: an index of SOURCE_STEPS. */
  readonly reached: number;
  /** Undefined: whatever the source. */
  readonly of: { readonly dimension: SourceDimension; readonly value: string } | undefined;
}

/** A cell as the orders' list is filtered by it: `2026-11-01~2026-11-24/INR/4/device=phone`. */
export function sourceCellText({ from, to, currency, reached, of }: SourceCell): string {
  return `${from}~${to}/${currency}/${reached}${of ? `/${of.dimension}=${of.value}` : ''}`;
}

const DAY = String.raw`(\d{4}-\d{2}-\d{2})`;
const CELL = new RegExp(
  String.raw`^${DAY}~${DAY}/(INR|KES|USDT)/([0-5])(?:/(${SOURCE_DIMENSIONS.join('|')})=(.*))?$`,
);

/** Undefined where the text is no cell. */
export function parseSourceCell(text: string): SourceCell | undefined {
  const found = CELL.exec(text);
  if (!found) return undefined;
  const [, from = '', to = '', currency = '', reached = '', dimension, value = ''] = found;
  const of = dimension === undefined ? undefined : { dimension: dimension as SourceDimension, value };
  return { from, to, currency, reached: Number(reached), of };
}
