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
 * Machine time corrected by the last comparison with the database's clock, so that all nodes use the same time. A node whose machine is
 * more than 15 s off still answers calls, but its loops rest, because something is wrong with that machine.
 */
export interface DatabaseClock extends Clock {
  /** Milliseconds to add to the machine's clock. */
  readonly offset: number;
  readonly state: ClockState;
  /** Takes one comparison, in epoch ms: the database's time, and the machine's time `before` the question and `after` the answer. */
  compare(database: number, before: number, after: number): void;
}

export function createDatabaseClock(machine: Clock = systemClock): DatabaseClock {
  let offset = 0;
  return {
    now: () => new Date(machine.now().getTime() + offset),
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
      if (Math.abs(seen - offset) > (after - before) / 2) offset = Math.round(seen);
    },
  };
}
