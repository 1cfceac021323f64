import type { Clock } from '../clock.ts';

/**
 * 64-bit ids, time-ordered, made by the node: 41 bits of milliseconds since 2020, 10 bits of node slot,
 * 12 bits of sequence. Their order is the order of creation, so keyset pages, month partitions and time
 * ranges all work on the id alone.
 */
const EPOCH_MS = Date.UTC(2020, 0, 1);
const NODE_BITS = 10n;
const SEQUENCE_BITS = 12n;
const SEQUENCES = 1 << Number(SEQUENCE_BITS);

export interface IdMaker {
  /** A new id; `at` only where history is written afterwards (seeds, imports). */
  next(at?: Date): bigint;
}

/** Smallest id a row created at `moment` can have: turns time bounds into id bounds. */
export function firstIdAt(moment: Date): bigint {
  return BigInt(Math.max(0, moment.getTime() - EPOCH_MS)) << (NODE_BITS + SEQUENCE_BITS);
}

/** The millisecond an id was made in. */
export function timeOfId(id: bigint): Date {
  return new Date(Number(id >> (NODE_BITS + SEQUENCE_BITS)) + EPOCH_MS);
}

export function createIdMaker(clock: Clock, nodeSlot: number): IdMaker {
  const node = BigInt(nodeSlot) << SEQUENCE_BITS;
  // Sequences per millisecond used; a clock set back keeps counting in the last millisecond seen.
  let lastMs = 0;
  let sequence = 0;
  const pastSequences = new Map<number, number>();

  function compose(ms: number, count: number): bigint {
    return (BigInt(ms - EPOCH_MS) << (NODE_BITS + SEQUENCE_BITS)) | node | BigInt(count);
  }

  return {
    next(at) {
      if (at) {
        let ms = at.getTime();
        let count = pastSequences.get(ms) ?? 0;
        while (count >= SEQUENCES) {
          ms += 1;
          count = pastSequences.get(ms) ?? 0;
        }
        pastSequences.set(ms, count + 1);
        if (pastSequences.size > 10_000) pastSequences.delete(pastSequences.keys().next().value!);
        return compose(ms, count);
      }
      const ms = Math.max(clock.now().getTime(), lastMs);
      sequence = ms === lastMs ? sequence + 1 : 0;
      lastMs = ms;
      if (sequence === SEQUENCES) {
        lastMs += 1;
        sequence = 0;
      }
      return compose(lastMs, sequence);
    },
  };
}
