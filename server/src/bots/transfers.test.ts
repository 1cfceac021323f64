import { getTransferInstructions } from '@sangam/contract/endpoints/bot.ts';
import { getTotalBalance } from '../ledger/balances.ts';
import { decide, getMine } from '@sangam/contract/endpoints/todo.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { giveToken, hear, runBots, TRANSFER_TOKEN } from '../testing/telegram.ts';
import { ANNA, DESK, makeTransferDesk, type TransferDesk } from '../testing/transfer-desk.ts';
import { viewerOf } from '../testing/world.ts';
import { readInstruction } from './instruction.ts';
import { reportTransfers } from './transfers.ts';

let made: TransferDesk;
let platform: Platform;
beforeAll(async () => {
  made = await makeTransferDesk();
  ({ platform } = made);
});
afterAll(() => made.stop());

const texts = () => made.telegram.messages.map(({ text }) => text);
async function deposit(): Promise<number> {
  const { list } = await getTotalBalance(
    platform,
    viewerOf(platform, { role: 'supplier', supplierId: made.supplierId }),
  );
  return list.find(({ bucket, currency }) => bucket === 'deposit' && currency === 'INR')!.balance;
}
const listed = async () =>
  (await ask(platform, await made.person('superAdmin'), getTransferInstructions, {})).list;

test('an instruction sent three times is one request; two people decide on it; the group gets the result', async () => {
  const before = await deposit();
  made.telegram.write(DESK, ANNA, '/transfer 5,000 INR to Ravi Kumar 50100012345678 for rent', 3);
  made.telegram.write(DESK, { id: 8, username: 'mallory' }, '/transfer 5000 INR to Mallory 1 for fun');
  made.telegram.write(DESK, ANNA, 'good morning');
  await hear(platform, made.node.clock);
  await hear(platform, made.node.clock);
  await runBots(platform, made.node.clock, 3);
  expect(texts()).toHaveLength(1);
  expect(texts()[0]).toContain('Amount: 5,000.00 INR');
  expect(texts()[0]).toContain('Payee: Ravi Kumar 50100012345678');
  expect(await listed()).toMatchObject([{ state: 'pending', amount: 5_000_00, purpose: 'rent' }]);
  const [first, second] = [await made.person('admin'), await made.person('admin')];
  const [todo] = (await ask(platform, first, getMine, { kind: 'transferInstruction' })).list;
  // The first decision moves no money. It asks for the withdrawal.
  await ask(platform, first, decide, { id: todo!.id, approve: true });
  expect(await deposit()).toBe(before);
  const [withdrawal] = (await ask(platform, second, getMine, { kind: 'withdrawal' })).list;
  await askRefused(platform, first, decide, { id: withdrawal!.id, approve: true });
  await askRefused(platform, second, decide, { id: todo!.id, approve: true });
  expect(await deposit()).toBe(before);
  await ask(platform, second, decide, { id: withdrawal!.id, approve: true });
  expect(await deposit()).toBe(before - 5_000_00);
  expect(await Promise.all([reportTransfers(platform), reportTransfers(platform)])).toContain(1);
  await runBots(platform, made.node.clock, 3);
  expect(texts()).toHaveLength(2);
  const number = /request (\d+)/.exec(texts()[0]!)![1];
  expect(texts()[1]).toBe(
    `Request ${number} was approved by two people and booked.\nAmount: 5,000.00 INR\nPayee: R*** K*** **** 5678`,
  );
  expect(await listed()).toMatchObject([{ state: 'done' }]);
});

test('refused by the second person, no money moves and the group is told; an unreadable instruction makes no request', async () => {
  const before = await deposit();
  made.telegram.write(DESK, ANNA, '/transfer\namount: 70 INR\npayee: A 1\npurpose: x');
  made.telegram.write(DESK, ANNA, '/transfer lots of money to me');
  await hear(platform, made.node.clock);
  const [first, second] = [await made.person('admin'), await made.person('admin')];
  const [todo] = (await ask(platform, first, getMine, { kind: 'transferInstruction' })).list;
  await ask(platform, first, decide, { id: todo!.id, approve: true });
  const [withdrawal] = (await ask(platform, second, getMine, { kind: 'withdrawal' })).list;
  await ask(platform, second, decide, { id: withdrawal!.id, approve: false, reason: 'who is A?' });
  await reportTransfers(platform);
  await runBots(platform, made.node.clock, 6);
  expect(await deposit()).toBe(before);
  expect(texts().some((text) => text.startsWith('Not understood'))).toBe(true);
  expect(texts().at(-1)).toBe(
    `Request ${todo!.id} was not approved; nothing moved.\nAmount: 70.00 INR\nPayee: A*** ***\nNote: who is A?`,
  );
  expect(
    (await listed())
      .map(({ state }) => state)
      .slice(0, 2)
      .toSorted(),
  ).toEqual(['refused', 'unclear']);
});

