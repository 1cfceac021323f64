import { report } from '@sangam/contract/endpoints/outside.ts';
import { signMonitorCall } from '@sangam/contract/signature.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { monitorRoute } from '../http/route.ts';
import { sql } from '../platform/db/database.ts';
import { call } from '../testing/call.ts';
import { createOne, creditSms, makeShop, type Shop } from '../testing/payments.ts';
import { type TestPlatform, createTestPlatform } from '../testing/platform.ts';

/** A node that is short of time still takes in what the phones report: a payment that stays unknown is an order that times out unpaid. */

let world: TestPlatform;
beforeAll(async () => {
  world = await createTestPlatform();
});
afterAll(() => world.close());

let sequence = 0;
const tell = (
  app: Awaited<ReturnType<TestPlatform['app']>>,
  shop: Shop,
  messages: readonly ReturnType<typeof creditSms>[],
) => {
  const body = JSON.stringify({
    messages: messages.map(({ receivedAt, ...message }) => ({
      ...message,
      receivedAt: receivedAt.getTime(),
    })),
  });
  const timestamp = String(world.clock.now().getTime());
  const number = String((sequence += 1));
  const headers = {
    'content-type': 'application/json',
    'x-monitor-id': String(shop.monitor.id),
    'x-monitor-timestamp': timestamp,
    'x-monitor-sequence': number,
    'x-monitor-signature': signMonitorCall(shop.monitorSecret, timestamp, number, body),
  };
  return call(app, 'POST', report.path, JSON.parse(body) as object, headers);
};

test('screens and sweeps that hold every shared connection do not keep a payment out', async () => {
  const { platform } = world;
  const app = await world.app();
  const shop = await makeShop(platform);
  const order = await createOne(platform, shop.merchantId);
  // A node that works has read the rules of addresses and the lists of names.
  expect((await tell(app, shop, [creditSms(platform, shop, 9_00n)])).code).toBe(200);
  const { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
  const most = platform.db.pool.options.max!;
  const holders = Array.from({ length: most }, () =>
    platform.db.tx(async (tx) => {
      await tx.query(sql`select 1`);
      await gate;
    }),
  );
  await expect.poll(() => platform.db.pool.totalCount).toBe(most);
  const told = tell(app, shop, [creditSms(platform, shop, order.payable!)]);
  const first = await Promise.race([told, new Promise((resolve) => setTimeout(resolve, 3_000, 'no answer'))]);
  openGate();
  await Promise.all([told, ...holders]);
  expect(first).toMatchObject({ code: 200, data: { results: [{ state: 'matched' }] } });
});

test('a phone that reports again before it is answered waits for itself, and other phones do not wait', async () => {
  const { platform } = world;
  const [slow, other] = [await makeShop(platform), await makeShop(platform)];
  const { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
  let atWork = 0;
  let mostAtWork = 0;
  const app = await world.app([
    monitorRoute(report, async (_, monitor, { messages }) => {
      if (monitor.id !== slow.monitor.id) return { results: [] };
      atWork += 1;
      mostAtWork = Math.max(mostAtWork, atWork);
      await gate;
      const told = messages.map((message) => ({
        ...message,
        receivedAt: new Date(message.receivedAt),
        accountHint: undefined,
      }));
      const results = await receiveMessages(platform, monitor, told);
      atWork -= 1;
      return { results: results.map(({ messageId, state }) => ({ messageId, state })) };
    }),
  ]);
  const message = creditSms(platform, slow, 500_00n);
  const answers: number[] = [];
  const again = async () => answers.push((await tell(app, slow, [message])).status);
  const reports = [];
  for (let n = 0; n < 6; n += 1) {
    reports.push(again());
    // The sequence numbers must arrive in their order.
    await expect.poll(() => lastSequence(slow)).toBe(BigInt(sequence));
  }
  expect((await tell(app, other, [creditSms(platform, other, 9_00n)])).status).toBe(200);
  // One is at work and three wait. The others are told to come again.
  await expect.poll(() => answers).toEqual([429, 429]);
  openGate();
  await Promise.all(reports);
  expect([mostAtWork, answers]).toEqual([1, [429, 429, 200, 200, 200, 200]]);
  const stored = await platform.db.query(sql`select 1 from messages where monitor_id = ${slow.monitor.id}`);
  expect(stored).toHaveLength(1);
});

async function lastSequence({ monitor }: Shop): Promise<bigint | undefined> {
  const [row] = await world.platform.db.query<{ last: bigint }>(
    sql`select last_sequence as last from monitors where id = ${monitor.id}`,
  );
  return row?.last;
}
