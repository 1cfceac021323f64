/**
 * Whether orders are paid as usual. Pure: what it is told is what it knows. Time is counted in slots of half a minute.
 *
 * A fall of the success rate shows at once in the payments that ought to come now, while the rate of the newest orders is known
 * only when their time is over. So the payments of the last minutes are held against those to be expected: each recent order
 * with the usual rate of its key, and the usual share of payments that come at its age.
 */
export const SLOT_MS = 30_000;
/** Orders older than this bring no more payments worth waiting for. */
export const OLDEST = 90;

/** The orders of one key that are not older than OLDEST. */
export interface Recent {
  /** By slots since they were created. */
  readonly created: readonly number[];
  /** Paid ones, by slots since they were paid. */
  readonly paid: readonly number[];
  /** Those paid in the last quarter of an hour, by slots from creation to payment. */
  readonly delays: readonly number[];
}

/** What is usual: the same half hour of the four weeks before. */
export interface Usual {
  /** Orders and paid orders of each week. */
  readonly weeks: readonly { readonly orders: number; readonly paid: number }[];
  /** Share of the payments that have come at an age, by slot; the last is 1. */
  readonly arrived: readonly number[];
}

export interface Verdict {
  readonly fell: boolean;
  /** So far back to usual that an alert is closed. */
  readonly isUsual: boolean;
  /** Shares of 1: what the payments of the last minutes come to, and what is usual. */
  readonly rate: number;
  readonly usual: number;
  /** Payments that were to be expected. */
  readonly expected: number;
  readonly paid: number;
}

/** Slots looked back on: a sudden fall shows in the shortest, a slow one, or one of few orders, in the longest. */
const WINDOWS = [6, 10, 20, 40] as const;
const LEAST_ORDERS = 20;
/** So many orders a half hour of four weeks has to have had: less tells nothing of what is usual. */
const LEAST_USUAL = 80;
/** Of the success rate. */
const LEAST_FALL = 0.15;
const CLOSED_WITHIN = 0.08;
/**
 * Standard deviations. The shortest window has three minutes to find a fall, and little to find it in where orders are few: a
 * lower bound there costs nothing (measured with judge.test.ts' keys: docs/decisions.md). Where few payments were to be expected chance
 * strays further than a normal distribution does.
 */
const SURE = 5.5;
const SURE_AT_ONCE = 4.2;
const SURE_OF_FEW = 6;
/** Payments. */
const FEW = 60;
/** Weeks are never more alike than this. */
const LEAST_SPREAD = 0.02;

/** The usual rate, and by how much weeks differ. */
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
    // What chance alone makes of a week is counted with the payments themselves.
    const off = (week.paid / week.orders - rate) ** 2 - (rate * (1 - rate)) / week.orders;
    return sum + Math.max(0, off) / weeks.length;
  }, 0);
  // What is usual is itself known from so many orders only.
  const unsure = orders === 0 ? 0 : (rate * (1 - rate)) / orders;
  return { rate, spread: Math.sqrt(Math.max(LEAST_SPREAD ** 2, variance) + unsure), orders };
}

/** Judges the payments of the last minutes of one key; undefined where too little is known. */
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

/** Payments of the last `window` slots: those to be expected, their variance, and those that came. */
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

/** Shares of payments by age, from numbers of payments by delay. */
export function arrivedBy(payments: readonly number[]): number[] {
  const total = payments.reduce((sum, count) => sum + count, 0);
  let sum = 0;
  return payments.map((count, slot) => {
    sum += count;
    return total === 0 ? (slot === payments.length - 1 ? 1 : 0) : sum / total;
  });
}

/** Slots of payments whose times are looked at. */
export const PACE_WINDOW = 30;
const LEAST_PAYMENTS = 20;
const SLOWER = 2;
const CLOSED_SLOWER = 1.5;
/** Half a minute more is no reason to wake anybody. */
const LEAST_SLOWER = 2;

interface Pace {
  readonly slow: boolean;
  readonly isUsual: boolean;
  /** Medians, in slots. */
  readonly median: number;
  readonly usual: number;
}

/** Whether payments take twice as long as usual; undefined where too few came. */
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

/** Within its slot payments are taken as even. */
function medianOf(arrived: readonly number[]): number {
  const slot = arrived.findIndex((share) => share >= 0.5);
  if (slot < 0) return arrived.length;
  const before = slot === 0 ? 0 : arrived[slot - 1]!;
  return slot + (0.5 - before) / (arrived[slot]! - before);
}
