import { HOUR, MINUTE, SECOND } from '../platform/clock.ts';

/**
 * Waits before each attempt, in ms: docs/domain.md#callbacks. The first is 0. After the last attempt the retries are used up. A
 * merchant may have its own schedule (callback_waits, in seconds).
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

/** Wait after `tries` attempts, in ms; undefined when there is no further attempt. */
export function waitAfter(tries: number, ownSeconds: readonly number[] | null): number | undefined {
  const own = ownSeconds?.[tries];
  return ownSeconds === null ? SCHEDULE[tries] : own === undefined ? undefined : own * SECOND;
}
