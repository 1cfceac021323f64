/** Where commands get the time from, so that tests can move it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Beyond this the machine's clock wants mending: people are told. */
const MOST_WITHOUT_WARNING = 2 * SECOND;
/** Beyond this the node decides nothing by itself. */
const MOST_TO_DECIDE = 15 * SECOND;

/** How far the machine's clock is from the database's. */
export type ClockState = 'right' | 'off' | 'wrong';

/**
 * The database's clock, as last compared: all nodes decide by the same time, whatever their machines say. A node whose
 * machine is more than 15 s off still answers calls, but its loops rest, because something is wrong with it.
 */
export interface DatabaseClock extends Clock {
  /** Milliseconds to add to the machine's clock. */
  readonly offset: number;
  readonly state: ClockState;
  /** Takes a comparison: the database's time, and the machine's before it was asked for and after it came (epoch ms). */
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
      // The answer may have been made at any moment between the two: within that, nothing new was seen.
      if (Math.abs(seen - offset) > (after - before) / 2) offset = Math.round(seen);
    },
  };
}
