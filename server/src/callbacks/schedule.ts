import { HOUR, MINUTE, SECOND } from '../platform/clock.ts';

/**
 * Wait before each attempt, in ms: the first at once, then as docs/domain.md#callbacks says; after the last the callback is exhausted.
 * A merchant may have a schedule of its own (callback_waits, in seconds).
 */
export const SCHEDULE: readonly number[] = [
  0,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  6 * HOUR,
];

/** Wait after `tries` attempts in ms; undefined when there is no further one. */
export function waitAfter(tries: number, ownSeconds: readonly number[] | null): number | undefined {
  const own = ownSeconds?.[tries];
  return ownSeconds === null ? SCHEDULE[tries] : own === undefined ? undefined : own * SECOND;
}
