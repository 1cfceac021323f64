import {
  importBankStatement,
  getBankStatementImportLines,
} from '@sangam/contract/endpoints/bank-statement.ts';
import { sign } from '@sangam/contract/signature.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { KoshPay } from '@sangam/simulators/gateway/kosh-pay.ts';
import { payoutChannels } from '../channels/payout-channels.ts';
import { MINUTE, SECOND } from '../platform/clock.ts';
import { expireDue } from '../collection/expire.ts';
import { dayOf } from '../evidence/statement/read-statement.ts';
import { ask } from '../testing/ask.ts';
import { readOrders } from '../collection/store.ts';
import { reselect } from '../collection/reselect.ts';
import { sql } from '../platform/db/database.ts';
import { askGateways } from '../payout/ask-gateways.ts';
import { readPayouts } from '../payout/store.ts';
import { dispatchWaiting } from '../testing/gateway.ts';
import { KOSH, exampleScript, makeScript, makeScriptAccount, openKosh } from '../testing/pay-script.ts';
import { newReference } from '../testing/payments.ts';
import { giveFunds, payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { brokenChecks } from '../testing/books.ts';
import { makeMerchant, makeSupplier, makeUser, viewerOf } from '../testing/world.ts';
import { creditHosted, watchHosted } from './hosted-watch.ts';

const [HOSTED, PAYOUT] = [1030, 2010];

let world: TestPlatform;
let app: FastifyInstance;
let kosh: KoshPay;
let merchant: { readonly merchantId: bigint; readonly secret: string };
let scriptId: string;
let receiving: bigint;

beforeAll(async () => {
  kosh = await openKosh({
    deliver: async (url, body) => (await notice(url, body)).payload,
  });
  world = await createTestPlatform();
  app = await world.app();
  const { platform } = world;
  merchant = await makeMerchant(platform, { products: [HOSTED, PAYOUT], signType: 'md5' });
  await giveFunds(platform, merchant.merchantId, 'INR', 1_000_000_00n);
  const { supplierId } = await makeSupplier(platform, { products: [HOSTED] });
  ({ id: scriptId } = await makeScript(platform, await exampleScript(kosh.url), [kosh.url]));
  receiving = await makeScriptAccount(platform, { supplierId, scriptId, direction: 'in' });
  await makeScriptAccount(platform, { supplierId, scriptId, direction: 'out' });
  await platform.db.query(sql`update accounts set max_waiting = 1000`);
});
beforeEach(async () => {
  kosh.mood = 'well';
  await look();
});
afterAll(async () => {
  await kosh.stop();
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

const notice = (url: string, body: string) =>
  app.inject({
    method: 'POST',
    url: new URL(url).pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: body,
  });
/** Lets time pass and runs the loops of both nodes. */
async function look(afterMs = 0): Promise<void> {
  world.clock.advance(afterMs);
  await watchHosted(world.platform);
}

let made = 0;
/** Creates an order by a signed call of the merchant. */
async function create(amount = 500_00): Promise<{ code: number; data: Record<string, unknown> }> {
  made += 1;
  const fields = {
    mchId: String(merchant.merchantId),
    productId: String(HOSTED),
    mchOrderNo: `H${made}`,
    amount: String(amount),
    notifyUrl: 'http://127.0.0.1:9/notify',
    clientIp: '10.0.0.1',
  };
  const answer = await app.inject({
    method: 'POST',
    url: '/v1.0/api/order/create',
    payload: { ...fields, sign: sign(fields, 'md5', merchant.secret) },
  });
  return answer.json();
}
async function order(amount?: number) {
  const { data } = await create(amount);
  const orderCode = String(data['orderCode']);
  return { orderCode, id: BigInt(orderCode), data, trade: kosh.orders.get(orderCode)! };
}
const read = async (id: bigint) => (await readOrders(world.platform.db, [id]))[0]!;
const calls = (id: bigint) =>
  world.platform.db.query<{ function: string; failure: string | null; all: string }>(sql`
    select function, failure, row_to_json(c)::text as all from pay_script_calls c
    where order_id = ${id} order by id`);

test('from create to the merchant’s notice: the page, the payment, the gateway’s word', async () => {
  const { id, orderCode, trade, data } = await order();
  expect(data['payParams']).toMatchObject({
    hostedUrl: `${kosh.url}/pay/${trade.tradeNo}`,
    payableAmount: 500_00,
  });
  const page = await app.inject({ url: `/v1.0/pay/${world.platform.vault.payToken(id)}` });
  expect(page.json()).toMatchObject({
    data: { payParams: { hostedUrl: `${kosh.url}/pay/${trade.tradeNo}` } },
  });
  // The payer's browser presses the button of the gateway's own page.
  await fetch(`${kosh.url}/pay/${trade.tradeNo}`, { method: 'POST' });
  expect(await read(id)).toMatchObject({ status: 6, received: 500_00n, utr: trade.utr });
  const [callback] = await world.platform.db.query<{ fields: Record<string, string> }>(sql`
    select fields from callbacks where order_id = ${id} and kind = 'paid'`);
  expect(callback!.fields).toMatchObject({ payOrderId: orderCode, status: '1' });
});

test('an order that is reported many times and found by a question is paid once', async () => {
  const { id, trade } = await order();
  expect(await kosh.end(trade, 'SUCCESS')).toBe('success');
  expect(await kosh.tell(trade)).toBe('success');
  await Promise.all([kosh.tell(trade), kosh.tell(trade), look(30 * SECOND)]);
  expect((await read(id)).status).toBe(6);
  const [{ messages, postings }] = (await world.platform.db.query<{ messages: number; postings: number }>(sql`
    select (select count(*)::int from messages where utr = ${trade.utr}) as messages,
      (select count(*)::int from postings where order_id = ${id}) as postings`)) as [
    { messages: number; postings: number },
  ];
  expect([messages, postings]).toEqual([1, 1]);
});

test('a notice that was lost is made up for by a question', async () => {
  const { id, trade } = await order();
  await kosh.end(trade, 'SUCCESS', { silent: true });
  await look(10 * SECOND);
  expect((await read(id)).status).toBe(1);
  await look(15 * SECOND);
  expect(await read(id)).toMatchObject({ status: 6, utr: trade.utr });
  const { length } = await calls(id);
  await look(5 * MINUTE);
  await look(5 * MINUTE);
  expect(await calls(id)).toHaveLength(length);
});

test('a forged notice changes nothing, nor does one of another account or at a guessed address', async () => {
  const { id, trade } = await order();
  trade.status = 'SUCCESS';
  expect(await kosh.tell(trade, { amount: '9999.00' })).toBe('fail');
  expect((await read(id)).status).toBe(1);
  const guessed = trade.notifyUrl.replace(/[0-9a-f]{32}$/, 'f'.repeat(32));
  expect((await notice(guessed, 'status=SUCCESS')).statusCode).toBe(404);
  expect(await kosh.tell({ ...trade, orderNo: '12345' })).toBe('fail');
  trade.status = 'PENDING';
});

test('another amount than asked is left to an operator, and the notice is acknowledged so that the gateway stops', async () => {
  const { id, trade } = await order(700_00);
  expect(await kosh.end({ ...trade, amount: '699.00' }, 'SUCCESS')).toBe('success');
  expect((await read(id)).status).toBe(1);
  const rows = await world.platform.db.query(sql`
    select state, reason from messages where account_id = ${receiving} and amount = 69900`);
  expect(rows).toEqual([{ state: 'ambiguous', reason: 'amountDiffers' }]);
});

/** The messages about an order, with state and reason. */
const messagesOf = (orderCode: string) =>
  world.platform.db.query<{ state: string; reason: string | null }>(sql`
    select m.state, m.reason from messages m
    where m.account_id = ${receiving} and starts_with(m.external_id, ${`script/${orderCode}/`}) order by m.id`);
const told = (id: bigint, by: 'question' | 'notice', reference: string, fields: object = {}) =>
  creditHosted(world.platform, receiving, id, by, { state: 'paid', amount: '500.00', reference, ...fields });
const PAID = { state: 'matched', reason: null };

test('a payment found by a question and then reported under another name is one payment', async () => {
  const { id, orderCode } = await order();
  await told(id, 'question', 'ASKED-1');
  await told(id, 'notice', 'TOLD-1', { utr: newReference() });
  await told(id, 'notice', 'TOLD-1');
  await told(id, 'question', 'ASKED-1');
  expect(await messagesOf(orderCode)).toEqual([PAID]);
  // The gateway reports one more payment: a second payment of the order, which an operator gives back.
  await told(id, 'notice', 'TOLD-2');
  expect(await messagesOf(orderCode)).toEqual([PAID, { state: 'ambiguous', reason: 'codeNotOpen' }]);
});

test('a payment reported by a notice and then found by a question is one payment, also if its sum completes nothing', async () => {
  const { id, orderCode } = await order();
  const less = { amount: '499.00' };
  await told(id, 'notice', 'TOLD-3', less);
  await told(id, 'question', 'ASKED-3', less);
  expect(await messagesOf(orderCode)).toEqual([{ state: 'ambiguous', reason: 'amountDiffers' }]);
});

test('another sum or another UTR is another payment', async () => {
  const { id, orderCode } = await order();
  await told(id, 'question', 'ASKED-4', { utr: newReference() });
  await told(id, 'notice', 'TOLD-4', { utr: newReference() });
  await told(id, 'notice', 'TOLD-5', { amount: '100.00' });
  expect(await messagesOf(orderCode)).toMatchObject([PAID, { state: 'ambiguous' }, { state: 'ambiguous' }]);
});

test('a second payment that was taken for the first one shows in the gateway’s statement', async () => {
  const { id, orderCode } = await order();
  const [first, second] = [newReference(), newReference()];
  await told(id, 'question', 'ASKED-7', { utr: first });
  // Paid once more, and now only the notice comes. It states no UTR that could tell the two payments apart.
  await told(id, 'notice', 'TOLD-7');
  expect(await messagesOf(orderCode)).toEqual([PAID]);
  const date = dayOf(world.clock.now(), 'IN').split('-').toReversed().join('/');
  const lines = [first, second].map((reference) => `${date},settled,${reference},,500.00,`);
  const csv = ['Date,Description,Ref No,Debit,Credit,Balance', ...lines].join('\n');
  const file = { fileName: 'settled.csv', content: Buffer.from(csv).toString('base64') };
  const { id: userId } = await makeUser(world.platform, { role: 'superAdmin' });
  const viewer = viewerOf(world.platform, { role: 'superAdmin', userId });
  const input = { resourceId: String(receiving), file };
  const { importId } = await ask(world.platform, viewer, importBankStatement, input);
  const { list } = await ask(world.platform, viewer, getBankStatementImportLines, { importId });
  expect(list.filter(({ row }) => row !== null)).toMatchObject([
    { reference: first, outcome: 'agrees', orderCode },
    { reference: second, outcome: 'missingHere', orderCode: null },
  ]);
});

test('a question and a notice at the same time let one payment in', async () => {
  const { id, orderCode } = await order();
  await Promise.all([told(id, 'question', 'ASKED-6'), told(id, 'notice', 'TOLD-6')]);
  expect(await messagesOf(orderCode)).toEqual([PAID]);
});

test('an order that comes back to an account is asked about there again', async () => {
  const { id, trade } = await order();
  const admin = viewerOf(world.platform, { role: 'admin' });
  await reselect(world.platform, admin, id);
  await look(MINUTE);
  await reselect(world.platform, admin, id);
  expect(await read(id)).toMatchObject({ status: 1, accountId: receiving });
  await kosh.end(trade, 'SUCCESS', { silent: true });
  await look(MINUTE);
  await look(MINUTE);
  expect((await read(id)).status).toBe(6);
});

test('two gateways may name their payments alike; one gateway names each payment once', async () => {
  const [first, second, third] = [await order(), await order(), await order()];
  const { supplierId } = await makeSupplier(world.platform, { products: [HOSTED] });
  const other = await makeScriptAccount(world.platform, {
    supplierId,
    scriptId,
    direction: 'in',
    bank: 'Another gateway',
  });
  await look();
  await reselect(world.platform, viewerOf(world.platform, { role: 'admin' }), second.id);
  await look(10 * SECOND);
  const reference = '1000231';
  await told(first.id, 'notice', reference);
  await creditHosted(world.platform, other, second.id, 'notice', {
    state: 'paid',
    amount: '500.00',
    reference,
  });
  await told(third.id, 'notice', reference);
  const statuses = await Promise.all([first, second, third].map(async ({ id }) => (await read(id)).status));
  expect(statuses).toEqual([6, 6, 1]);
  await world.platform.db.query(sql`update accounts set frozen = true where id = ${other}`);
});

test('any number of orders of one amount wait on an account, and each is paid for itself', async () => {
  const [a, b, c] = [await order(123_00), await order(123_00), await order(123_00)];
  await kosh.end(b!.trade, 'SUCCESS');
  expect([(await read(a!.id)).status, (await read(b!.id)).status, (await read(c!.id)).status]).toEqual([
    1, 6, 1,
  ]);
});

test('what the gateway refuses is taken back at once, and the merchant is told that there is no account', async () => {
  kosh.mood = 'refuses';
  const { code, data } = await create();
  expect(code).toBe(1105);
  made -= 1;
  expect(await create(), 'the same call again').toMatchObject({ code, data });
  const id = BigInt(String(data['orderCode']));
  expect((await read(id)).status).toBe(2);
  expect(await world.platform.db.query(sql`select 1 from waiting_orders where order_id = ${id}`)).toEqual([]);
});

test('a page whose answer cannot be read is asked for again', async () => {
  kosh.mood = 'garbled';
  const { id, data, trade } = await order();
  expect(data['payParams']).not.toHaveProperty('hostedUrl');
  kosh.mood = 'well';
  await Promise.all([look(10 * SECOND), watchHosted(world.anotherNode())]);
  expect((await calls(id)).map(({ function: name, failure }) => [name, failure])).toEqual([
    ['createOrder', 'thrown'],
    ['createOrder', null],
  ]);
  const page = await app.inject({ url: `/v1.0/pay/${world.platform.vault.payToken(id)}` });
  expect(page.json()).toMatchObject({
    data: { payParams: { hostedUrl: `${kosh.url}/pay/${trade.tradeNo}` } },
  });
});

test('a node that died while it asked leaves an order whose page another asks for', async () => {
  const { id, trade } = await order();
  await world.platform.db.query(sql`
    update hosted_pages set state = 'asking', pay_url = null, query_at = null where order_id = ${id}`);
  await look(10 * SECOND);
  expect(await calls(id)).toHaveLength(1);
  await look(25 * SECOND);
  expect((await calls(id)).filter(({ function: name }) => name === 'createOrder')).toHaveLength(2);
  expect(trade.status).toBe('PENDING');
});

test('a payment within the grace completes a timed-out order; a later one is left to an operator', async () => {
  const [late, tooLate] = [await order(), await order()];
  const { expiresAt } = await read(late.id);
  world.clock.set(new Date(expiresAt!.getTime() + SECOND));
  await expireDue(world.platform);
  await kosh.end(late.trade, 'SUCCESS');
  expect((await read(late.id)).status).toBe(6);
  const { CompleteCheckOrderTime } = await world.platform.settings.all();
  world.clock.advance((CompleteCheckOrderTime + 5) * MINUTE);
  await expireDue(world.platform);
  expect(await kosh.end(tooLate.trade, 'SUCCESS')).toBe('success');
  expect((await read(tooLate.id)).status).toBe(2);
  expect(
    await world.platform.db.query(sql`select state from messages where utr = ${tooLate.trade.utr}`),
  ).toEqual([{ state: 'ambiguous' }]);
});

test('no secret of the account stands in any record', async () => {
  const rows = await world.platform.db.query<{ all: string }>(
    sql`select row_to_json(c)::text as all from pay_script_calls c`,
  );
  expect(rows.length).toBeGreaterThan(10);
  for (const { all } of rows)
    for (const secret of [KOSH.key, KOSH.noticeKey]) expect(all).not.toContain(secret);
});

async function payout(): Promise<bigint> {
  const { id } = await payOut(world.platform, merchant.merchantId, { productId: PAYOUT });
  await dispatchWaiting(world.platform, payoutChannels(world.platform));
  return id;
}
const stateOf = async (id: bigint) => (await readPayouts(world.platform.db, [id]))[0]!.status;
const askAfter = async (ms: number) => {
  world.clock.advance(ms);
  await askGateways(world.platform, payoutChannels(world.platform));
};

test('a payout is sent once and ends by the gateway’s word, told or asked for', async () => {
  const [told, asked] = [await payout(), await payout()];
  expect([await stateOf(told), await stateOf(asked)]).toEqual([8, 8]);
  expect(await kosh.end(kosh.transfers.get(String(told))!, 'SUCCESS')).toBe('success');
  expect(await stateOf(told)).toBe(3);
  await kosh.end(kosh.transfers.get(String(asked))!, 'FAILED', { silent: true });
  await askAfter(20 * SECOND);
  expect(await stateOf(asked)).toBe(9);
  expect((await calls(told)).filter(({ function: name }) => name === 'payout')).toHaveLength(1);
});

test('a payout is refused only by a plain refusal; what is not understood is asked about and never sent again', async () => {
  kosh.mood = 'refuses';
  expect(await stateOf(await payout())).toBe(9);
  kosh.mood = 'garbled';
  const id = await payout();
  expect(await stateOf(id)).toBe(7);
  kosh.mood = 'well';
  await dispatchWaiting(world.platform, payoutChannels(world.platform));
  await kosh.end(kosh.transfers.get(String(id))!, 'SUCCESS', { silent: true });
  await askAfter(20 * SECOND);
  expect(await stateOf(id)).toBe(3);
  expect((await calls(id)).filter(({ function: name }) => name === 'payout')).toHaveLength(1);
});

test('a payout that was paid with another amount is left to a person, whether a notice or a question says so', async () => {
  const [told, asked] = [await payout(), await payout()];
  const [first, second] = [told, asked].map((id) =>
    Object.assign(kosh.transfers.get(String(id))!, { amount: '1.00' }),
  );
  await kosh.end(first!, 'SUCCESS');
  await kosh.end(second!, 'SUCCESS', { silent: true });
  await askAfter(20 * SECOND);
  expect([await stateOf(told), await stateOf(asked)]).toEqual([7, 7]);
});

test('without its script an account takes no orders and pays none', async () => {
  await world.platform.db.query(
    sql`update pay_scripts set live_version = null where id = ${BigInt(scriptId)}`,
  );
  await look(2 * MINUTE);
  expect((await create()).code).toBe(1105);
  expect(await stateOf(await payout())).toBe(0);
});
