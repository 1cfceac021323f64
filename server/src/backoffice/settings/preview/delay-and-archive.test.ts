import { previewSetting } from '@sangam/contract/endpoints/system-config.ts';
import { PREVIEWED } from '@sangam/contract/setting-previews.ts';
import type { SettingName } from '@sangam/contract/settings.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { archiveNow } from '../../../archive/run.ts';
import { expireDue } from '../../../collection/expire.ts';
import { receiveMessages } from '../../../evidence/matching/receive.ts';
import { DAY, MINUTE, SECOND } from '../../../platform/clock.ts';
import { sql } from '../../../platform/db/database.ts';
import { makePartitions } from '../../../platform/db/partitions.ts';
import { addUp } from '../../../statistics/keep.ts';
import { ask } from '../../../testing/ask.ts';
import { createOne, creditSms, makeShop, withoutReference } from '../../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../../testing/platform.ts';
import { viewerOf } from '../../../testing/world.ts';
import { countChanges } from '../../../traffic/fold.ts';

/** The previews of MessageDelay and DataClearCycle, compared with a count by hand. The other previews: preview.test.ts. */

let node: TestPlatform;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sangam-preview-'));
  node = await createTestPlatform({ archiveDir: folder });
});
afterEach(async () => {
  await node.close();
  await rm(folder, { recursive: true });
});

/** Line → count, and the orders it names, oldest first. */
async function preview(name: SettingName, value: number) {
  const boss = viewerOf(node.platform, { role: 'superAdmin' });
  const { lines } = await ask(node.platform, boss, previewSetting, { name, value: String(value) });
  return Object.fromEntries(lines.map(({ key, count, orders }) => [key, [count, ...orders.toReversed()]]));
}

test('MessageDelay: wordings that would have been decided together, and payments that would have come too late', async () => {
  const { platform, clock } = node;
  const shop = await makeShop(platform);
  const order = await createOne(platform, shop.merchantId, { amount: 500_00n });
  const told = creditSms(platform, shop, order.payable!);
  const bare = { ...withoutReference(told), messageId: 'bare' };
  await receiveMessages(platform, shop.monitor, [bare]);
  clock.advance(20 * SECOND);
  await receiveMessages(platform, shop.monitor, [told]);
  // Paid 40 s before its time is over.
  const last = await createOne(platform, shop.merchantId, { amount: 700_00n });
  clock.set(new Date(last.expiresAt!.getTime() - 40 * SECOND));
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, last.payable!)]);

  const [first, late] = [String(order.id), String(last.id)];
  expect(await preview('MessageDelay', 19)).toEqual({
    namedFirst: [0],
    namedLater: [0],
    delayedPastTime: [0],
  });
  expect(await preview('MessageDelay', 20)).toEqual({
    namedFirst: [1, first],
    namedLater: [0],
    delayedPastTime: [0],
  });
  expect(await preview('MessageDelay', 41)).toEqual({
    namedFirst: [1, first],
    namedLater: [0],
    delayedPastTime: [1, late],
  });
  await platform.settings.write('MessageDelay', 30, null);
  expect(await preview('MessageDelay', 60)).toEqual({
    namedFirst: [0],
    namedLater: [0],
    delayedPastTime: [1, late],
  });
  expect(await preview('MessageDelay', 0)).toEqual({
    namedFirst: [0],
    namedLater: [1, first],
    delayedPastTime: [0],
  });
});

test('DataClearCycle: the previewed orders are those archived later, and the others are named', async () => {
  const { platform, clock } = node;
  const shop = await makeShop(platform);
  const made = [];
  for (let n = 0; n < 4; n += 1) made.push(await createOne(platform, shop.merchantId));
  const [held, noted] = [made[2]!, made[3]!];
  clock.advance(20 * MINUTE);
  while ((await expireDue(platform)) > 0);
  await platform.db.query(sql`update collection_orders set frozen = true where id = ${held.id}`);
  clock.advance(100 * DAY);
  await makePartitions({ db: node.owner, clock });
  while ((await expireDue(platform)) > 0);
  await countChanges(platform);
  await addUp(platform, () => false);
  const young = await createOne(platform, (await makeShop(platform)).merchantId);
  await platform.db.query(sql`
    insert into order_events (id, order_id, kind, actor_kind, created_at)
    values (${platform.ids.next()}, ${noted.id}, 'note', 'user', ${clock.now()})`);

  expect(await preview('DataClearCycle', 0)).toEqual({});
  expect(await preview('DataClearCycle', 3650)).toEqual({
    leaveDatabase: [0],
    stayInDatabase: [0],
    oldStillNeeded: [0],
  });
  const before = await platform.db.query<{ id: bigint }>(sql`select id from collection_orders order by id`);
  const asked = await preview('DataClearCycle', 60);
  expect(asked['stayInDatabase']).toEqual([1, String(held.id)]);
  expect(asked['oldStillNeeded']).toEqual([1, String(noted.id)]);
  await platform.settings.write('DataClearCycle', 60, null);
  await archiveNow(platform);
  const after = await platform.db.query<{ id: bigint }>(sql`select id from collection_orders order by id`);
  expect(after.map(({ id }) => id)).toEqual([held.id, young.id]);
  const gone = before.filter(({ id }) => !after.some((each) => each.id === id)).map(({ id }) => String(id));
  expect(asked['leaveDatabase']).toEqual([gone.length, ...gone]);
});

test('sixteen settings have a preview', () => {
  expect(new Set(PREVIEWED).size).toBe(16);
});
