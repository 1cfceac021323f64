import { type Clock, MINUTE, SECOND } from '../clock.ts';
import { raw, type Sql, sql } from './database.ts';

/**
 * 64-bit ids made by the node: 41 bits of milliseconds since 2020, 10 bits of node slot, 12 bits of sequence. They are ordered by creation
 * time, so keyset pages, month partitions and time ranges all need only the id.
 */
const EPOCH_MS = Date.UTC(2020, 0, 1);
const NODE_BITS = 10n;
const SEQUENCE_BITS = 12n;
const MAX_ID = 2n ** 63n - 1n;
/** Ids of now use the lower half of the sequence and ids of history the upper half, so they never collide. */
const HALF = 1 << (Number(SEQUENCE_BITS) - 1);
/** Up to this age a given moment counts as now, because commands pass on the time they began at. */
const NOW_MS = 5 * MINUTE;
/** How far apart ids of two nodes may be in time when their order is wrong. */
const SLACK_MS = 5 * MINUTE;
/** How far ahead of the clock ids may be after it was set back. Look-ups by `lowestIdAfter` miss what other nodes write after ids far ahead. */
const MOST_AHEAD_MS = MINUTE;
/** How many milliseconds of history have a remembered count, at least. A demo of a million orders, planned in several passes, needs them. */
const MAX_HISTORY = 8_000_000;

export interface IdMaker {
  /** A new id. `at` is given only where history is written afterwards (seeds, imports). */
  next(at?: Date): bigint;
}

/** The smallest id that a row created at `moment` can have. It turns time bounds into id bounds. After 2089 it is the largest bigint. */
export function firstIdAt(moment: Date): bigint {
  const id = BigInt(Math.max(0, moment.getTime() - EPOCH_MS)) << (NODE_BITS + SEQUENCE_BITS);
  return id > MAX_ID ? MAX_ID : id;
}

/** The same in SQL, for a moment that the statement computes. */
export function firstIdOf(moment: Sql): Sql {
  const bits = raw(String(NODE_BITS + SEQUENCE_BITS));
  return sql`((date_part('epoch', ${moment}) * 1000 - ${raw(String(EPOCH_MS))})::bigint << ${bits})`;
}

/** The millisecond an id was made in. */
export function timeOfId(id: bigint): Date {
  return new Date(Number(id >> (NODE_BITS + SEQUENCE_BITS)) + EPOCH_MS);
}

/**
 * How far ids of two nodes may be in the wrong order, as a difference of ids. Their clocks may differ by a minute; five minutes are a wide
 * margin, which costs little because this only decides which month partitions are read.
 */
export const ID_SLACK = BigInt(SLACK_MS) << (NODE_BITS + SEQUENCE_BITS);

/**
 * An id below every id that any node wrote after the row `id`. Use it to say 'younger than' for ids of different nodes. It only limits a
 * look-up; it never decides by itself.
 */
export function lowestIdAfter(id: bigint): bigint {
  return id - ID_SLACK;
}

/**
 * After its clock was set back by more than a minute, the maker gives no id of now any more and calls `onAhead`: the node must end. A new
 * start begins at the clock again.
 */
export function createIdMaker(
  clock: Clock,
  nodeSlot: number,
  onAhead: (error: Error) => void = () => undefined,
): IdMaker {
  const node = BigInt(nodeSlot) << SEQUENCE_BITS;
  // When the clock is set back a little, ids keep counting in the last millisecond seen.
  let lastMs = 0;
  let sequence = 0;
  // Two maps, and the older one goes at once. Deleting a map's oldest key for each new one took 97 % of seeding a million orders: a
  // Map's iterator walks over all keys that were deleted.
  let history = new Map<number, number>();
  let olderHistory = new Map<number, number>();

  function compose(ms: number, count: number): bigint {
    return (BigInt(ms - EPOCH_MS) << (NODE_BITS + SEQUENCE_BITS)) | node | BigInt(count);
  }

  function nextNow(nowMs: number): bigint {
    if (lastMs - nowMs > MOST_AHEAD_MS) {
      const aheadS = Math.round((lastMs - nowMs) / SECOND);
      const error = new Error(
        `the ids of node slot ${nodeSlot} are ${aheadS} s ahead of its clock: the node ends`,
      );
      onAhead(error);
      throw error;
    }
    const ms = Math.max(nowMs, lastMs);
    sequence = ms === lastMs ? sequence + 1 : 0;
    lastMs = ms;
    if (sequence === HALF) {
      lastMs += 1;
      sequence = 0;
    }
    return compose(lastMs, sequence);
  }

  function nextInHistory(atMs: number): bigint {
    const countAt = (ms: number) => history.get(ms) ?? olderHistory.get(ms) ?? 0;
    let ms = atMs;
    while (countAt(ms) === HALF) ms += 1;
    const count = countAt(ms);
    history.set(ms, count + 1);
    if (history.size > MAX_HISTORY) [olderHistory, history] = [history, new Map()];
    return compose(ms, HALF + count);
  }

  return {
    next(at) {
      const nowMs = clock.now().getTime();
      return at && nowMs - at.getTime() > NOW_MS ? nextInHistory(at.getTime()) : nextNow(nowMs);
    },
  };
}
