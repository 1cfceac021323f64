import { expect, test } from 'vitest';
import { FakeClock } from '../testing/clock.ts';
import { createDatabaseClock, HOUR, SECOND } from './clock.ts';

test('a machine whose clock steps between two comparisons does not move the time', () => {
  const machine = new FakeClock();
  const began = machine.now().getTime();
  let elapsed = 0;
  const clock = createDatabaseClock(machine, () => elapsed);
  const pass = (ms: number) => {
    elapsed += ms;
    machine.advance(ms);
  };
  // The machine booted 5½ h behind the database.
  const database = began + 5.5 * HOUR;
  clock.compare(database, elapsed, elapsed);
  expect(clock.now()).toEqual(new Date(database));
  expect(clock.state).toBe('wrong');
  pass(SECOND);
  machine.advance(5.5 * HOUR);
  expect(clock.now()).toEqual(new Date(database + SECOND));
  pass(2 * SECOND);
  clock.compare(database + 3 * SECOND, elapsed, elapsed);
  expect(clock.state).toBe('right');
  machine.advance(-20 * HOUR);
  pass(SECOND);
  expect(clock.now()).toEqual(new Date(database + 4 * SECOND));
});
