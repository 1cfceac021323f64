import { formatTime } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { makeShop, type Shop } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { heartbeat } from './heartbeat.ts';

let node: TestPlatform;
let shop: Shop;
let other: Shop;
beforeAll(async () => {
  node = await createTestPlatform();
  shop = await makeShop(node.platform);
  other = await makeShop(node.platform);
});
afterAll(() => node.close());

const beat = (scriptVersion = '1.0', accounts: string[] = []) =>
  heartbeat(node.platform, shop.monitor, { scriptVersion, battery: 81, accounts });
const log = () =>
  node.platform.db.query<{ detail: unknown; monitorId: bigint }>(sql`
    select monitor_id as "monitorId", detail from monitor_log where phase = 'heartbeat' order by id`);

test('a beat moves last_seen_at and the script version; the log keeps one a minute', async () => {
  const accounts = [String(shop.accountId), String(other.accountId), '9223372036854775807'];
  expect(await beat('1.0', accounts)).toEqual({ serverTime: formatTime(node.clock.now()) });
  for (let n = 0; n < 5; n += 1) {
    node.clock.advance(10 * SECOND);
    await beat('1.1');
  }
  const rows = await node.platform.db.query(sql`
    select last_seen_at as seen, script_version as version from monitors where id = ${shop.monitor.id}`);
  expect(rows).toEqual([{ seen: node.clock.now(), version: '1.1' }]);
  expect(await log()).toEqual([
    {
      monitorId: shop.monitor.id,
      detail: { scriptVersion: '1.0', battery: 81, accounts: [String(shop.accountId)] },
    },
  ]);
  node.clock.advance(10 * SECOND);
  await beat('1.1');
  expect(await log()).toHaveLength(2);
});

test('concurrent heartbeats on two nodes leave one line in the log', async () => {
  node.clock.advance(MINUTE);
  const nodes = [node.platform, node.anotherNode()];
  const before = (await log()).length;
  await Promise.all(
    Array.from({ length: 8 }, (_, n) => heartbeat(nodes[n % 2]!, shop.monitor, { scriptVersion: '1.1' })),
  );
  expect(await log()).toHaveLength(before + 1);
});
