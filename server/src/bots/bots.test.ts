import { getBotGroups, getUnknownChats, saveBotGroup } from '@sangam/contract/endpoints/bot.ts';
import { acknowledgeAlert, getAlerts } from '@sangam/contract/endpoints/alert.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { ORDER_MARK } from '@sangam/contract/orders.ts';
import { businessDay } from '@sangam/contract/time.ts';
import type { SimulatedTelegram } from '@sangam/simulators/telegram/bot-api.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeAlert, raiseAlert } from '../alerts/raise.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../platform/clock.ts';
import { raw, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { giveGroup, type GroupInput, groupNow } from '../testing/bot-group.ts';
import { createOne, creditSms, makeShop } from '../testing/payments.ts';
import { giveFunds } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { ALERT_TOKEN, giveToken, hear, runBots, telegramFor } from '../testing/telegram.ts';
import { makeMerchant, makeUser, viewerOf } from '../testing/world.ts';
import { fundRecordOf } from './fund-record.ts';
import { planAlerts, planFundRecords } from './plan.ts';
import { listen } from './poll.ts';
import { enabledGroups } from './store.ts';

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
afterEach(async () => {
  await telegram.stop();
  for (const table of ['bot_messages', 'bot_fund_records', 'bot_groups', 'bot_updates', 'bot_states'])
    await platform.db.query(sql`delete from ${raw(table)}`);
  await platform.db.query(sql`delete from alert_deliveries`);
  await platform.db.query(sql`delete from alerts`);
  await platform.db.query(sql`delete from settings`);
  await platform.settings.refresh();
});
afterAll(() => node.close());

const boss = async () => {
  const { id, account } = await makeUser(platform, { role: 'superAdmin' });
  return { ...viewerOf(platform, { role: 'superAdmin' }), userId: id, account };
};
const ops = { id: -100, title: 'Ops' };
const anna = { id: 7, username: 'anna' };

const group = (change: Partial<GroupInput> = {}) =>
  giveGroup(platform, {
    chatId: String(ops.id),
    kinds: ['backupOld', 'clockSkew', 'callbackFailing', 'nameHit'],
    ...change,
  });
const backup = { kind: 'backupOld', subject: 'backup', data: { hours: 30 } } as const;
const skew = (name: string) =>
  ({ kind: 'clockSkew', subject: name, data: { node: name, seconds: 3 } }) as const;
const texts = (chat = ops.id) =>
  telegram.messages.filter(({ chatId }) => chatId === chat).map(({ text }) => text);
const waiting = async () =>
  (await platform.db.query(sql`select 1 from bot_messages where state = 'waiting'`)).length;

test('an alert reaches its group with a button; after an acknowledgement the message shows who did it', async () => {
  await group();
  await raiseAlert(platform, backup);
  await runBots(platform, node.clock, 2);
  const [message] = telegram.messages;
  expect(message!.text).toContain('The newest backup is 30 h old');
  expect(message!.buttons).toHaveLength(1);
  telegram.press(ops, anna, message!.buttons[0]!, 3);
  await hear(platform, node.clock);
  await hear(platform, node.clock);
  expect(telegram.answers).toHaveLength(1);
  await runBots(platform, node.clock, 3);
  expect(telegram.messages).toHaveLength(1);
  expect(message!.text).toContain('Acknowledged by @anna (Ops)');
  expect(message!.buttons).toEqual([]);
  const viewer = await boss();
  const [row] = (await ask(platform, viewer, getAlerts, {})).list;
  expect(row).toMatchObject({ acknowledgedBy: '@anna (Ops)', closeTime: null });
  expect(await ask(platform, viewer, acknowledgeAlert, { id: row!.id })).toMatchObject({
    acknowledgedBy: '@anna (Ops)',
  });
  await closeAlert(platform, 'backupOld', 'backup');
  await runBots(platform, node.clock, 3);
  expect(message!.text).toContain('Over since');
});

test('BotToken: empty, the bot neither hears nor speaks; set, it does both', async () => {
  await group();
  await platform.settings.write('BotToken', '', null);
  expect(await listen(platform, 'alert')).toBe(false);
  await raiseAlert(platform, backup);
  await runBots(platform, node.clock, 2);
  expect(texts()).toEqual([]);
  await giveToken(platform, 'BotToken', ALERT_TOKEN);
  expect(await listen(platform, 'alert')).toBe(true);
  await raiseAlert(platform, skew('a'));
  await runBots(platform, node.clock, 2);
  expect(texts()).toHaveLength(1);
});

test('BotConstantReminder: an alert is repeated every five minutes until somebody acknowledges; off, it is sent once', async () => {
  await group();
  await raiseAlert(platform, backup);
  await runBots(platform, node.clock, 2);
  node.clock.advance(6 * MINUTE);
  await runBots(platform, node.clock, 2);
  expect(texts()).toHaveLength(1);
  await platform.settings.write('BotConstantReminder', true, null);
  for (const count of [2, 3]) {
    await runBots(platform, node.clock, 2);
    expect(texts()).toHaveLength(count);
    node.clock.advance(5 * MINUTE);
  }
  telegram.press(ops, anna, telegram.messages[0]!.buttons[0]!);
  await hear(platform, node.clock);
  node.clock.advance(HOUR);
  await runBots(platform, node.clock, 8);
  expect(texts()).toHaveLength(3);
  expect(telegram.messages.every(({ buttons }) => buttons.length === 0)).toBe(true);
});

test('a burst: at most 20 messages a minute, the rest summed up, nothing lost', async () => {
  await group();
  for (let each = 0; each < 45; each += 1) await raiseAlert(platform, skew(`node${each}`));
  await runBots(platform, node.clock, 30);
  expect(await waiting()).toBe(0);
  expect(telegram.calls.filter(({ method }) => method === 'sendMessage')).toHaveLength(20);
  expect(texts().at(-1)).toMatch(/^26 alerts in one message/);
});

test('an hour’s outage, 429 and lost answers: every alert arrives; one acknowledged meanwhile is not repeated', async () => {
  await group();
  telegram.off();
  await raiseAlert(platform, backup);
  await raiseAlert(platform, skew('a'));
  await runBots(platform, node.clock, 5);
  node.clock.advance(HOUR);
  await runBots(platform, node.clock, 3);
  expect(texts()).toEqual([]);
  telegram.on();
  node.clock.advance(MINUTE);
  await runBots(platform, node.clock, 5);
  expect(texts()).toHaveLength(2);
  // Telegram took the message but its answer was lost. Somebody saw the message and acknowledged.
  telegram.loseAnswers(1);
  await raiseAlert(platform, skew('b'));
  await runBots(platform, node.clock, 1);
  expect(texts()).toHaveLength(3);
  telegram.press(ops, anna, telegram.messages[2]!.buttons[0]!);
  await hear(platform, node.clock);
  node.clock.advance(5 * MINUTE);
  await runBots(platform, node.clock, 5);
  expect(texts()).toHaveLength(3);
  expect(await waiting()).toBe(0);
});

test('a chat that becomes a supergroup keeps its place; messages follow it', async () => {
  const id = await group();
  telegram.migrate(ops, -100_500);
  await raiseAlert(platform, backup);
  await runBots(platform, node.clock, 4);
  expect(texts(-100_500)).toHaveLength(1);
  const [row] = await platform.db.query<{ chatId: bigint }>(
    sql`select chat_id as "chatId" from bot_groups where id = ${id}`,
  );
  expect(row).toEqual({ chatId: -100_500n });
  const audited = await platform.db.query(
    sql`select 1 from audit_log where action = 'bot.groupMoved' and subject = ${`botGroup:${id}`}`,
  );
  expect(audited).toHaveLength(1);
});

test('strangers get no answer and are counted; permitted senders alone command', async () => {
  const { merchantId } = await makeMerchant(platform);
  await group({ ownerKind: 'merchant', ownerId: String(merchantId), senders: ['7'] });
  // The bot's name must be known before it sends anything.
  await hear(platform, node.clock);
  telegram.write({ id: -999, title: 'Stranger' }, anna, '/balance', 2);
  telegram.write({ id: -999, title: 'Stranger' }, anna, '/balance');
  telegram.write(ops, { id: 8, username: 'mallory' }, '/balance');
  telegram.write(ops, anna, '/help');
  telegram.write(ops, anna, '/balance@sangam_bot');
  telegram.write(ops, anna, '/today');
  telegram.write(ops, anna, '/payouts');
  telegram.write(ops, anna, '/order 123456');
  await hear(platform, node.clock);
  await hear(platform, node.clock);
  await runBots(platform, node.clock, 8);
  expect(texts(-999)).toEqual([]);
  expect(texts()).toHaveLength(5);
  expect(texts()[4]).toBe('No order with 123456');
  const { list } = await ask(platform, await boss(), getUnknownChats, {});
  expect(list).toMatchObject([{ chatId: '-999', title: 'Stranger', count: 2 }]);
});

test('orders that try a merchant’s way are left out of its figures of the day', async () => {
  const shop = await makeShop(platform);
  await group({ ownerKind: 'merchant', ownerId: String(shop.merchantId), senders: ['7'] });
  await createOne(platform, shop.merchantId, { amount: 300_00n });
  const tried = await createOne(platform, shop.merchantId, { amount: 900_00n });
  await platform.db.query(sql`update collection_orders set mark = ${ORDER_MARK.test} where id = ${tried.id}`);
  await hear(platform, node.clock);
  telegram.write(ops, anna, '/today');
  await hear(platform, node.clock);
  await runBots(platform, node.clock, 3);
  expect(texts().join()).toMatch(/: 1 · .*300\.00/);
  expect(texts().join()).not.toMatch(/900\.00|1,200\.00/);
});

test('quiet hours hold back what is not critical; a party’s group is told of its party alone', async () => {
  const { merchantId } = await makeMerchant(platform);
  const { merchantId: other } = await makeMerchant(platform);
  // Quiet from noon to one, business time.
  node.clock.set(new Date('2026-11-20T06:45:00Z'));
  await group({ ownerKind: 'merchant', ownerId: String(merchantId), quietFrom: 720, quietTo: 780 });
  const failing = (id: bigint) =>
    ({
      kind: 'callbackFailing',
      subject: String(id),
      data: { name: `M${id}`, count: 4 },
      merchantId: id,
    }) as const;
  await raiseAlert(platform, failing(merchantId));
  await raiseAlert(platform, failing(other));
  await raiseAlert(platform, { ...backup, merchantId });
  await runBots(platform, node.clock, 5);
  expect(texts()).toHaveLength(1);
  expect(texts()[0]).toContain('backup');
  node.clock.advance(45 * MINUTE);
  await runBots(platform, node.clock, 3);
  expect(texts()).toHaveLength(2);
  expect(texts()[1]).toContain(`M${merchantId}`);
});

test('BotAutoSendFundRecord: the day before as CSV, once, to merchants’ groups only', async () => {
  const { merchantId } = await makeMerchant(platform);
  await group();
  await group({ chatId: '-200', ownerKind: 'merchant', ownerId: String(merchantId) });
  expect(await planFundRecords(platform)).toBe(0);
  await platform.settings.write('BotAutoSendFundRecord', true, null);
  expect(await Promise.all([planFundRecords(platform), planFundRecords(platform)])).toContain(1);
  expect(await planFundRecords(platform)).toBe(0);
  await runBots(platform, node.clock, 2);
  expect(telegram.messages).toHaveLength(1);
  expect(telegram.messages[0]).toMatchObject({ chatId: -200 });
  expect(telegram.messages[0]!.document!.name).toMatch(/^fund-record-\d{4}-\d\d-\d\d\.csv$/);
  node.clock.advance(DAY);
  expect(await planFundRecords(platform)).toBe(1);
});

test('a fund record that holds not all of its day says so', async () => {
  const { merchantId } = await makeMerchant(platform);
  await giveFunds(platform, merchantId, 'INR', 100n);
  await giveFunds(platform, merchantId, 'INR', 200n);
  await group({ chatId: '-200', ownerKind: 'merchant', ownerId: String(merchantId) });
  const [of] = await enabledGroups(platform.db, 'alert');
  const day = businessDay(node.clock.now());
  const linesOf = async (most?: number) =>
    (await fundRecordOf(platform, of!, day, most)).text.trim().split('\r\n');
  expect(await linesOf()).toHaveLength(3);
  const [, said, newest, ...rest] = await linesOf(1);
  expect(said).toContain('Not the whole day');
  expect(newest).toContain(',Available,Top-up,');
  expect(newest).toContain('2.00');
  expect(rest).toEqual([]);
});

test('a fund record writes order codes as text, which spreadsheets do not round', async () => {
  const shop = await makeShop(platform);
  const { id: paid, payable } = await createOne(platform, shop.merchantId);
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, payable!)]);
  await group({ chatId: '-200', ownerKind: 'merchant', ownerId: String(shop.merchantId) });
  const [of] = await enabledGroups(platform.db, 'alert');
  const { text } = await fundRecordOf(platform, of!, businessDay(node.clock.now()));
  expect(text).toContain(`,"=""${paid}""",`);
});

