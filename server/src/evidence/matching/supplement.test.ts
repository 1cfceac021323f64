import { SUPPLEMENT_APPROVAL_FROM } from '@sangam/contract/approvals.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../platform/clock.ts';
import { expireDue } from '../../collection/expire.ts';
import { readOrders } from '../../collection/store.ts';
import { sql } from '../../platform/db/database.ts';
import { balancesIn, brokenChecks } from '../../testing/books.ts';
import { post } from '../../testing/call.ts';
import {
  createOne,
  creditSms,
  makeShop,
  newReference,
  type Shop,
  statedSms,
} from '../../testing/payments.ts';
import { createTestUser, signedIn } from '../../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { makeMerchant, viewerOf } from '../../testing/world.ts';
import { receiveMessages } from './receive.ts';
import { supplement as supplementAs } from './supplement.ts';

let node: TestPlatform;
let app: FastifyInstance;
let shop: Shop;
let desk: Readonly<Record<'superAdmin' | 'admin' | 'customerService', Record<string, string>>>;
beforeAll(async () => {
  node = await createTestPlatform();
  // Another test checks how much one of the staff may decide alone without a message (payout/own-word.test.ts).
  await node.platform.settings.write('UnprovenDayLimit', { INR: 1e15, KES: 1e15, USDT: 1e15 }, null);
  app = await node.app();
  shop = await makeShop(node.platform);
  const session = async (role: keyof typeof desk) => ({
    ...(await signedIn(node.platform, await createTestUser(node.platform, role))),
  });
  desk = {
    superAdmin: await session('superAdmin'),
    admin: await session('admin'),
    customerService: await session('customerService'),
  };
});
afterAll(async () => {
  expect(await brokenChecks(node.platform)).toEqual([]);
  await node.close();
});

const LARGE = SUPPLEMENT_APPROVAL_FROM.INR;
const supplement = (who: keyof typeof desk, orderId: bigint, utr = newReference()) =>
  post(app, '/v1.0/order/replenishmentOrder', { orderCode: String(orderId), utr }, desk[who]);
const decide = (who: keyof typeof desk, id: unknown, approve: boolean) =>
  post(app, '/v1.0/todo/decide', { id, approve }, desk[who]);
const statusOf = async (orderId: bigint) => (await readOrders(node.platform.db, [orderId]))[0]!.status;
const order = (amount: bigint) => createOne(node.platform, shop.merchantId, { amount });

test('a supplement from the approval amount on waits for a second person, except a superAdmin’s; a smaller one does not', async () => {
  const [below, large, own] = [await order(LARGE - 100_00n), await order(LARGE), await order(LARGE)];
  expect(await supplement('customerService', below.id)).toMatchObject({ status: 200, code: 200 });
  const asked = await supplement('customerService', large.id);
  expect(asked).toMatchObject({ status: 202, code: 1205, msg: 'Submitted for approval' });
  expect(asked.data).toEqual({ todoId: expect.stringMatching(/^\d+$/) });
  expect(await supplement('superAdmin', own.id)).toMatchObject({ code: 200 });
  expect(await statusOf(large.id)).toBe(1);
  expect(await decide('admin', asked.data['todoId'], true)).toMatchObject({
    code: 200,
    data: { status: 'approved', result: { orderStatusId: 6 } },
  });
  const [event] = await node.platform.db.query<{ data: object }>(sql`
    select data from order_events where order_id = ${large.id} and kind = 'supplemented'`);
  expect(event!.data).toMatchObject({ approvalId: asked.data['todoId'], startedBy: expect.any(String) });
});

test('the message of an order that was supplemented with its UTR is joined to it when it comes', async () => {
  const { id, payable } = await order(LARGE - 200_00n);
  const utr = newReference();
  expect(await supplement('admin', id, utr)).toMatchObject({ code: 200 });
  const late = creditSms(node.platform, shop, payable!, { reference: utr });
  expect(await receiveMessages(node.platform, shop.monitor, [late])).toMatchObject([
    { state: 'matched', orderId: id },
  ]);
  const again = { ...late, messageId: `${late.messageId}-again`, text: `${late.text}.` };
  expect(await receiveMessages(node.platform, shop.monitor, [again])).toMatchObject([{ state: 'duplicate' }]);
});

