import { createRandom, type Random } from '@sangam/server/demo/random.ts';

/** Seeded random numbers. The same seed gives the same run, as far as the outside world allows. */
export type Prng = Random;

/** A generator seeded by several numbers, so that each order has its own stream, whatever runs at the same time. */
export function createPrng(...seeds: readonly number[]): Prng {
  return createRandom(
    seeds.reduce((mixed, seed) => Math.imul(mixed ^ seed, 0x9e3779b1) ^ (mixed >>> 13), 0x51ed270b),
  );
}
