import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { raiseAlert } from '../alerts/raise.ts';
import { readOrder } from '../collection/read.ts';
import { HOUR } from '../platform/clock.ts';
import { createOne, makeShop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { startLoops } from './loops.ts';

let world: TestPlatform;
beforeAll(async () => {
  world = await createTestPlatform();
});
afterAll(() => world.close());

test('a node that may not decide still tells: the alert leaves, the order does not expire', async () => {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(request.url!);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const platform = {
    ...world.platform,
    config: { ...world.platform.config, alertWebhook: { url, secret: 'shared' } },
  };
  const { merchantId } = await makeShop(platform);
  const { id } = await createOne(platform, merchantId);
  world.clock.advance(HOUR);
  const before = await readOrder(platform.db, id);
  await raiseAlert(platform, { kind: 'clockSkew', subject: 'n', data: { node: 'n', seconds: 1200 } });
  const loops = startLoops(platform, () => false);
  await expect.poll(() => calls, { timeout: 10_000 }).toEqual(['/hook']);
  // The loop that expires orders had two turns before the first call of the webhook.
  expect(await readOrder(platform.db, id)).toEqual(before);
  await loops.stop();
  server.close();
}, 30_000);
