import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SimulatedDaraja, startDaraja } from '@sangam/simulators/mpesa/daraja-node.ts';
import { createDaraja, type Daraja } from '../channels/mpesa/daraja.ts';
import { payoutChannels } from '../channels/payout-channels.ts';
import type { PayoutChannels } from '../channels/payout-channel.ts';
import { MINUTE, SECOND } from '../platform/clock.ts';
import { createOrders } from '../collection/create.ts';
import type { CollectionOrder } from '../collection/order.ts';
import { readOrders } from '../collection/store.ts';
import { sql } from '../platform/db/database.ts';
import { askGateways, expireSubmitted } from '../payout/ask-gateways.ts';
import { reselectPayout } from '../payout/reselect.ts';
import { readPayouts } from '../payout/store.ts';
import { createLog } from '../platform/log.ts';
import { createNodeState } from '../platform/node-state.ts';
import { isRefusal } from '../platform/refusal.ts';
import { dispatchWaiting } from '../testing/gateway.ts';
import { makeMpesaAccount, MPESA_KEYS } from '../testing/mpesa.ts';
import { newOrder } from '../testing/payments.ts';
import { giveFunds, payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { brokenChecks } from '../testing/books.ts';
import { makeMerchant, makeSupplier, topUpDeposit, viewerOf } from '../testing/world.ts';
import { b2cAddresses, c2bAddresses, stkAddress } from '../channels/mpesa/paths.ts';
import { askStk } from './mpesa-stk.ts';
import { watchMpesa } from './mpesa-watch.ts';

const PAYBILL = '522533';
const TILL = '5202020';
const [MPESA_IN, MPESA_OUT] = [1060, 2060];

let world: TestPlatform;
let app: FastifyInstance;
let node: SimulatedDaraja;
let daraja: Daraja;
let channels: PayoutChannels;
let merchantId: bigint;
let accounts: { paybill: bigint; till: bigint; payer: bigint };

beforeAll(async () => {
  node = await startDaraja({
    ...MPESA_KEYS,
    now: () => world.clock.now().getTime(),
    deliver: async (url, body) => {
      const answer = await app.inject({ method: 'POST', url: new URL(url).pathname, payload: body });
      return { status: answer.statusCode, body: answer.json<unknown>() };
    },
  });
  world = await createTestPlatform({ darajaUrl: node.url });
  app = await world.app();
  const { platform } = world;
  daraja = createDaraja({ url: node.url, clock: world.clock });
  channels = payoutChannels(platform);
  ({ merchantId } = await makeMerchant(platform, { products: [MPESA_IN, MPESA_OUT] }));
  const { supplierId } = await makeSupplier(platform, { products: [MPESA_IN], deposit: 0n });
  await topUpDeposit(platform, supplierId, 'KES', 10n ** 10n);
  await giveFunds(platform, merchantId, 'KES', 10n ** 9n);
  accounts = {
    paybill: await makeMpesaAccount(platform, {
      supplierId,
      shortCode: PAYBILL,
      type: 'paybill',
      direction: 'in',
    }),
    till: await makeMpesaAccount(platform, { supplierId, shortCode: TILL, type: 'till', direction: 'in' }),
    payer: await makeMpesaAccount(platform, {
      supplierId,
      shortCode: '600999',
      type: 'paybill',
      direction: 'out',
    }),
  };
  await watchMpesa(platform, daraja);
});
afterAll(async () => {
  await node.stop();
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

async function order(amount = 1_500_00n, account: 'paybill' | 'till' = 'paybill'): Promise<CollectionOrder> {
  await world.platform.db.query(sql`
    update resources set state = case when account_id = ${accounts[account]} then 0 else 1 end where product_id = ${MPESA_IN}`);
  await watchMpesa(world.platform, daraja);
  const [made] = await createOrders(world.platform, [newOrder(merchantId, { productId: MPESA_IN, amount })]);
  if (!made || isRefusal(made)) throw new Error(`refused: ${JSON.stringify(made)}`);
  return made;
}
const read = async ({ id }: CollectionOrder) => (await readOrders(world.platform.db, [id]))[0]!;
/** The time as M-Pesa writes it, three hours ahead of UTC. */
const kenyaNow = () =>
  new Date(world.clock.now().getTime() + 180 * MINUTE).toISOString().replace(/\D/g, '').slice(0, 14);
const push = async ({ id }: CollectionOrder, phone: string) => {
  const url = `/v1.0/pay/${world.platform.vault.payToken(id)}/stk`;
  return (await app.inject({ method: 'POST', url, payload: { phone } })).json<{ code: number }>().code;
};

test('addresses are registered once, and name no word M-Pesa refuses', async () => {
  const before = node.registered.get(PAYBILL)!;
  expect(before.confirmation).not.toMatch(/mpesa|safaricom|exe|cmd|sql|query/i);
  world.clock.advance(MINUTE);
  await watchMpesa(world.platform, daraja);
  expect(node.registered.get(PAYBILL)).toEqual(before);
});

test('any number of orders of one amount wait at a paybill; each is paid once by its code, however often M-Pesa reports it', async () => {
  const orders = [await order(), await order(), await order()];
  expect(orders.map(({ status, payable }) => [status, payable])).toEqual(Array(3).fill([1, 1_500_00n]));
  const code = orders[1]!.identifyCode;
  const paid = await node.payBill({
    shortCode: PAYBILL,
    amount: '1500.00',
    reference: ` ${code.toLowerCase()} `,
    times: 3,
  });
  const receipt = (paid as { receipt: string }).receipt;
  expect(await read(orders[1]!)).toMatchObject({ status: 6, received: 1_500_00n, utr: receipt });
  expect([(await read(orders[0]!)).status, (await read(orders[2]!)).status]).toEqual([1, 1]);
  const kept = await world.platform.db.query<{ balance: bigint; payer: string }>(
    sql`select balance, payer from messages where utr = ${receipt}`,
  );
  expect(kept).toEqual([{ balance: 1_500_00n, payer: 'WANJIKU KAMAU' }]);
});

test.each(['RKTQDM7W6S', 'UKGQWERTYZ'])(
  'a payment whose receipt %s has few digits is credited, and its receipt is used',
  async (TransID) => {
    const waiting = await order(1_777_00n);
    const { confirmation } = node.registered.get(PAYBILL)!;
    const payload = {
      TransID,
      TransTime: kenyaNow(),
      TransAmount: '1777.00',
      BusinessShortCode: PAYBILL,
      BillRefNumber: waiting.identifyCode,
    };
    const answer = await app.inject({ method: 'POST', url: new URL(confirmation).pathname, payload });
    expect(answer.json()).toMatchObject({ ResultCode: '0' });
    expect(await read(waiting)).toMatchObject({ status: 6, utr: TransID });
  },
);

test('each confirmation states the short code’s balance: one that was lost is a gap of its amount', async () => {
  const pay = async (times: number) => {
    const { identifyCode } = await order(900_00n);
    await node.payBill({ shortCode: PAYBILL, amount: '900.00', reference: identifyCode, times });
    world.clock.advance(MINUTE);
  };
  const gaps = () =>
    world.platform.db.query<{ delta: bigint }>(
      sql`select abs(delta) as delta from chain_gaps where account_id = ${accounts.paybill} and state = 'open'`,
    );
  const before = await gaps();
  await pay(1);
  await pay(1);
  expect(await gaps()).toEqual(before);
  await pay(0);
  await pay(1);
  expect(await gaps()).toEqual([...before, { delta: 900_00n }]);
});

test('a payment that is reported before the first look at its account is kept', async () => {
  const { platform } = world;
  const { supplierId } = await makeSupplier(platform, { products: [MPESA_IN] });
  const early = { supplierId, shortCode: '700700', type: 'paybill', direction: 'in' } as const;
  const { confirmation } = await c2bAddresses(platform, await makeMpesaAccount(platform, early));
  const payload = {
    TransID: 'SKM1EARLY1',
    TransTime: '20261122101500',
    TransAmount: '250.00',
    BusinessShortCode: '700700',
    BillRefNumber: 'NOBODY',
  };
  const answer = await app.inject({ method: 'POST', url: new URL(confirmation).pathname, payload });
  expect(answer.json()).toMatchObject({ ResultCode: '0' });
  expect(await platform.db.query(sql`select state from messages where utr = 'SKM1EARLY1'`)).toEqual([
    { state: 'unmatched' },
  ]);
});

test.each([
  ['that is no JSON', '<xml>500\u0000</xml>'],
  [
    'of an amount in words',
    { TransID: 'TUNREAD001', TransTime: '20261122101500', TransAmount: 'five hundred' },
  ],
  [
    'of another short code',
    { TransID: 'TUNREAD002', TransTime: '20261122101500', TransAmount: '5', BusinessShortCode: '1' },
  ],
])('a confirmation %s is kept once for an operator and answered as accepted', async (_what, told) => {
  const { confirmation } = node.registered.get(PAYBILL)!;
  const payload = typeof told === 'string' ? told : JSON.stringify(told);
  const headers = { 'content-type': 'application/json' };
  for (let n = 0; n < 2; n += 1) {
    const url = new URL(confirmation).pathname;
    const answer = await app.inject({ method: 'POST', url, payload, headers });
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { ResultCode: '0' }]);
  }
  const text = payload.replace('\0', '');
  const kept = await world.platform.db.query(sql`
    select state, account_id as "accountId", order_id as "orderId" from messages where text = ${text}`);
  expect(kept).toEqual([{ state: 'unparsed', accountId: accounts.paybill, orderId: null }]);
});

test('validation refuses an unknown account and another amount before they are paid', async () => {
  const { identifyCode } = await order(700_00n);
  const bill = { shortCode: PAYBILL, amount: '700.00', reference: identifyCode };
  expect(await node.payBill({ ...bill, reference: 'SZZZZZZZZ' })).toEqual({ refused: 'C2B00012' });
  expect(await node.payBill({ ...bill, amount: '701.00' })).toEqual({ refused: 'C2B00013' });
});

test('a till tells payers apart by the amount, so that no two orders share one', async () => {
  const first = await order(320_00n, 'till');
  expect((await order(320_00n, 'till')).status).toBe(5);
  await node.payBill({ shortCode: TILL, amount: '320.00', reference: '' });
  expect((await read(first)).status).toBe(6);
});

test('a request to the phone pays the order once, though both the request and the payment are told', async () => {
  const asked = await order(250_00n);
  expect(await push(asked, '0712 345 670')).toBe(200);
  expect(await push(asked, '0712345670')).toBe(409);
  await node.tell();
  expect((await read(asked)).status).toBe(6);
  const [{ count }] = (await world.platform.db.query<{ count: number }>(
    sql`select count(*)::int as count from messages where order_id = ${asked.id}`,
  )) as [{ count: number }];
  expect(count).toBe(1);
});

test('a payer who cancels may be asked again; a request without a word is asked about', async () => {
  const asked = await order(260_00n);
  expect(await push(asked, '254712345672')).toBe(200);
  await node.tell();
  expect((await read(asked)).status).toBe(1);
  expect(await push(asked, '254712345672')).toBe(200);
  world.clock.advance(80 * SECOND);
  await askStk(world.platform, daraja);
  const codes = () =>
    world.platform.db.query<{ code: number | null }>(
      sql`select result_code as code from stk_pushes where order_id = ${asked.id} order by asked_at`,
    );
  expect(await codes()).toEqual([{ code: 1032 }, { code: null }]);
  await node.tell();
  expect(await codes()).toEqual([{ code: 1032 }, { code: 1032 }]);
});

test('a call whose path is not ours has no effect', async () => {
  const waiting = await order(910_00n);
  const { confirmation } = node.registered.get(PAYBILL)!;
  const forged = confirmation.replace(/[0-9a-f](?=\/confirmation)/, (digit) => (digit === '0' ? '1' : '0'));
  const payload = {
    TransID: 'TFORGED001',
    TransTime: '20261116120000',
    TransAmount: '910.00',
    BusinessShortCode: PAYBILL,
    BillRefNumber: waiting.identifyCode,
  };
  for (const url of [forged, confirmation.replace(String(accounts.paybill), String(accounts.till))])
    expect((await app.inject({ method: 'POST', url: new URL(url).pathname, payload })).statusCode).toBe(404);
  expect((await read(waiting)).status).toBe(1);
});

test('where M-Pesa’s addresses are listed, a call from another has no effect, though it knows the path', async () => {
  const { platform } = world;
  const config = { ...platform.config, mpesaAddresses: ['203.0.113.0/24'] };
  const listed = await world.app(undefined, {
    ...platform,
    config,
    state: createNodeState(),
    log: createLog('silent'),
  });
  const waiting = await order(920_00n);
  const { confirmation, validation } = node.registered.get(PAYBILL)!;
  const payload = {
    TransID: 'TLISTED001',
    TransTime: kenyaNow(),
    TransAmount: '920.00',
    BusinessShortCode: PAYBILL,
    BillRefNumber: waiting.identifyCode,
  };
  const result = await stkAddress(platform, waiting.id);
  const { result: b2c } = await b2cAddresses(platform, accounts.payer, '1');
  const call = (url: string, remoteAddress: string) =>
    listed.inject({ method: 'POST', url: new URL(url).pathname, payload, remoteAddress });
  for (const url of [confirmation, validation, result, b2c])
    expect((await call(url, '198.51.100.7')).statusCode).toBe(404);
  expect((await read(waiting)).status).toBe(1);
  // A socket for IPv4 and IPv6 writes the address in this form.
  expect((await call(confirmation, '::ffff:203.0.113.9')).statusCode).toBe(200);
  expect((await read(waiting)).status).toBe(6);
});

/** A payout to a phone. The last digit of its number decides how the payout ends. */
async function payout(last: number, amount = 300_00n): Promise<bigint> {
  const { id } = await payOut(world.platform, merchantId, {
    productId: MPESA_OUT,
    amount,
    payee: { phone: `25471234567${last}` },
  });
  await dispatchWaiting(world.platform, channels);
  return id;
}
const state = async (id: bigint) => (await readPayouts(world.platform.db, [id]))[0]!;
async function ask(): Promise<void> {
  world.clock.advance(16 * SECOND);
  await askGateways(world.platform, channels);
  await node.tell();
  await askGateways(world.platform, channels);
}

test('a payout is completed by the result, with its receipt, once', async () => {
  const id = await payout(0);
  expect(await state(id)).toMatchObject({ status: 8, gatewayRef: `AG_${id}` });
  await node.tell();
  const { receipt } = node.payouts.find(({ key }) => key === String(id))!;
  expect(await state(id)).toMatchObject({ status: 3, utr: receipt });
});

test('a receipt with one digit is the payout’s reference: it is not used for another payout', async () => {
  const TransactionID = 'TKGQWERT1Y';
  const tell = async (id: bigint) => {
    const { result } = await b2cAddresses(world.platform, accounts.payer, String(id));
    await app.inject({
      method: 'POST',
      url: new URL(result).pathname,
      payload: { Result: { ResultCode: 0, TransactionID } },
    });
  };
  const [paid, other] = [await payout(5), await payout(5)];
  await tell(paid);
  await tell(other);
  expect(await state(paid)).toMatchObject({ status: 3, utr: TransactionID });
  expect(await state(other)).toMatchObject({ status: 7, utr: null });
});

test('a payout that fails by its result, or is refused at once, is a processing error with its reason', async () => {
  const [failed, refused] = [await payout(1), await payout(4)];
  await node.tell();
  expect([(await state(failed)).status, (await state(refused)).status]).toEqual([9, 9]);
  expect((await state(await payout(0, 300_50n))).status).toBe(9);
});

test('people are notified of a payout that its failed attempt paid after all, and it is not paid again', async () => {
  const id = await payout(1);
  await node.tell();
  const { platform } = world;
  await reselectPayout(platform, viewerOf(platform, { role: 'admin' }), id);
  const { result } = await b2cAddresses(platform, accounts.payer, String(id));
  const Result = { ResultCode: 0, TransactionID: 'TKG1234567' };
  await app.inject({ method: 'POST', url: new URL(result).pathname, payload: { Result } });
  await dispatchWaiting(platform, channels);
  expect(await state(id)).toMatchObject({ status: 0, frozen: true });
});

test('a result of another amount is kept, and its payout waits to be confirmed with the reason in its history', async () => {
  const id = await payout(5);
  const { result } = await b2cAddresses(world.platform, accounts.payer, String(id));
  const ResultParameter = [{ Key: 'TransactionAmount', Value: 200 }];
  const Result = { ResultCode: 0, TransactionID: 'TKG7654321', ResultParameters: { ResultParameter } };
  for (let told = 0; told < 2; told += 1)
    await app.inject({ method: 'POST', url: new URL(result).pathname, payload: { Result } });
  await ask();
  expect(await state(id)).toMatchObject({ status: 7, utr: null });
  const reasons = await world.platform.db.query(sql`
    select reason from order_events where order_id = ${id} and kind = 'unanswered'`);
  expect(reasons).toEqual([{ reason: 'TKG7654321 paid 200.00 KES, not what was ordered' }]);
});

test.each([
  ['given up in the queue', 2],
  ['an error after it was taken', 3],
  ['no word at all', 5],
])('%s: never sent again, asked about, and paid once', async (_what, last) => {
  const id = await payout(last);
  await node.tell();
  if ((await state(id)).status !== 3) {
    world.clock.advance(31 * MINUTE);
    await expireSubmitted(world.platform);
    await dispatchWaiting(world.platform, channels);
    for (let again = 0; again < 3; again += 1) await ask();
  }
  expect((await state(id)).status).toBe(3);
  expect(node.sends.filter((key) => key === String(id))).toHaveLength(1);
});