test('who decides second sees the payee whole, however long the purpose', async () => {
  const purpose = `rent → Asha Rao 60200098765432 ${'x'.repeat(160)}`;
  const wordy = `Ravi Kumar of Chaya Traders and Sons, HDFC Bank, Fort branch, Mumbai, account 50100012345678`;
  made.telegram.write(DESK, ANNA, `/transfer 77 INR to ${wordy} for ${purpose}`);
  await hear(platform, made.node.clock);
  const [first, second] = [await made.person('admin'), await made.person('admin')];
  const todo = (await ask(platform, first, getMine, { kind: 'transferInstruction' })).list.find(
    ({ amount }) => amount === 77_00,
  )!;
  await ask(platform, first, decide, { id: todo.id, approve: true });
  const withdrawal = (await ask(platform, second, getMine, { kind: 'withdrawal' })).list.find(
    ({ amount }) => amount === 77_00,
  )!;
  expect(withdrawal.payload).toMatchObject({ payee: wordy });
});

test('what a sender said is not agreed to once the sender may say nothing any more', async () => {
  made.telegram.write(DESK, ANNA, '/transfer 78 INR to Ravi Kumar 50100012345678 for rent');
  await hear(platform, made.node.clock);
  const first = await made.person('admin');
  const todo = (await ask(platform, first, getMine, { kind: 'transferInstruction' })).list.find(
    ({ amount }) => amount === 78_00,
  )!;
  const senders = (ids: string[]) =>
    platform.db.query(
      sql`update bot_groups set sender_ids = ${ids.map(BigInt)} where supplier_id = ${made.supplierId}`,
    );
  await senders(['9']);
  expect((await askRefused(platform, first, decide, { id: todo.id, approve: true })).code).toBe('conflict');
  await senders(['7']);
  await ask(platform, first, decide, { id: todo.id, approve: true });
});

test('TransferBotToken: empty, an instruction waits at Telegram; set, it is taken', async () => {
  const before = (await listed()).length;
  await platform.settings.write('TransferBotToken', '', null);
  made.telegram.write(DESK, ANNA, '/transfer 90 INR to B 2 for y');
  await hear(platform, made.node.clock);
  expect(await listed()).toHaveLength(before);
  await giveToken(platform, 'TransferBotToken', TRANSFER_TOKEN);
  await hear(platform, made.node.clock);
  expect(await listed()).toHaveLength(before + 1);
});

test('after a week without updates Telegram numbers them anew: an instruction with a lower number is taken', async () => {
  const before = (await listed()).length;
  made.node.clock.advance(8 * DAY);
  made.telegram.renumber();
  made.telegram.write(DESK, ANNA, '/transfer 91 INR to B 2 for y');
  await hear(platform, made.node.clock);
  expect(await listed()).toHaveLength(before + 1);
});

test('another bot’s token: its updates count from its own numbers', async () => {
  const before = (await listed()).length;
  const another = `333333:${'u'.repeat(30)}`;
  await giveToken(platform, 'TransferBotToken', another);
  made.telegram.renumber();
  made.telegram.write({ ...DESK, token: another }, ANNA, '/transfer 92 INR to B 2 for y', 2);
  for (let time = 0; time < 3; time += 1) await hear(platform, made.node.clock);
  expect(await listed()).toHaveLength(before + 1);
});

test('instructions are read in one way or not at all', () => {
  const read = (text: string) => readInstruction(text) ?? null;
  expect(read('/transfer@bot 10.5 USDT to TX for y')).toEqual({
    amount: 10_500_000n,
    currency: 'USDT',
    payee: 'TX',
    purpose: 'y',
  });
  expect(read('/transfer\n金额：70\n收款人：王 1\n用途：货款')).toMatchObject({
    amount: 70_00n,
    payee: '王 1',
  });
  for (const [amount, minor] of [
    ['5,000', 5_000_00n],
    ['1,00,000.5', 1_00_000_50n],
    ['1,000,000', 10_00_000_00n],
  ] as const)
    expect(read(`/transfer ${amount} INR to A for b`)).toMatchObject({ amount: minor });
  for (const text of [
    '/transfer 0 INR to A for b',
    '/transfer 1.234 INR to A for b',
    '/transfer -5 INR to A for b',
    '/transfer 5 EUR',
    // For some readers this is 1.50, for others 150.
    '/transfer 1,50 INR to A for b',
    '/transfer 1,0000 INR to A for b',
    '/transfer ,500 INR to A for b',
    '/transfer\namount: 5\namount: 6\npayee: A\npurpose: b',
    '/transfer\namount: 5\npayee: A',
  ])
    expect(read(text)).toBeNull();
});
