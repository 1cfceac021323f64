import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../demo/random.ts';
import { SEED } from '../../testing/seed.ts';
import { arrivedBy, judge, judgePace, OLDEST, type Usual } from './judge.ts';

/** Simulates thirty days of a platform's keys, minute by minute, with planted falls. */

const DAYS = 30;
const MINUTES = DAYS * 1440;
/** Slots of half a minute. The test looks once a minute. */
const PER_MINUTE = 2;

interface Key {
  readonly name: string;
  /** Orders a minute at noon. */
  readonly busy: number;
  readonly rate: number;
}
const KEYS: readonly Key[] = [
  { name: 'product', busy: 420, rate: 0.71 },
  { name: 'bank A', busy: 190, rate: 0.76 },
  { name: 'bank B', busy: 130, rate: 0.68 },
  { name: 'merchant A', busy: 160, rate: 0.73 },
  { name: 'account', busy: 130, rate: 0.72 },
  { name: 'smaller account', busy: 60, rate: 0.72 },
  { name: 'small merchant', busy: 3, rate: 0.7 },
  { name: 'quiet merchant', busy: 0.2, rate: 0.7 },
];

/** From this many orders a minute on, three minutes have enough payments to show a fall of thirty points; with fewer, ten minutes have. */
const SHOWN_AT_ONCE = 100;
const SHOWN = 50;

/** The rhythm of a day: a fifth of the orders at night. */
const rhythm = (minute: number) => 0.6 - 0.4 * Math.cos((2 * Math.PI * ((minute % 1440) - 180)) / 1440);
/** The usual rate also changes with the hour. */
const rateAt = (key: Key, minute: number) =>
  key.rate + 0.04 * Math.sin((2 * Math.PI * (minute % 1440)) / 1440);

function poisson(random: Random, mean: number): number {
  if (mean > 30) {
    const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
  }
  const limit = Math.exp(-mean);
  let [count, product] = [0, random.next()];
  while (product > limit) {
    count += 1;
    product *= random.next();
  }
  return count;
}

/** The share of payments that came by each slot after the order: median 1.5 minutes, with a long tail. */
const PAYMENTS = Array.from({ length: OLDEST + 1 }, (_, slot) => {
  const at = (slot + 0.5) / 3;
  return Math.exp(-(Math.log(at) ** 2) / (2 * 0.9 ** 2)) / at;
});
const ARRIVED = arrivedBy(PAYMENTS);
/** Delays at equal shares of the payments. Each payment draws one. */
const DELAYS = Array.from({ length: 4096 }, (_, n) =>
  ARRIVED.findIndex((share) => share >= (n + 0.5) / 4096),
);

interface Fall {
  readonly from: number;
  readonly until: number;
}

/** One key's orders, by slots since creation, and its payments, by slots since they came. */
class Life {
  readonly #key: Key;
  readonly #falls: readonly Fall[];
  readonly #random: Random;
  readonly created: number[] = [];
  readonly paid: number[] = [];
  readonly delays: number[] = [];
  /** Payments under way, by slots until they come. */
  readonly #due = Array.from({ length: OLDEST + 1 }, () => 0);

