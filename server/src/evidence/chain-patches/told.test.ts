import { expect, test } from 'vitest';
import { expireDue } from '../../collection/expire.ts';
import { APPROVAL_HANDLERS } from '../../app/approval-kinds.ts';
import { decide } from '../../approvals/decide.ts';
import { receiveMessages } from '../matching/receive.ts';
import { supplement } from '../matching/supplement.ts';
import { claim } from '../../payout/claim.ts';
import { confirmPaid } from '../../payout/confirm-paid.ts';
import { creditSms, naming, newReference, withoutReference } from '../../testing/payments.ts';
import { makePayoutShop, payOut } from '../../testing/payouts.ts';
import { sql } from '../../platform/db/database.ts';
import { makeUser, setTerms, viewerOf } from '../../testing/world.ts';
import { gapWorld } from '../../testing/gap-world.ts';
import { patchGap } from './apply.ts';

/** If a message states an order's UTR, that order does not explain the missing money of another payer. */

const world = gapWorld();
const { beat, tell, gaps, order, viewer, status, patches, notices, check, openGap } = world;

test('an order explains no gap once the bank has named its UTR with another sum: the money that is missing is another payer’s', async () => {
  const booked = await order(700_00n);
  const reference = newReference();
  await supplement(world.node.platform, viewer(), { orderId: booked.id, utr: reference, offset: false });
  await tell(50_00n, { reference });
  await tell(booked.payable!, { isLost: true });
  await tell(60_00n);
  await check();
  expect(await patches()).toEqual([]);
  expect(await gaps()).toMatchObject([{ delta: booked.payable, state: 'open' }]);
  const orders = [{ orderId: booked.id, utr: reference }];
  expect(await patchGap(world.node.platform, viewer(), { ...(await openGap()), orders })).toMatchObject({
    code: 'invalidInput',
  });
});

test('nor does a payout whose UTR the bank has named with another sum', async () => {
  const { merchantId } = await makePayoutShop(world.node.platform);
  await setTerms(world.node.platform, {
    ownerKind: 'supplier',
    ownerId: world.shop.supplierId,
    productId: 2001,
  });
  const supplier = viewerOf(world.node.platform, { role: 'supplier', supplierId: world.shop.supplierId });
  const { id, amount } = await payOut(world.node.platform, merchantId);
  await claim(world.node.platform, supplier, id);
  const reference = newReference();
  await confirmPaid(world.node.platform, supplier, { orderId: id, utr: reference });
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
  await expireDue(world.node.platform);
  const reference = newReference();
  await tell(late.payable!, { reference });
  await tell(late.payable!, { isLost: true });
  await tell(60_00n);
  const orders = [{ orderId: late.id, utr: reference }];
  expect(await patchGap(world.node.platform, viewer(), { ...(await openGap()), orders })).toMatchObject({
    code: 'conflict',
  });
  expect(await status(late)).toBe(2);
  expect(await patches()).toEqual([]);
});

test('an unpaid order above what one may decide by itself waits for a second person, though its gap is real', async () => {
  await world.node.platform.settings.write('UnprovenDayLimit', { INR: 699_00, KES: 0, USDT: 0 }, null);
  const large = await order(700_00n);
  await tell(large.payable!, { isLost: true });
  await tell(60_00n);
  const orders = [{ orderId: large.id, utr: newReference() }];
  expect(await patchGap(world.node.platform, viewer(), { ...(await openGap()), orders })).toMatchObject({
    code: 'approvalNeeded',
  });
  expect(await status(large)).toBe(1);
});

test('a gap that an order had closed opens again once the bank names its UTR with another sum, and people are told', async () => {
  const booked = await order(700_00n);
  const reference = newReference();
  await supplement(world.node.platform, viewer(), { orderId: booked.id, utr: reference, offset: false });
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

test('a patch that waits for a second person completes no order once a message of its sum has paid another', async () => {
  await world.node.platform.settings.write('UnprovenDayLimit', { INR: 0, KES: 0, USDT: 0 }, null);
  const [asked, other] = [await order(700_00n), await order(700_00n)];
  await tell(asked.payable!, { isLost: true });
  await tell(60_00n);
  const orders = [{ orderId: asked.id, utr: newReference() }];
  const request = await patchGap(world.node.platform, viewer(), { ...(await openGap()), orders });
  const id = BigInt((request as unknown as { data: { todoId: string } }).data.todoId);
  // The bank reports the payment later, without balance and reference. It fills no gap before it.
  await tell(60_00n);
  const late = withoutReference(creditSms(world.node.platform, world.shop, asked.payable!));
  await receiveMessages(world.node.platform, world.shop.monitor, [naming(other, late)]);
  expect(await status(other)).toBe(6);
  const admin = viewerOf(world.node.platform, {
    role: 'admin',
    userId: (await makeUser(world.node.platform, { role: 'admin' })).id,
  });
  expect(await decide(world.node.platform, APPROVAL_HANDLERS, admin, { id, approve: true })).toMatchObject({
    code: 'conflict',
    data: { reason: 'paidSince' },
  });
  expect(await status(asked)).toBe(1);
  expect(await gaps()).toMatchObject([{ state: 'open' }]);
});

test('a frozen order may be whose money is missing: nobody is told that it is others’', async () => {
  const { platform } = world.node;
  const [frozen, first] = [await order(700_00n), await order(300_00n)];
  await order(frozen.payable! - first.payable!);
  await platform.db.query(sql`update collection_orders set frozen = true where id = ${frozen.id}`);
  await tell(frozen.payable!, { isLost: true });
  await tell(60_00n);
  await check();
  expect(await patches()).toEqual([]);
});