test('any number of nodes: no message is sent twice', async () => {
  await group();
  const other = { ...node.anotherNode(), config: platform.config };
  await other.settings.refresh();
  for (let each = 0; each < 5; each += 1) await raiseAlert(other, skew(`n${each}`));
  for (let second = 0; second < 8; second += 1)
    await Promise.all([runBots(platform, node.clock, 1), runBots(other, node.clock, 1)]);
  node.clock.advance(SECOND);
  expect(texts()).toHaveLength(5);
});

test('a group that becomes another merchant’s hears nothing more of the alerts of the one before', async () => {
  const viewer = await boss();
  const [{ merchantId: first }, { merchantId: second }] = [
    await makeMerchant(platform),
    await makeMerchant(platform),
  ];
  const id = String(
    await group({ ownerKind: 'merchant', ownerId: String(first), kinds: ['callbackFailing'] }),
  );
  await platform.settings.write('BotConstantReminder', true, null);
  const failing = (subject: string) =>
    raiseAlert(platform, {
      kind: 'callbackFailing',
      subject,
      data: { name: 'First', count: 3 },
      merchantId: first,
    });
  await failing('a');
  await runBots(platform, node.clock, 2);
  expect(texts()).toHaveLength(1);
  await failing('b');
  await planAlerts(platform);
  expect(await waiting()).toBe(1);
  const now = await groupNow(platform, viewer);
  const asked = await askRefused(platform, viewer, saveBotGroup, { ...now, ownerId: String(second) });
  await ask(platform, await boss(), decide, { id: (asked.data as { todoId: string }).todoId, approve: true });
  expect((await ask(platform, viewer, getBotGroups, {})).list[0]).toMatchObject({
    id,
    ownerId: String(second),
  });
  expect(await waiting()).toBe(0);
  await closeAlert(platform, 'callbackFailing', 'a');
  node.clock.advance(6 * MINUTE);
  await runBots(platform, node.clock, 3);
  expect(texts()).toHaveLength(1);
  expect(texts()[0]).not.toContain('Over since');
});
