import { SETTINGS } from '@sangam/contract/settings.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { MINUTE } from '../../platform/clock.ts';
import { expireDue } from '../../collection/expire.ts';
import { readOrder } from '../../collection/read.ts';
import { sql } from '../../platform/db/database.ts';
import { receiveMessages } from '../matching/receive.ts';
import { supplement } from '../matching/supplement.ts';
import { heartbeat } from '../monitors/heartbeat.ts';
import { claim } from '../../payout/claim.ts';
import { confirmPaid } from '../../payout/confirm-paid.ts';
import { brokenChecks } from '../../testing/books.ts';
import { createOne, makeShop, newReference, type Shop, statedSms } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makePayoutShop, payOut } from '../../testing/payouts.ts';
import { makeUser, setTerms, viewerOf } from '../../testing/world.ts';
import { patchGap, type PatchRequest } from './apply.ts';
import { checkLeaks } from './leak-check.ts';

/** What the bank has told of an order's UTR keeps that order from explaining the missing money of another payer. */

let node: TestPlatform;
let shop: Shop;
let balance: bigint;
let boss: bigint;
beforeAll(async () => {
  node = await createTestPlatform();
  boss = (await makeUser(node.platform, { role: 'superAdmin' })).id;
});
beforeEach(async () => {
  await node.platform.db.query(sql`update resources set state = 1`);
  shop = await makeShop(node.platform);
  balance = 1_000_00n;
  await node.platform.db.query(sql`delete from inbox_messages`);
  await node.platform.db.query(sql`delete from chain_leak_checks`);
  // What the test before left open is none of this one's.
  await node.platform.db.query(sql`
    update chain_gaps set state = 'closed', closed_at = ${node.clock.now()} where state = 'open'`);
  for (let n = 0; n < 6; n += 1) await tell(100_00n);
});
afterEach(async () => expect(await brokenChecks(node.platform)).toEqual([]));
afterAll(() => node.close());

const beat = async () => {
  node.clock.advance(MINUTE);
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
};

/** A minute later the account moves by this much, and its bank tells so, unless the message is lost. */
async function tell(amount: bigint, { isLost = false, reference = newReference() } = {}) {
  await beat();
  balance += amount;
  const message = statedSms(node.platform, shop, { amount, balance, reference });
  if (isLost) return message;
  await receiveMessages(node.platform, shop.monitor, [message]);
  return message;
}

const order = (amount: bigint) => createOne(node.platform, shop.merchantId, { amount });
const viewer = () => viewerOf(node.platform, { role: 'superAdmin', userId: boss });
const status = async ({ id }: { id: bigint }) => (await readOrder(node.platform.db, id))!.status;
const gaps = () =>
  node.platform.db.query<{ id: bigint; delta: bigint; state: string }>(sql`
    select id, delta, state from chain_gaps where account_id = ${shop.accountId} order by id`);
const patches = () =>
  node.platform.db.query<{ id: bigint; kind: string; state: string; orderIds: string[] }>(sql`
    select id, kind, state, order_ids::text[] as "orderIds" from chain_patches where account_id = ${shop.accountId} order by id`);
const notices = async () => {
  const rows = await node.platform.db.query<{ kind: string }>(
    sql`select kind from inbox_messages where user_id = ${boss}`,
  );
  return rows.map(({ kind }) => kind);
};
/** A leak check is due each minute. */
const check = async (minutes = 1) => {
  node.clock.advance(minutes * MINUTE);
  await checkLeaks(node.platform);
};
const openGap = async (): Promise<PatchRequest> => {
  const [gap] = (await gaps()).filter(({ state }) => state === 'open');
  return { gapId: gap!.id, kind: 'operator', reason: 'bank statement', evidence: null, orders: [] };
};

test('an order explains no gap once the bank has named its UTR with another sum: the money that is missing is another payer’s', async () => {
  const booked = await order(700_00n);
  const reference = newReference();
  await supplement(node.platform, viewer(), { orderId: booked.id, utr: reference, offset: false });
  await tell(50_00n, { reference });
  await tell(booked.payable!, { isLost: true });
  await tell(60_00n);
  await check();
  expect(await patches()).toEqual([]);
  expect(await gaps()).toMatchObject([{ delta: booked.payable, state: 'open' }]);
  const orders = [{ orderId: booked.id, utr: reference }];
  expect(await patchGap(node.platform, viewer(), { ...(await openGap()), orders })).toMatchObject({
    code: 'invalidInput',
  });
});

test('nor does a payout whose UTR the bank has named with another sum', async () => {
  const { merchantId } = await makePayoutShop(node.platform);
  await setTerms(node.platform, { ownerKind: 'supplier', ownerId: shop.supplierId, productId: 2001 });
  const supplier = viewerOf(node.platform, { role: 'supplier', supplierId: shop.supplierId });
  const { id, amount } = await payOut(node.platform, merchantId);
  await claim(node.platform, supplier, id);
  const reference = newReference();
  await confirmPaid(node.platform, supplier, { orderId: id, utr: reference });
  await tell(-7_00n, { reference });
  await tell(-amount, { isLost: true });
  await tell(50_00n);
  await check();
  expect(await patches()).toEqual([]);
  expect(await gaps()).toMatchObject([{ delta: -amount, state: 'open' }]);
});

test('an order that a person books by the UTR of a message that came explains no gap by it', async () => {
  const late = await order(700_00n);
  for (let n = 0; n < 60; n += 1) await beat();
  await expireDue(node.platform);
  const reference = newReference();
  await tell(late.payable!, { reference });
  await tell(late.payable!, { isLost: true });
  await tell(60_00n);
  const orders = [{ orderId: late.id, utr: reference }];
  expect(await patchGap(node.platform, viewer(), { ...(await openGap()), orders })).toMatchObject({
    code: 'conflict',
  });
  expect(await status(late)).toBe(2);
  expect(await patches()).toEqual([]);
});

test('an unpaid order above what one may decide by itself waits for a second person, though its gap is real', async () => {
  await node.platform.settings.write('UnprovenDayLimit', { INR: 699_00, KES: 0, USDT: 0 }, null);
  const large = await order(700_00n);
  await tell(large.payable!, { isLost: true });
  await tell(60_00n);
  const orders = [{ orderId: large.id, utr: newReference() }];
  expect(await patchGap(node.platform, viewer(), { ...(await openGap()), orders })).toMatchObject({
    code: 'approvalNeeded',
  });
  expect(await status(large)).toBe(1);
  await node.platform.settings.write('UnprovenDayLimit', SETTINGS.UnprovenDayLimit.fallback, null);
});

test('a gap that an order had closed opens again once the bank names its UTR with another sum, and people are told', async () => {
  const booked = await order(700_00n);
  const reference = newReference();
  await supplement(node.platform, viewer(), { orderId: booked.id, utr: reference, offset: false });
  await tell(booked.payable!, { isLost: true });
  await tell(60_00n);
  await check();
  expect(await patches()).toMatchObject([{ state: 'live' }]);
  await tell(50_00n, { reference });
  await check();
  expect(await patches()).toMatchObject([{ state: 'superseded' }]);
  expect((await gaps()).at(-1)).toMatchObject({ delta: booked.payable, state: 'open' });
  expect(await notices()).toContain('patchSuperseded');
});
