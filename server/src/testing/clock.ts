import type { Clock } from '../platform/clock.ts';

/** A Monday, noon in India. */
const START = new Date('2026-11-16T06:30:00.000Z');

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  #now = START.getTime();

  now(): Date {
    return new Date(this.#now);
  }

  advance(ms: number): void {
    this.#now += ms;
  }

  set(moment: Date): void {
    this.#now = moment.getTime();
  }
}
