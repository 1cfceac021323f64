import * as contract from '@sangam/contract/endpoints/message-template.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SECOND } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { defaultTemplates } from './defaults/default-templates.ts';
import { createOne, creditSms, makeShop, type Shop } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { receiveMessages } from '../matching/receive.ts';
import type { Platform } from '../../platform/platform.ts';

let node: TestPlatform;
let shop: Shop;
let viewer: Viewer;
let second: Viewer;
let author: string;
let told = 0;
beforeAll(async () => {
  node = await createTestPlatform();
  shop = await makeShop(node.platform);
  const { id, account } = await makeUser(node.platform, { role: 'superAdmin' });
  author = account;
  viewer = viewerOf(node.platform, { role: 'superAdmin', userId: id });
  const { id: secondId } = await makeUser(node.platform, { role: 'admin' });
  second = viewerOf(node.platform, { role: 'admin', userId: secondId });
});
afterAll(() => node.close());

async function receive(sender: string, text: string, platform: Platform = node.platform): Promise<string> {
  told += 1;
  const [result] = await receiveMessages(platform, shop.monitor, [
    {
      messageId: `t${told}`,
      kind: 'sms',
      sender,
      text,
      receivedAt: node.clock.now(),
      accountHint: undefined,
    },
  ]);
  return result!.state;
}
const odd = (amount: string) => `Bravo! ${amount} rupiya aa gaya aapke khate XX4821 me, ref 612812345678`;
const own = {
  id: 'own-odd-credit',
  bank: 'Odd',
  country: 'IN',
  currency: 'INR',
  senderHeaders: ['ODDBNK'],
  rule: 'credit',
  pattern: String.raw`(?P<amount>\d[\d,.]*) rupiya aa gaya .{0,20}khate (?P<account>[x\d]+)`,
  details: [String.raw`\bref (?P<ref>\d{12})`],
  priority: 600,
  kind: 'account',
  enabled: true,
  samples: [{ text: odd('500'), expected: { amount: '500.00', account: '4821', ref: '612812345678' } }],
} as const;
/** Asks for a change that needs a second person. Returns the request's id. */
async function asked(
  endpoint: Parameters<typeof askRefused>[2],
  input: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { code, data } = await askRefused(node.platform, viewer, endpoint, input);
  expect(code).toBe('approvalNeeded');
  return (data as { readonly todoId: string }).todoId;
}
const agree = (id: string) => ask(node.platform, second, decide, { id, approve: true });
const refusedAs = async (id: string) =>
  (await askRefused(node.platform, second, decide, { id, approve: true })).code;
const askToSave = (template: object, version = 0) =>
  asked(contract.saveMessageTemplate, { template, version });
const save = async (template: object, version = 0) => agree(await askToSave(template, version));

test('a template whose samples do not read as they say is refused, and says where', async () => {
  const wrong = { ...own, samples: [{ text: odd('500'), expected: { amount: '501.00' } }] };
  const refusal = await askRefused(node.platform, viewer, contract.saveMessageTemplate, {
    template: wrong,
    version: 0,
  });
  expect(refusal.code).toBe('invalidInput');
  expect(refusal.data).toMatchObject({
    fields: [{ path: 'samples' }, { path: 'samples' }, { path: 'samples' }],
  });
  const broken = { ...own, pattern: '(?P<amount>' };
  expect(
    (await askRefused(node.platform, viewer, contract.saveMessageTemplate, { template: broken, version: 0 }))
      .code,
  ).toBe('invalidInput');
});

test('a template reads nothing until a second person agrees, then at once, and within a second on another node', async () => {
  const other = node.anotherNode();
  expect(await receive('AX-ODDBNK-S', odd('500'))).toBe('unparsed');
  expect(await receive('AX-ODDBNK-S', odd('500'), other)).toBe('unparsed');
  const id = await askToSave(own);
  const rival = await askToSave({ ...own, priority: 601 });
  expect(await receive('AX-ODDBNK-S', odd('600'))).toBe('unparsed');
  await agree(id);
  expect(await refusedAs(rival)).toBe('conflict');
  expect(await receive('AX-ODDBNK-S', odd('700'))).toBe('unmatched');
  node.clock.advance(SECOND);
  expect(await receive('AX-ODDBNK-S', odd('800'), other)).toBe('unmatched');
  const list = await ask(node.platform, viewer, contract.getMessageTemplateList, { origin: 'own' });
  expect(list.list).toMatchObject([{ id: own.id, version: 1, samples: 1, updatedBy: author }]);
});

test('pages follow one another by cursor', async () => {
  const list = (query: object) =>
    ask(node.platform, viewer, contract.getMessageTemplateList, { pageSize: 50, ...query });
  const pages = [await list({})];
  while (pages.at(-1)!.nextCursor !== null) pages.push(await list({ cursor: pages.at(-1)!.nextCursor }));
  expect(pages.length).toBeGreaterThan(1);
  const ids = pages.flatMap((page) => page.list.map(({ id }) => id));
  expect(ids).toHaveLength(pages[0]!.total);
  expect(new Set(ids).size).toBe(ids.length);
});

test('two who edit the same version: the second is told', async () => {
  await save({ ...own, priority: 610 }, 1);
  const late = await askRefused(node.platform, viewer, contract.saveMessageTemplate, {
    template: own,
    version: 1,
  });
  expect(late.code).toBe('conflict');
  const { versions } = await ask(node.platform, viewer, contract.getMessageTemplate, { id: own.id });
  expect(versions.map(({ version, template }) => [version, template.priority])).toEqual([
    [2, 610],
    [1, 600],
  ]);
});

