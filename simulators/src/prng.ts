import { createRandom, type Random } from '@sangam/server/demo/random.ts';

/** Seeded random numbers: the same seed gives the same run, as far as the world outside lets it. */
export type Prng = Random;

/** Seeded by several numbers, so that each order has a stream of its own whatever runs beside it. */
export function createPrng(...seeds: readonly number[]): Prng {
  return createRandom(
    seeds.reduce((mixed, seed) => Math.imul(mixed ^ seed, 0x9e3779b1) ^ (mixed >>> 13), 0x51ed270b),
  );
}
