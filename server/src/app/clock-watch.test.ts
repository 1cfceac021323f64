import { afterAll, beforeAll, expect, test } from 'vitest';
import { countNodes } from '../access/limits/store.ts';
import { createDatabaseClock, MINUTE, SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { claimNodeSlot } from '../platform/db/node-slot.ts';
import { createLog } from '../platform/log.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeUser } from '../testing/world.ts';
import { createClockWatch } from './clock-watch.ts';

let world: TestPlatform;
beforeAll(async () => {
  world = await createTestPlatform();
});
afterAll(() => world.close());

test('a node 20 minutes ahead uses the database’s time, decides nothing, and notifies the admins once', async () => {
  const admin = await makeUser(world.platform, { role: 'admin' });
  let machineAhead = 0;
  const machine = { now: () => new Date(Date.now() + machineAhead) };
  const clock = createDatabaseClock(machine);
  const watch = createClockWatch({ ...world.platform, log: createLog('silent') }, 'one', clock);
  const comparedTo = (aheadMs: number) => {
    machineAhead = aheadMs;
    const passed = performance.now();
    clock.compare(Date.now(), passed, passed);
    watch();
  };
  const notified = () =>
    world.platform.db.query<{ data: unknown }>(
      sql`select data from inbox_messages where user_id = ${admin.id} and kind = 'clockOff' order by id`,
    );
  comparedTo(SECOND);
  expect(clock.state).toBe('right');
  comparedTo(3 * SECOND);
  expect(clock.state).toBe('off');
  comparedTo(20 * MINUTE);
  expect(clock.state).toBe('wrong');
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(MINUTE);
  comparedTo(20 * MINUTE);
  await expect
    .poll(notified)
    .toEqual([{ data: { node: 'one', seconds: 3 } }, { data: { node: 'one', seconds: 1200 } }]);
  const alerts = () =>
    world.platform.db.query<{ data: unknown; open: boolean }>(
      sql`select data, closed_at is null as open from alerts where kind = 'clockSkew'`,
    );
  await expect.poll(alerts).toEqual([{ data: { node: 'one', seconds: 1200 }, open: true }]);
  comparedTo(0);
  await expect.poll(async () => (await alerts()).map(({ open }) => open)).toEqual([false]);
});

test('a node that died no longer shares the limits after ten seconds, long before its lease ends', async () => {
  const slot = await claimNodeSlot(world.url, {
    takesCalls: true,
    clock: createDatabaseClock(),
    log: createLog('silent'),
    onLost: (error) => {
      throw error;
    },
  });
  expect(await countNodes(world.platform.db)).toBe(1);
  await world.platform.db.query(sql`
    insert into node_slots (slot, token, leased_until) values (500, gen_random_uuid(), now() + interval '58 s'),
      (501, gen_random_uuid(), now() + interval '49 s')`);
  expect(await countNodes(world.platform.db)).toBe(2);
  await slot.release();
});