test('after a refused request the order stays unpaid, and a supplement may be requested again', async () => {
  const large = await order(LARGE);
  const first = await supplement('admin', large.id);
  expect(await decide('superAdmin', first.data['todoId'], false)).toMatchObject({ code: 200 });
  expect(await statusOf(large.id)).toBe(1);
  const second = await supplement('admin', large.id);
  expect(second.data['todoId']).not.toBe(first.data['todoId']);
});

test('an approved supplement is not done if the order was paid, the UTR used or the amount changed since the request', async () => {
  const [paid, used, other] = [await order(LARGE), await order(LARGE), await order(LARGE)];
  const [a, b] = [await supplement('admin', paid.id), await supplement('admin', used.id, 'N0000000001')];
  const utr = newReference();
  const c = await supplement('admin', other.id, utr);
  // Messages of this shop state no balance, so credits of such sums would be held for their chain.
  await node.platform.settings.write('EnableSystemCheck', false, null);
  await receiveMessages(node.platform, shop.monitor, [creditSms(node.platform, shop, paid.payable!)]);
  await supplement('superAdmin', (await order(1_000_00n)).id, 'N0000000001');
  await receiveMessages(node.platform, shop.monitor, [
    creditSms(node.platform, shop, LARGE + 5_00n, { reference: utr }),
  ]);
  await node.platform.settings.write('EnableSystemCheck', true, null);
  expect(await decide('superAdmin', a.data['todoId'], true)).toMatchObject({ code: 1201 });
  expect(await decide('superAdmin', b.data['todoId'], true)).toMatchObject({ code: 1204 });
  expect(await decide('superAdmin', c.data['todoId'], true)).toMatchObject({ code: 409 });
  expect(await Promise.all([paid, used, other].map(({ id }) => statusOf(id)))).toEqual([6, 1, 1]);
});

test('a supplier’s supplement without evidence waits for a second person if it is an offset or exceeds the deposit', async () => {
  const { platform } = node;
  await platform.db.query(sql`update resources set state = 1`);
  const poor = await makeShop(platform, 2_500_00n);
  const { id: userId } = await createTestUser(platform, 'supplier');
  const supplier = viewerOf(platform, { role: 'supplier', supplierId: poor.supplierId, userId });
  const ids: bigint[] = [];
  // Each of them fits the deposit, all together do not.
  for (let n = 0; n < 4; n += 1) {
    const made = await createOne(platform, poor.merchantId, { amount: 1_000_00n });
    expect(made.accountId).toBe(poor.accountId);
    ids.push(made.id);
    node.clock.advance(HOUR);
    while ((await expireDue(platform)) > 0);
    await platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
  }
  const say = async (orderId: bigint, offset: boolean) => {
    const answer = await supplementAs(platform, supplier, { orderId, utr: newReference(), offset });
    return isRefusal(answer) ? answer.code : answer.status;
  };
  expect(await say(ids[0]!, true)).toBe('approvalNeeded');
  expect(await say(ids[1]!, false)).toBe(6);
  expect(await say(ids[2]!, false)).toBe(6);
  expect(await say(ids[3]!, false)).toBe('approvalNeeded');
  expect((await balancesIn(platform, 'supplier', poor.supplierId))['debt'] ?? 0n).toBe(0n);
});

test.each([
  ['states no balance', undefined],
  ['states a balance that its chain does not lead to', 9_000_000_00n],
])('a forged SMS that %s lifts no limit of its supplier', async (_, balance) => {
  const { platform } = node;
  await platform.db.query(sql`update resources set state = 1`);
  // Room for one order and the floating part of its amount, but not for two orders.
  const poor = await makeShop(platform, 50_100_00n);
  const { id: userId } = await createTestUser(platform, 'supplier');
  const supplier = viewerOf(platform, { role: 'supplier', supplierId: poor.supplierId, userId });
  const ids: bigint[] = [];
  for (let n = 0; n < 6; n += 1) {
    const made = await createOne(platform, poor.merchantId, { amount: 50_000_00n });
    expect(made.accountId).toBe(poor.accountId);
    ids.push(made.id);
    node.clock.advance(HOUR);
    while ((await expireDue(platform)) > 0);
    await platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
  }
  const answers: (string | number)[] = [];
  for (const [n, orderId] of ids.entries()) {
    const reference = newReference();
    const sms =
      balance === undefined
        ? creditSms(platform, poor, 50_000_00n, { reference })
        : statedSms(platform, poor, {
            amount: 50_000_00n,
            balance: balance + BigInt(n) * 700_000_00n,
            reference,
          });
    await receiveMessages(platform, poor.monitor, [sms]);
    const answer = await supplementAs(platform, supplier, { orderId, utr: reference, offset: false });
    answers.push(isRefusal(answer) ? answer.code : answer.status);
  }
  expect(answers).toEqual([6, ...Array.from({ length: 5 }, () => 'approvalNeeded')]);
  expect((await balancesIn(platform, 'supplier', poor.supplierId))['debt'] ?? 0n).toBe(0n);
});