  constructor(key: Key, falls: readonly Fall[], random: Random) {
    [this.#key, this.#falls, this.#random] = [key, falls, random];
  }

  /** One slot passes: orders come, and payments come. A fall takes 30 percentage points off the rate. */
  step(slot: number): void {
    const minute = slot / PER_MINUTE;
    const rate = rateAt(this.#key, minute);
    const fallen = this.#falls.some(({ from, until }) => minute >= from && minute < until);
    this.created.unshift(poisson(this.#random, (this.#key.busy * rhythm(minute)) / PER_MINUTE));
    this.paid.unshift(0);
    this.created.length = Math.min(this.created.length, OLDEST + 1);
    this.paid.length = Math.min(this.paid.length, OLDEST + 1);
    // Each order is paid or not, independent of other orders.
    for (let order = 0; order < this.created[0]!; order += 1)
      if (this.#random.next() < rate)
        this.#due[DELAYS[Math.floor(this.#random.next() * DELAYS.length)]!]! += 1;
    for (let payment = this.#due.shift()!; payment > 0; payment -= 1)
      if (!fallen || this.#random.next() < (rate - 0.3) / rate) this.paid[0]! += 1;
    this.#due.push(0);
  }
}

/** The same half hour in four weeks, a little different each week. */
function usualOf(key: Key, minute: number, random: Random): Usual {
  const orders = key.busy * rhythm(minute) * 30;
  const weeks = Array.from({ length: 4 }, () => {
    const made = poisson(random, orders);
    const share = Math.min(1, rateAt(key, minute) + 0.01 * (random.next() * 2 - 1));
    return { orders: made, paid: Math.min(made, poisson(random, made * share)) };
  });
  return { weeks, arrived: ARRIVED };
}

test(`in thirty days every planted fall of thirty points is found within three minutes, with fewer orders within ten, and at most one alert a week is false (SEED=${SEED})`, () => {
  const [late, never]: [string[], string[]] = [[], []];
  let [falls, falseAlerts] = [0, 0];
  for (const [index, key] of KEYS.entries()) {
    const random = createRandom(SEED + index);
    // Planted in the daytime, where a key has enough orders to show a fall.
    const planted: Fall[] =
      key.busy < SHOWN
        ? []
        : Array.from({ length: DAYS / 2 }, (_, n) => {
            const from = n * 2 * 1440 + 600 + random.int(0, 500);
            return { from, until: from + 40 };
          });
    falls += planted.length;
    const life = new Life(key, planted, random);
    const found = new Set<Fall>();
    let usual = usualOf(key, 0, random);
    let open = false;
    for (let minute = 0; minute < MINUTES; minute += 1) {
      for (let slot = 0; slot < PER_MINUTE; slot += 1) life.step(minute * PER_MINUTE + slot);
      if (minute % 30 === 0) usual = usualOf(key, minute, random);
      const verdict = judge(life, usual);
      const fall = planted.find(({ from, until }) => minute >= from && minute < until + 50);
      if (verdict?.fell && !open) {
        if (!fall) falseAlerts += 1;
        else if (!found.has(fall)) {
          found.add(fall);
          const minutes = minute + 1 - fall.from;
          if (minutes > 10) never.push(`${key.name}: ${minutes} minutes`);
          else if (minutes > 3 && key.busy >= SHOWN_AT_ONCE) late.push(`${key.name}: ${minutes} minutes`);
        }
      }
      open = verdict?.fell === true || (open && verdict?.isUsual !== true);
    }
    for (const fall of planted) if (!found.has(fall)) never.push(`${key.name}: never (${fall.from})`);
  }
  expect(falls).toBeGreaterThan(50);
  expect(never).toEqual([]);
  expect(late).toEqual([]);
  expect(falseAlerts).toBeLessThanOrEqual(4);
});

test('payments that take twice as long raise an alert, and payments of the usual time do not', () => {
  const usual: Usual = { weeks: [], arrived: ARRIVED };
  const recentOf = (factor: number, orders = 100) => {
    const delays = Array.from({ length: OLDEST + 1 }, () => 0);
    for (let n = 0; n < orders; n += 1) {
      const delay = ARRIVED.findIndex((share) => share >= (n + 0.5) / orders);
      delays[Math.min(OLDEST, Math.round(delay * factor))]! += 1;
    }
    return { created: [], paid: [], delays };
  };
  expect(judgePace(recentOf(1), usual)).toMatchObject({ slow: false, isUsual: true });
  expect(judgePace(recentOf(2.6), usual)).toMatchObject({ slow: true, isUsual: false });
  expect(judgePace(recentOf(2.6, 10), usual)).toBeUndefined();
});
