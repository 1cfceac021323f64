import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readOrders } from '../../collection/store.ts';
import { sql } from '../../platform/db/database.ts';
import { isRefusal } from '../../platform/refusal.ts';
import {
  createOne,
  creditSms,
  makeShop,
  newReference,
  type Shop,
  statedSms,
} from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeAccount } from '../../testing/world.ts';
import { submitUtr } from './payer-utr.ts';
import { receiveMessages } from './receive.ts';

let world: TestPlatform;
let shop: Shop;
beforeAll(async () => {
  world = await createTestPlatform();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.platform.db.query(sql`update resources set state = 1`);
  shop = await makeShop(world.platform);
});

const receive = (...messages: Parameters<typeof receiveMessages>[2]) =>
  receiveMessages(world.platform, shop.monitor, messages);
const status = async (id: bigint) => (await readOrders(world.platform.db, [id]))[0]!.status;

test('the same movement told by a second message is a duplicate and pays nothing more', async () => {
  const [a, b] = [
    await createOne(world.platform, shop.merchantId),
    await createOne(world.platform, shop.merchantId),
  ];
  const reference = newReference();
  const results = await receive(
    creditSms(world.platform, shop, a.payable!, { reference }),
    creditSms(world.platform, shop, a.payable!, { reference }),
    creditSms(world.platform, shop, b.payable!),
  );
  expect(results.map(({ state, orderId }) => [state, orderId])).toEqual([
    ['matched', a.id],
    ['duplicate', null],
    ['matched', b.id],
  ]);
});

test('a report that repeats known messages, alone or beside a new one, is answered as the first time and is in the log', async () => {
  const order = await createOne(world.platform, shop.merchantId);
  const [paid, other] = [
    creditSms(world.platform, shop, order.payable!),
    creditSms(world.platform, shop, 9_99n),
  ];
  const states = async (...messages: Parameters<typeof receiveMessages>[2]) =>
    (await receive(...messages)).map(({ state, orderId }) => [state, orderId]);
  const answers = [
    ['matched', order.id],
    ['unmatched', null],
  ];
  expect(await states(paid)).toEqual([answers[0]]);
  expect(await states(paid)).toEqual([answers[0]]);
  expect(await states(paid, other)).toEqual(answers);
  expect(await states(other, paid)).toEqual(answers.toReversed());
  const log = await world.platform.db.query<{ detail: object }>(
    sql`select detail from monitor_log where monitor_id = ${shop.monitor.id} and phase = 'received' order by id`,
  );
  expect(log.map(({ detail }) => detail)).toEqual([1, 1, 2, 2].map((messages) => ({ messages })));
});

test('a one-time password is not stored, an offer is kept and ignored, a riddle is kept unparsed', async () => {
  const message = (messageId: string, text: string) => ({
    ...creditSms(world.platform, shop, 100n),
    messageId,
    text,
  });
  const results = await receive(
    message(
      'otp',
      '123456 is your OTP for a transaction of Rs.500.00 on HDFC Bank. Do not share it with anyone.',
    ),
    message(
      'due',
      'Alert: Rs.500.00 will be debited on 20/11/2026 from HDFC Bank A/c XX1234 for ACME. Maintain balance.',
    ),
    message('riddle', 'Hello from nowhere'),
  );
  expect(results.map(({ state }) => state)).toEqual(['discarded', 'ignored', 'unparsed']);
  const stored = await world.platform.db.query<{ id: string }>(sql`
    select external_id as id from messages where monitor_id = ${shop.monitor.id} order by id`);
  expect(stored.map(({ id }) => id)).toEqual(['due', 'riddle']);
  expect(await world.platform.db.query(sql`select 1 from message_keys where external_id = 'otp'`)).toEqual(
    [],
  );
});

test('a telephone number is no bank, whatever it says', async () => {
  const order = await createOne(world.platform, shop.merchantId);
  const [result] = await receive({
    ...creditSms(world.platform, shop, order.payable!),
    sender: '9876543210',
  });
  expect(result).toMatchObject({ state: 'unparsed' });
  expect(await status(order.id)).toBe(1);
});