/** An account's bank, which reports each movement a minute after the one before. `more` states the balance. */
function bankOf(trader: Shop) {
  const { platform } = node;
  const tell = (sms: Parameters<typeof receiveMessages>[2][number]) => {
    node.clock.advance(MINUTE);
    return receiveMessages(platform, trader.monitor, [sms]);
  };
  let balance = 90_000_00n;
  const more = (amount: bigint, reference = newReference(), remark = '') => {
    const sms = statedSms(platform, trader, { amount, balance: (balance += amount), reference });
    return tell({ ...sms, text: `${sms.text}${remark}` });
  };
  return { tell, more };
}

test.each([
  ['its chain bears out', 90_000_00n, 6],
  ['its chain does not lead to', 9_000_000_00n, 'approvalNeeded'],
  ['states no balance', undefined, 'approvalNeeded'],
] as const)(
  'past the limit of the day the desk needs a second person, except for a corroborated message: one that %s',
  async (_, start, expected) => {
    const { platform } = node;
    await platform.db.query(sql`update resources set state = 1`);
    const trader = await makeShop(platform);
    const { id: userId } = await createTestUser(platform, 'customerService');
    const { id, payable } = await createOne(platform, trader.merchantId, { amount: 50_000_00n });
    node.clock.advance(HOUR);
    while ((await expireDue(platform)) > 0);
    const { tell, more } = bankOf(trader);
    for (let n = 0; n < 3; n += 1) await more(10_00n);
    const reference = newReference();
    if (start === 90_000_00n) await more(payable!, reference);
    else if (start === undefined) await tell(creditSms(platform, trader, payable!, { reference }));
    else await tell(statedSms(platform, trader, { amount: payable!, balance: start, reference }));
    await more(10_00n);
    await platform.settings.write('UnprovenDayLimit', { INR: 0, KES: 0, USDT: 0 }, null);
    const clerk = viewerOf(platform, { role: 'customerService', userId });
    const answer = await supplementAs(platform, clerk, { orderId: id, utr: reference, offset: false });
    await platform.settings.write('UnprovenDayLimit', { INR: 1e15, KES: 1e15, USDT: 1e15 }, null);
    expect(isRefusal(answer) ? answer.code : answer.status).toBe(expected);
  },
);

test.each([
  ['another sum', 'customerService', 190_000_00n, 100_00n, ''],
  ['another sum', 'superAdmin', 900_000_00n, 100_00n, ''],
  ['another order’s code', 'superAdmin', 900_000_00n, 900_000_00n, 'code'],
  ['a reference that another order’s payer gave', 'customerService', 190_000_00n, 190_000_00n, 'typed'],
] as const)(
  'a corroborated message of %s does not bear out what one person (%s) says of an order',
  async (_, role, theirSum, ownSum, named) => {
    const { platform } = node;
    await platform.db.query(sql`update resources set state = 1`);
    const trader = await makeShop(platform, 5_000_000_00n);
    const { merchantId: accomplice } = await makeMerchant(platform);
    const { id: userId } = await createTestUser(platform, role);
    const theirs = await createOne(platform, trader.merchantId, { amount: theirSum });
    node.clock.advance(HOUR);
    while ((await expireDue(platform)) > 0);
    const { more } = bankOf(trader);
    for (let n = 0; n < 3; n += 1) await more(10_00n);
    const utr = newReference();
    await more(theirSum, utr, named === 'code' ? ` ${theirs.identifyCode}` : '');
    await more(10_00n);
    if (named === 'typed')
      await platform.db.query(sql`update collection_orders set payer_utr = ${utr} where id = ${theirs.id}`);
    await platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
    const own = await createOne(platform, accomplice, { amount: ownSum });
    expect(own.accountId).toBe(theirs.accountId);
    await platform.settings.write('UnprovenDayLimit', { INR: 0, KES: 0, USDT: 0 }, null);
    const one = viewerOf(platform, { role, userId });
    const say = async ({ id: orderId }: { readonly id: bigint }) => {
      const answer = await supplementAs(platform, one, { orderId, utr, offset: false });
      return isRefusal(answer) ? answer.code : answer.status;
    };
    const answers = [await say(own), await say(theirs)];
    await platform.settings.write('UnprovenDayLimit', { INR: 1e15, KES: 1e15, USDT: 1e15 }, null);
    expect(answers).toEqual(['approvalNeeded', 6]);
  },
);

