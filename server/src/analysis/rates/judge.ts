/**
 * Judges whether orders are paid as usual. Pure functions; time is counted in slots of half a minute.
 *
 * The rate of the newest orders is known only when their time is over, but a fall shows at once in the payments that should come now. So
 * the payments of the last minutes are compared with the expected ones: each recent order, times the usual rate of its key, times the usual
 * share of payments that come at its age.
 */
export const SLOT_MS = 30_000;
/** Slots. Orders older than this bring hardly any more payments. */
export const OLDEST = 90;

/** One key's orders that are not older than OLDEST. */
export interface Recent {
  /** Orders by slots since they were created. */
  readonly created: readonly number[];
  /** Paid orders by slots since they were paid. */
  readonly paid: readonly number[];
  /** Orders paid in the last quarter of an hour, by slots from creation to payment. */
  readonly delays: readonly number[];
}

/** What is usual: the same half hour in the four weeks before. */
export interface Usual {
  /** Orders and paid orders of each week. */
  readonly weeks: readonly { readonly orders: number; readonly paid: number }[];
  /** The share of payments that have come by an age, by slot. The last is 1. */
  readonly arrived: readonly number[];
}

export interface Verdict {
  readonly fell: boolean;
  /** Whether the rate is near enough to the usual rate to close an alert. */
  readonly isUsual: boolean;
  /** As shares of 1: the rate that the payments of the last minutes show, and the usual rate. */
  readonly rate: number;
  readonly usual: number;
  /** How many payments were expected. */
  readonly expected: number;
  readonly paid: number;
}

/** How many slots to look back. The shortest window finds a sudden fall; the longest finds a slow fall, or a fall with few orders. */
const WINDOWS = [6, 10, 20, 40] as const;
const LEAST_ORDERS = 20;
/** How many orders the half hour must have had in the four weeks together. Fewer do not show what is usual. */
const LEAST_USUAL = 80;
/** Minimal fall of the success rate (0.15 = 15 percentage points). */
const LEAST_FALL = 0.15;
const CLOSED_WITHIN = 0.08;
/**
 * Standard deviations that a fall must reach. The shortest window has only three minutes, and little to see where orders are few, so a
 * lower bound is safe there (measured with the keys of judge.test.ts: docs/decisions/statistics.md). Where few payments are expected,
 * chance deviates more than a normal distribution says.
 */
const SURE = 5.5;
const SURE_AT_ONCE = 4.2;
const SURE_OF_FEW = 6;
/** Below this number of expected payments they count as few. */
const FEW = 60;
/** The least spread between weeks that is assumed. */
const LEAST_SPREAD = 0.02;

/** The usual rate, its uncertainty, and the orders it is based on. */
function bandOf({ weeks }: Usual): {
  readonly rate: number;
  readonly spread: number;
  readonly orders: number;
} {
  const orders = weeks.reduce((sum, week) => sum + week.orders, 0);
  const paid = weeks.reduce((sum, week) => sum + week.paid, 0);
  const rate = orders === 0 ? 0 : paid / orders;
  const variance = weeks.reduce((sum, week) => {
    if (week.orders === 0) return sum;
    // Takes out the part that is chance alone, because that is counted with the payments.
    const off = (week.paid / week.orders - rate) ** 2 - (rate * (1 - rate)) / week.orders;
    return sum + Math.max(0, off) / weeks.length;
  }, 0);
  // The usual rate comes from a limited number of orders, so it is uncertain too.
  const unsure = orders === 0 ? 0 : (rate * (1 - rate)) / orders;
  return { rate, spread: Math.sqrt(Math.max(LEAST_SPREAD ** 2, variance) + unsure), orders };
}

/** Judges one key's payments of the last minutes. Undefined when too little is known. */
export function judge(recent: Recent, usual: Usual): Verdict | undefined {
  const { rate, spread, orders } = bandOf(usual);
  if (orders < LEAST_USUAL || rate === 0) return undefined;
  const verdicts = WINDOWS.flatMap((window) => {
    const seen = arrivals(recent, usual.arrived, rate, window);
    const { expected, variance, paid } = seen;
    if (expected / rate < LEAST_ORDERS) return [];
    const off = (expected - paid) / Math.sqrt(variance + ((spread / rate) * expected) ** 2);
    const fall = ((expected - paid) / expected) * rate;
    const sure = expected < FEW ? SURE_OF_FEW : window === WINDOWS[0] ? SURE_AT_ONCE : SURE;
    return [{ isSure: off >= sure, fall, expected, paid }];
  });
  const longest = verdicts.at(-1);
  if (!longest) return undefined;
  const fallen = verdicts.find(({ isSure, fall }) => isSure && fall >= LEAST_FALL);
  const shown = fallen ?? longest;
  return {
    fell: fallen !== undefined,
    isUsual: verdicts.every(({ fall }) => fall < CLOSED_WITHIN),
    rate: Math.max(0, rate - shown.fall),
    usual: rate,
    expected: shown.expected,
    paid: shown.paid,
  };
}

/** The payments of the last `window` slots: how many were expected, their variance, and how many came. */
function arrivals({ created, paid }: Recent, arrived: readonly number[], rate: number, window: number) {
  let [expected, variance] = [0, 0];
  const share = (age: number) => (age < 0 ? 0 : arrived[Math.min(age, arrived.length - 1)]!);
  for (let age = 0; age < created.length; age += 1) {
    const orders = created[age]!;
    if (orders === 0) continue;
    const chance = rate * (share(age) - share(age - window));
    expected += orders * chance;
    variance += orders * chance * (1 - chance);
  }
  let came = 0;
  for (let since = 0; since < Math.min(window, paid.length); since += 1) came += paid[since]!;
  return { expected, variance, paid: came };
}

/** The share of payments that have come by each age, from the numbers of payments by delay. */
export function arrivedBy(payments: readonly number[]): number[] {
  const total = payments.reduce((sum, count) => sum + count, 0);
  let sum = 0;
  return payments.map((count, slot) => {
    sum += count;
    return total === 0 ? (slot === payments.length - 1 ? 1 : 0) : sum / total;
  });
}

/** How many slots of payments are examined for their delay. */
export const PACE_WINDOW = 30;
const LEAST_PAYMENTS = 20;
const SLOWER = 2;
const CLOSED_SLOWER = 1.5;
/** Slots. Half a minute more is no reason for an alert. */
const LEAST_SLOWER = 2;

interface Pace {
  readonly slow: boolean;
  readonly isUsual: boolean;
  /** Medians, in slots. */
  readonly median: number;
  readonly usual: number;
}

/** Whether payments take twice as long as usual. Undefined when too few came. */
export function judgePace({ delays }: Recent, { arrived }: Usual): Pace | undefined {
  if (delays.reduce((sum, orders) => sum + orders, 0) < LEAST_PAYMENTS) return undefined;
  const [median, usual] = [medianOf(arrivedBy(delays)), medianOf(arrived)];
  return {
    slow: median >= usual * SLOWER && median - usual >= LEAST_SLOWER,
    isUsual: median < usual * CLOSED_SLOWER,
    median,
    usual,
  };
}

/** The median in slots. Within a slot, payments are assumed to be even. */
function medianOf(arrived: readonly number[]): number {
  const slot = arrived.findIndex((share) => share >= 0.5);
  if (slot < 0) return arrived.length;
  const before = slot === 0 ? 0 : arrived[slot - 1]!;
  return slot + (0.5 - before) / (arrived[slot]! - before);
}