test('two accounts that share a tail leave the message to an operator, unless the device tells them apart', async () => {
  const twin = await makeAccount(world.platform, {
    supplierId: shop.supplierId,
    monitorId: shop.monitor.id,
    accountNumber: `99${shop.accountNumber.slice(-4)}`,
  });
  await world.platform.db.query(sql`update resources set state = 1 where account_id = ${twin.accountId}`);
  const order = await createOne(world.platform, shop.merchantId);
  const told = creditSms(world.platform, shop, order.payable!);
  expect((await receive(told))[0]).toMatchObject({ state: 'ambiguous' });
  const hinted = { ...creditSms(world.platform, shop, order.payable!), accountHint: shop.accountNumber };
  expect((await receive(hinted))[0]).toMatchObject({ state: 'matched', orderId: order.id });
});

test("the payer's UTR completes the order when its credit had come with another amount than asked", async () => {
  const order = await createOne(world.platform, shop.merchantId, { amount: 800_00n });
  await createOne(world.platform, shop.merchantId, { amount: 800_00n });
  const second = await createOne(world.platform, shop.merchantId, { amount: 800_00n });
  const reference = newReference();
  // The second payer rounds: the second order's asked amount is the first order's payable amount.
  await receive(creditSms(world.platform, shop, order.payable!));
  const [rounded] = await receive(creditSms(world.platform, shop, 800_00n, { reference }));
  expect(rounded).toMatchObject({ state: 'unmatched' });
  const token = world.platform.vault.payToken(second.id);
  expect(
    await submitUtr(world.platform, token, `${reference.slice(0, 6)} ${reference.slice(6)}`, '10.0.0.9'),
  ).toEqual({ state: 'paid' });
  expect((await readOrders(world.platform.db, [second.id]))[0]).toMatchObject({
    status: 6,
    received: 800_00n,
    utr: reference,
  });
});

test("a UTR typed by a payer completes nothing by itself, and one of another's payment never does", async () => {
  const [paid, hopeful] = [
    await createOne(world.platform, shop.merchantId),
    await createOne(world.platform, shop.merchantId),
  ];
  const reference = newReference();
  await receive(creditSms(world.platform, shop, paid.payable!, { reference }));
  const answer = await submitUtr(
    world.platform,
    world.platform.vault.payToken(hopeful.id),
    reference,
    '10.0.0.9',
  );
  expect(answer).toMatchObject({ state: 'waiting' });
  expect(await status(hopeful.id)).toBe(1);
  expect(isRefusal(await submitUtr(world.platform, 'A'.repeat(27), reference, '10.0.0.9'))).toBe(true);
});

test('a report repeated after its answer was lost answers as the first time', async () => {
  const order = await createOne(world.platform, shop.merchantId);
  const told = creditSms(world.platform, shop, order.payable!);
  expect(await receive(told)).toEqual(await receive(told));
});

test.each([
  ['microseconds', 1_763_274_600_000_000],
  ['more than a date holds', Number.MAX_SAFE_INTEGER],
  ['seconds', 1_763_274_600],
])('a time that cannot be (%s) keeps no message of its report out', async (_, told) => {
  const order = await createOne(world.platform, shop.merchantId);
  const broken = statedSms(world.platform, shop, { amount: 1_00n, balance: 5_00n });
  const [good, other] = await receive(creditSms(world.platform, shop, order.payable!), {
    ...broken,
    text: broken.text.replace(/ on \S+ at \S+/, ''),
    receivedAt: new Date(told),
  });
  expect([good!.state, other!.state]).toEqual(['matched', 'unmatched']);
  const [stored] = await world.platform.db.query<{ receivedAt: Date }>(sql`
    select received_at as "receivedAt" from messages where external_id = ${broken.messageId}`);
  expect(stored!.receivedAt).toEqual(world.platform.clock.now());
});

test('a message that the database refuses keeps no other message of its report out', async () => {
  const order = await createOne(world.platform, shop.merchantId);
  const paid = creditSms(world.platform, shop, order.payable!);
  const refused = { ...creditSms(world.platform, shop, 700_00n), messageId: 'refused' };
  await world.owner.query(sql`
    alter table messages add constraint planted check (external_id <> 'refused') not valid`);
  await expect(receive(refused, paid)).rejects.toThrow('planted');
  expect(await status(order.id)).not.toBe(1);
  await world.owner.query(sql`alter table messages drop constraint planted`);
  // The phone sends the report again.
  expect((await receive(refused, paid)).map(({ state }) => state)).toEqual(['unmatched', 'matched']);
});
