import { expect, test } from 'vitest';
import { createSlots, type Place } from './slots.ts';

/** Starts as many attempts as there is room for, for merchants with endless backlogs. */
function fill(places: ReturnType<typeof createSlots>, merchants: readonly bigint[], now: number): Place[] {
  const room = places.room(now);
  const taken: Place[] = [];
  for (const merchantId of merchants) {
    const most = room.known.get(merchantId) ?? room.perMerchant;
    for (let n = 0; n < most && taken.length < room.total; n += 1) taken.push(places.take(merchantId, now));
  }
  return taken;
}

function settle(places: ReturnType<typeof createSlots>, attempts: readonly Place[], now: number): void {
  for (const place of attempts) {
    places.answered(place, now);
    places.leave(place);
  }
}

test('a hundred merchants that never answer leave room for the others, and after a second the whole room', () => {
  const places = createSlots();
  const { total } = places.room(0);
  const dead = Array.from({ length: 100 }, (_, n) => BigInt(n));
  const hung = fill(places, dead, 0);
  expect(places.room(500).total).toBeGreaterThan(0);
  expect(places.room(1_001).total).toBe(total);
  // They are known to be slow and have more places than slow merchants may have: nothing new for them.
  expect(fill(places, dead, 1_001)).toEqual([]);
  settle(places, hung, 10_000);
  expect(fill(places, dead, 10_001).length).toBeGreaterThan(0);
  expect(places.room(10_001).total).toBe(total);
});

test('a merchant has more places once it answers quickly, and few again once it does not', () => {
  const places = createSlots();
  const first = fill(places, [1n], 0);
  settle(places, first, 10);
  const more = fill(places, [1n], 11);
  expect(more.length).toBeGreaterThan(4 * first.length);
  settle(places, more, 5_000);
  expect(fill(places, [1n], 5_001).length).toBeLessThan(more.length / 4);
});

test('an answered attempt that is not recorded takes a place of the node, but none of its merchant', () => {
  const places = createSlots();
  settle(places, fill(places, [1n], 0), 10);
  const most = places.room(10).known.get(1n)!;
  const attempts = fill(places, [1n], 10);
  for (const place of attempts) places.answered(place, 20);
  expect(places.room(20).known.get(1n)).toBe(most);
  expect(places.room(20).total).toBe(createSlots().room(0).total - attempts.length);
  // The time of recording does not count against the merchant.
  expect(places.room(5_000).known.get(1n)).toBe(most);
});
