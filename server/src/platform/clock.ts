/** Where commands read the time. Tests move this clock. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Above this difference an alert asks people to correct the machine's clock. */
const MOST_WITHOUT_WARNING = 2 * SECOND;
/** Above this difference the loops of the node rest. */
const MOST_TO_DECIDE = 15 * SECOND;

/** How far the machine's clock is from the database's. */
export type ClockState = 'right' | 'off' | 'wrong';

/**
 * The database's time at the last comparison plus the time that has passed since, so that all nodes use the same time. The machine's clock
 * has no part in it, so a step of that clock moves nothing. A node whose machine was more than 15 s off at the last comparison still answers
 * calls, but its loops rest, because something is wrong with that machine.
 */
export interface DatabaseClock extends Clock {
  /** Milliseconds from the machine's time to the database's, at the last comparison. */
  readonly offset: number;
  readonly state: ClockState;
  /** Takes one comparison: the database's time in epoch ms, and `performance.now()` `before` the question and `after` the answer. */
  compare(database: number, before: number, after: number): void;
}

export function createDatabaseClock(
  machine: Clock = systemClock,
  passed: () => number = () => performance.now(),
): DatabaseClock {
  /** What the database's clock showed when `passed` was 0. */
  let origin = machine.now().getTime() - passed();
  let offset = 0;
  return {
    now: () => new Date(origin + passed()),
    get offset() {
      return offset;
    },
    get state() {
      const off = Math.abs(offset);
      return off > MOST_TO_DECIDE ? 'wrong' : off > MOST_WITHOUT_WARNING ? 'off' : 'right';
    },
    compare(database, before, after) {
      const seen = database - (before + after) / 2;
      // The database may have read its clock at any moment between `before` and `after`. A smaller difference tells nothing new.
      if (Math.abs(seen - origin) > (after - before) / 2) origin = seen;
      offset = Math.round(origin + passed() - machine.now().getTime());
    },
  };
}
