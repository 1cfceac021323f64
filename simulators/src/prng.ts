/** Seeded random numbers: the same seed gives the same run, as far as the world outside lets it. */
export interface Prng {
  /** Uniform in [0, 1). */
  next(): number;
  /** Whole number from `low` to `high`, both included. */
  int(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** An item by weight. */
  weighted<T>(items: readonly (readonly [T, number])[]): T;
  digits(count: number): string;
}

/** mulberry32, seeded by several numbers, so that each order has a stream of its own whatever runs beside it. */
export function createPrng(...seeds: readonly number[]): Prng {
  let state =
    seeds.reduce((mixed, seed) => Math.imul(mixed ^ seed, 0x9e3779b1) ^ (mixed >>> 13), 0x51ed270b) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (items) => items[int(0, items.length - 1)]!,
    weighted(items) {
      let at = next() * items.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [item, weight] of items) {
        at -= weight;
        if (at < 0) return item;
      }
      return items.at(-1)![0];
    },
    digits: (count) => Array.from({ length: count }, () => int(0, 9)).join(''),
  };
}