test('a shipped template is switched off at once, and is then a copy; on again, and off where it ignores, by two', async () => {
  const id = 'sbi-debit-card';
  const { template, origin } = await ask(node.platform, viewer, contract.getMessageTemplate, { id });
  expect(origin).toBe('shipped');
  await askToSave({ ...template, enabled: false, priority: template.priority + 1 });
  expect(
    await ask(node.platform, viewer, contract.saveMessageTemplate, {
      template: { ...template, enabled: false },
      version: 0,
    }),
  ).toEqual({ id, version: 1 });
  await askToSave(template, 1);
  const ignores = defaultTemplates.find(({ rule }) => rule === 'ignore')!;
  await askToSave({ ...ignores, enabled: false });
  expect(await ask(node.platform, viewer, contract.getMessageTemplate, { id })).toMatchObject({
    origin: 'changed',
    version: 1,
    template: { enabled: false },
  });
});

test('a sender number is read as a bank’s others are once a second person agrees, until it is removed', async () => {
  const credit = (amount: number) => `Rs.${amount} credited to your A/c XX4821 on 08-05-26. Avl Bal Rs.9000`;
  expect(await receive('AX-QQNEWB-S', credit(11))).toBe('unparsed');
  const canara = await asked(contract.addBankHeader, { bank: 'Canara', header: 'qqnewb' });
  const rival = await asked(contract.addBankHeader, { bank: 'Odd', header: 'qqnewb' });
  expect(await receive('AX-QQNEWB-S', credit(14))).toBe('unparsed');
  await agree(canara);
  expect(await refusedAs(rival)).toBe('conflict');
  expect(await receive('AX-QQNEWB-S', credit(12))).toBe('unmatched');
  expect(
    (await askRefused(node.platform, viewer, contract.addBankHeader, { bank: 'Odd', header: 'HDFCBK' })).code,
  ).toBe('conflict');
  const { list } = await ask(node.platform, viewer, contract.getBankList, { name: 'QQNEWB' });
  expect(list).toMatchObject([{ bank: 'Canara', added: [{ header: 'QQNEWB' }] }]);
  await ask(node.platform, viewer, contract.removeBankHeader, { header: 'QQNEWB' });
  expect(await receive('AX-QQNEWB-S', credit(13))).toBe('unparsed');
});

test('what a sender added to a bank tells is about the bank’s accounts, and pays their orders', async () => {
  const order = await createOne(node.platform, shop.merchantId);
  await agree(await asked(contract.addBankHeader, { bank: 'HDFC', header: 'qqhdfc' }));
  const told = { ...creditSms(node.platform, shop, order.payable!), sender: 'AX-QQHDFC-S' };
  expect(await receiveMessages(node.platform, shop.monitor, [told])).toMatchObject([
    { state: 'matched', orderId: order.id },
  ]);
});

test('the try-it box shows what is read and what is only guessed, and stores nothing', async () => {
  const count = () => node.platform.db.query<{ n: number }>(sql`select count(*)::int as n from messages`);
  const before = await count();
  const { results } = await ask(node.platform, viewer, contract.tryMessageTemplate, {
    messages: [
      { sender: 'AX-CANBNK-S', text: 'Rs.20.00 credited to A/c XX2205 on 5-4-26, UPI Ref 609512345633' },
      { sender: 'AX-NOBODY-S', text: 'Rs.20.00 credited to A/c XX2205 on 5-4-26, UPI Ref 609512345633' },
      { sender: 'AX-CANBNK-S', text: '551290 is your OTP' },
    ],
  });
  expect(results).toMatchObject([
    { outcome: 'parsed', isProposal: false, amount: 2000, accountTail: '2205', ref: '609512345633' },
    { outcome: 'unparsed', isProposal: true, amount: 2000 },
    { outcome: 'otp' },
  ]);
  expect(await count()).toEqual(before);
});

test('a template made from an unread message is ready to save and reads the next one', async () => {
  const text = (amount: string, day: string, ref: string) =>
    `Namaste! Rs ${amount} jama hua khata a/c XX7788 me dinank ${day}. UPI Ref ${ref}. Bal Rs 9,100.50`;
  expect(await receive('AX-JAMABK-S', text('1,250.00', '08-05-26', '612812345611'))).toBe('unparsed');
  const rows = await node.platform.db.query<{ id: bigint }>(sql`
    select id from messages where sender = 'AX-JAMABK-S' order by id desc limit 1`);
  const { template, errors } = await ask(node.platform, viewer, contract.draftMessageTemplate, {
    messageId: String(rows[0]!.id),
  });
  expect(errors).toEqual([]);
  expect(template.samples[0]!.expected).toEqual({
    amount: '1250.00',
    account: '7788',
    balance: '9100.50',
    ref: '612812345611',
  });
  await save({ ...template, rule: 'credit' });
  expect(await receive('AX-JAMABK-S', text('77', '09-05-26', '612912345612'))).toBe('unmatched');
});

test('coverage counts by bank what was read, unread and ignored', async () => {
  const { list } = await ask(node.platform, viewer, contract.getMessageCoverage);
  const unknown = list.find(({ bank }) => bank === null);
  expect(unknown).toMatchObject({ senders: expect.arrayContaining(['ODDBNK']) });
  expect(unknown!.unparsed).toBeGreaterThan(0);
  expect(unknown!.lastUnparsedId).not.toBeNull();
});
