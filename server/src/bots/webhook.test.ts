import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { giveGroup } from '../testing/bot-group.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { ALERT_TOKEN, giveToken, runBots, telegramFor } from '../testing/telegram.ts';
import type { SimulatedTelegram } from '@sangam/simulators/telegram/bot-api.ts';
import { listen } from './poll.ts';

let node: TestPlatform;
let telegram: SimulatedTelegram;
let platform: Platform;
let app: FastifyInstance;
beforeAll(async () => {
  node = await createTestPlatform();
  telegram = await telegramFor(node.clock);
  const config = { ...node.platform.config, telegramUrl: telegram.url, telegramWebhook: true };
  platform = { ...node.platform, config };
  app = await node.app(undefined, platform);
  await platform.settings.write('ApiUrl', await app.listen({ host: '127.0.0.1', port: 0 }), null);
  await giveToken(platform, 'BotToken', ALERT_TOKEN);
  await giveGroup(platform);
});
afterAll(async () => {
  await telegram.stop();
  await node.close();
});

const updates = () => platform.db.query(sql`select 1 from bot_updates`);

test('Telegram sends updates with its secret; each update is worked on once', async () => {
  expect(await listen(platform, 'alert')).toBe(true);
  telegram.write({ id: -1, title: 'Ops' }, { id: 7, username: 'anna' }, '/help', 3);
  await expect.poll(async () => (await updates()).length).toBe(1);
  await runBots(platform, node.clock, 3);
  expect(telegram.messages.map(({ text }) => text)).toEqual(['This group receives alerts only']);
});

test('after a change of its token the new bot is told the address', async () => {
  const another = `444444:${'n'.repeat(30)}`;
  await giveToken(platform, 'BotToken', another);
  node.clock.advance(10 * SECOND);
  expect(await listen(platform, 'alert')).toBe(true);
  const before = (await updates()).length;
  telegram.write({ id: -1, title: 'Ops', token: another }, { id: 7, username: 'anna' }, '/help');
  await expect.poll(async () => (await updates()).length).toBe(before + 1);
});

test('without the secret nothing is read, and rubbish is refused', async () => {
  const before = (await updates()).length;
  const post = async (secret: string | undefined, payload: string) =>
    (
      await app.inject({
        method: 'POST',
        url: '/v1.0/telegram/alert',
        headers: {
          'content-type': 'application/json',
          ...(secret !== undefined && { 'x-telegram-bot-api-secret-token': secret }),
        },
        payload,
      })
    ).statusCode;
  const update = JSON.stringify({ update_id: 77 });
  expect(await post(undefined, update)).toBe(403);
  expect(await post('wrong', update)).toBe(403);
  // The secret of the other bot is not accepted here.
  expect(await post(platform.vault.hookMark('telegram transfer'), update)).toBe(403);
  expect(await post(platform.vault.hookMark('telegram alert'), '{"update_id":"x"}')).toBe(400);
  expect((await updates()).length).toBe(before);
});
