import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SimulatedTelegram } from '@sangam/simulators/telegram/bot-api.ts';
import { raiseAlert } from '../alerts/raise.ts';
import type { Platform } from '../platform/platform.ts';
import { giveGroup } from '../testing/bot-group.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { ALERT_TOKEN, giveToken, runBots, telegramFor } from '../testing/telegram.ts';
import { makeMerchant, makeSupplier } from '../testing/world.ts';

let node: TestPlatform;
let telegram: SimulatedTelegram;
let platform: Platform;
beforeAll(async () => {
  node = await createTestPlatform();
});
beforeEach(async () => {
  telegram = await telegramFor(node.clock);
  platform = { ...node.platform, config: { ...node.platform.config, telegramUrl: telegram.url } };
  await giveToken(platform, 'BotToken', ALERT_TOKEN);
});
afterEach(() => telegram.stop());
afterAll(() => node.close());

test('a link leads to the console’s host; a party’s group gets one only to a screen of its own', async () => {
  await platform.settings.write('ApiUrl', 'https://pay.example.com', null);
  const [{ supplierId }, { merchantId }] = [await makeSupplier(platform), await makeMerchant(platform)];
  const kinds = ['monitorOffline', 'callbackFailing', 'lowDeposit'] as const;
  await giveGroup(platform, { chatId: '-1', kinds: [...kinds] });
  const owner = { kinds: [...kinds], title: 'Party' };
  await giveGroup(platform, { ...owner, chatId: '-2', ownerKind: 'supplier', ownerId: String(supplierId) });
  await giveGroup(platform, { ...owner, chatId: '-3', ownerKind: 'merchant', ownerId: String(merchantId) });
  const data = { name: 'Mumbai', since: 'noon' };
  await raiseAlert(platform, { kind: 'monitorOffline', subject: '5', data, supplierId });
  const low = { name: 'Mumbai', balance: '1.00 INR' };
  await raiseAlert(platform, { kind: 'lowDeposit', subject: String(supplierId), data: low, supplierId });
  const failing = { name: 'Shop', count: 3 };
  await raiseAlert(platform, {
    kind: 'callbackFailing',
    subject: String(merchantId),
    data: failing,
    merchantId,
  });
  await runBots(platform, node.clock, 8);
  const linksOf = (chat: number) =>
    telegram.messages
      .filter(({ chatId }) => chatId === chat)
      .map(({ text }) => /http\S+/.exec(text)?.[0] ?? 'no link')
      .sort();
  const origin = 'https://console.example.com';
  expect(linksOf(-1)).toEqual([...kinds].sort().map((kind) => `${origin}/systemManager/alerts?k=${kind}`));
  expect(linksOf(-2)).toEqual([`${origin}/setting/monitorScriptInfo/supplier`, 'no link']);
  expect(linksOf(-3)).toEqual(['no link']);
});

test('without a known host of the console the link leads where the program is reached', async () => {
  platform = { ...platform, config: { ...platform.config, consoleOrigin: undefined } };
  await giveGroup(platform, { chatId: '-4', kinds: ['diskFull'] });
  await platform.settings.write('ApiUrl', 'https://pay.example.com', null);
  await raiseAlert(platform, { kind: 'diskFull', subject: 'a', data: { node: 'a', percent: 95 } });
  await runBots(platform, node.clock, 3);
  expect(telegram.messages.map(({ text }) => text).join()).toContain(
    'https://pay.example.com/systemManager/alerts?k=diskFull',
  );
});