test('a supplement whose message the chain corroborated is no fault of the books when the bank contradicts it later', async () => {
  const { platform } = node;
  await platform.db.query(sql`update resources set state = 1`);
  const poor = await makeShop(platform, 2_500_00n);
  const { id: userId } = await createTestUser(platform, 'supplier');
  const supplier = viewerOf(platform, { role: 'supplier', supplierId: poor.supplierId, userId });
  // Each of them fits the deposit, both together do not.
  const [said, waits] = [1_000_00n, 2_100_00n];
  const ended = await createOne(platform, poor.merchantId, { amount: said });
  node.clock.advance(HOUR);
  while ((await expireDue(platform)) > 0);
  let balance = 90_000_00n;
  const tell = (amount: bigint, reference = newReference()) => {
    balance += amount;
    return receiveMessages(platform, poor.monitor, [
      statedSms(platform, poor, { amount, balance, reference }),
    ]);
  };
  await tell(5_000_00n);
  node.clock.advance(MINUTE);
  const forged = newReference();
  await tell(waits, forged);
  node.clock.advance(3 * MINUTE);
  await platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
  const waiting = await createOne(platform, poor.merchantId, { amount: waits });
  const desk = await createTestUser(platform, 'superAdmin');
  const boss = viewerOf(platform, { role: 'superAdmin', userId: desk.id });
  for (const [viewer, order, utr] of [
    [boss, ended, newReference()],
    [supplier, waiting, forged],
  ] as const)
    expect(await supplementAs(platform, viewer, { orderId: order.id, utr, offset: false })).toMatchObject({
      status: 6,
    });
  expect((await balancesIn(platform, 'supplier', poor.supplierId))['debt']).toBeLessThan(0n);
  balance = 95_000_00n;
  node.clock.advance(MINUTE);
  await tell(10_00n);
  const forks = await platform.db.query(sql`
    select 1 from chain_nodes where account_id = ${poor.accountId} and state = 'fork'`);
  expect(forks.length).toBeGreaterThan(0);
  expect(await brokenChecks(platform)).toEqual([]);
});

test.each([
  ['another sum', false, 500_00n],
  ['money for an order booked beside its account', true, undefined],
])(
  'the bank’s message of %s than was booked by its UTR is left to people, who are notified',
  async (_, offset, sum) => {
    const { platform } = node;
    await platform.db.query(sql`update resources set state = 1`);
    const shop = await makeShop(platform);
    const made = await createOne(platform, shop.merchantId, { amount: 50_000_00n });
    const utr = newReference();
    const { id: userId } = await createTestUser(platform, 'superAdmin');
    const desk = viewerOf(platform, { role: 'superAdmin', userId });
    expect(await supplementAs(platform, desk, { orderId: made.id, utr, offset })).toMatchObject({
      status: 6,
    });
    const told = creditSms(platform, shop, sum ?? made.payable!, { reference: utr });
    expect(await receiveMessages(platform, shop.monitor, [told])).toMatchObject([
      { state: 'ambiguous', orderId: null },
    ]);
    const [stored] = await platform.db.query(sql`select reason from messages where utr = ${utr}`);
    expect(stored).toEqual({ reason: 'contradictsBooked' });
    const notified = await platform.db.query(
      sql`select distinct kind from inbox_messages where kind = 'bookedOtherwise' and data->>'utr' = ${utr}`,
    );
    expect(notified).toHaveLength(1);
  },
);
