import { getUnknownChats, getUnknownSenders, saveBotGroup } from '@sangam/contract/endpoints/bot.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, askRefused } from '../testing/ask.ts';
import { groupNow } from '../testing/bot-group.ts';
import { hear } from '../testing/telegram.ts';
import { ANNA, DESK, makeTransferDesk, type TransferDesk } from '../testing/transfer-desk.ts';

let made: TransferDesk;
beforeAll(async () => {
  made = await makeTransferDesk();
});
afterAll(() => made.stop());

test('who may not instruct the bot of a listed group is counted and gets no answer, until permitted', async () => {
  const { platform, telegram, node } = made;
  const boss = await made.person('superAdmin');
  const mallory = { id: 8, username: 'mallory' };
  telegram.write(DESK, ANNA, 'good morning');
  // Told twice by Telegram, it is one message.
  telegram.write(DESK, mallory, '/transfer 5000 INR to Mallory 1 for fun', 2);
  telegram.write(DESK, mallory, '/transfer 6000 INR to Mallory 1 for fun');
  telegram.write(DESK, { id: 6, username: 'eve' }, 'good evening');
  await hear(platform, node.clock);
  await hear(platform, node.clock);
  const unknown = async () => (await ask(platform, boss, getUnknownSenders, {})).list;
  expect(await unknown()).toMatchObject([
    { bot: 'transfer', groupTitle: 'Desk', senderId: '6', name: '@eve', count: 1 },
    { bot: 'transfer', groupTitle: 'Desk', senderId: '8', name: '@mallory', count: 2 },
  ]);
  expect((await ask(platform, boss, getUnknownSenders, { bot: 'alert' })).list).toEqual([]);
  expect((await ask(platform, boss, getUnknownChats, {})).list).toEqual([]);
  const now = await groupNow(platform, boss);
  const asked = await askRefused(platform, boss, saveBotGroup, { ...now, senders: ['7', '8'] });
  const decider = await made.person('superAdmin');
  await ask(platform, decider, decide, { id: (asked.data as { todoId: string }).todoId, approve: true });
  expect(await unknown()).toMatchObject([{ name: '@eve' }]);
});
