import { getGapOrders, getSecurityNodeList } from '@sangam/contract/endpoints/chain.ts';
import { expect, test } from 'vitest';
import { DAY, MINUTE } from '../../platform/clock.ts';
import { expireDue } from '../../collection/expire.ts';
import { readOrder } from '../../collection/read.ts';
import { raw, sql } from '../../platform/db/database.ts';
import { receiveMessages } from '../matching/receive.ts';
import { releaseHeld } from '../matching/release-held.ts';
import { supplement } from '../matching/supplement.ts';
import { takeCommands } from '../monitors/ask-monitor.ts';
import { heartbeat } from '../monitors/heartbeat.ts';
import { claim } from '../../payout/claim.ts';
import { confirmPaid } from '../../payout/confirm-paid.ts';
import { ask } from '../../testing/ask.ts';
import { makeShop, newReference, statedSms } from '../../testing/payments.ts';
import { makePayoutShop, payOut } from '../../testing/payouts.ts';
import { makeUser, setTerms, viewerOf } from '../../testing/world.ts';
import { gapWorld } from '../../testing/gap-world.ts';
import { decide } from '../../approvals/decide.ts';
import { APPROVAL_HANDLERS } from '../../app/approval-kinds.ts';
import { patchGap } from './apply.ts';
import { endPatch } from './end.ts';
import { MOST_EXPLANATIONS } from './store.ts';

/** Gaps of a chain: what closes them, what is only proposed, and what people patch. */

const world = gapWorld();
const { beat, tell, gaps, order, viewer, status, patches, notices, check, openGap } = world;

test('the one unpaid order that makes up a gap is proposed; a person books it by its UTR, and it is a fill-in', async () => {
  const paid = await order(700_00n);
  await tell(paid.payable!, { isLost: true });
  await tell(500_00n);
  await check();
  expect(await patches()).toMatchObject([
    { kind: 'order-supplement', state: 'proposed', orderIds: [String(paid.id)] },
  ]);
  expect(await status(paid)).toBe(1);
  const utr = newReference();
  const { gapId } = await openGap();
  expect(
    (await ask(world.node.platform, viewer(), getGapOrders, { gapId: String(gapId) })).list,
  ).toMatchObject([{ orderCode: String(paid.id), amount: Number(paid.payable), booked: false }]);
  const resourceId = String(world.shop.accountId);
  const nodes = (await ask(world.node.platform, viewer(), getSecurityNodeList, { resourceId })).list;
  expect(nodes.map(({ gapBefore }) => gapBefore)).toEqual([
    Number(paid.payable),
    ...nodes.slice(1).map(() => null),
  ]);
  const request = {
    ...(await openGap()),
    kind: 'order-supplement' as const,
    orders: [{ orderId: paid.id, utr }],
  };
  expect(await patchGap(world.node.platform, viewer(), request)).toMatchObject({ state: 'live' });
  expect(await readOrder(world.node.platform.db, paid.id)).toMatchObject({ status: 6, mark: 3, utr });
  expect(await gaps()).toMatchObject([{ state: 'patched' }]);
  expect((await patches()).map(({ state }) => state)).toEqual(['dropped', 'live']);
});

test('an order booked by its UTR explains the gap its lost message left, and what waited behind it is paid', async () => {
  const [lost, next] = [await order(700_00n), await order(500_00n)];
  await tell(lost.payable!, { isLost: true });
  await supplement(world.node.platform, viewer(), { orderId: lost.id, utr: newReference(), offset: false });
  await tell(next.payable!);
  expect(await status(next)).toBe(1);
  await check();
  expect(await patches()).toMatchObject([{ kind: 'order-supplement', state: 'live' }]);
  await releaseHeld(world.node.platform);
  expect(await status(next)).toBe(6);
});

test('where several sets of orders make up a gap, none is proposed', async () => {
  const [a, b] = [await order(400_00n), await order(300_00n)];
  await order(a.payable! + b.payable!);
  await tell(a.payable! + b.payable!, { isLost: true });
  await tell(50_00n);
  await check();
  expect(await patches()).toEqual([]);
});

test('with more orders than are searched no set is the only one, and the gap stays open', async () => {
  const booked = await order(700_00n);
  await supplement(world.node.platform, viewer(), { orderId: booked.id, utr: newReference(), offset: false });
  for (let n = 0; n < MOST_EXPLANATIONS; n += 1) await order(2_000_00n + BigInt(n) * 10_00n);
  // Until the amount is given out again.
  for (let n = 0; n < 16; n += 1) await beat();
  await expireDue(world.node.platform);
  expect((await order(700_00n)).payable).toBe(booked.payable);
  await tell(700_00n, { isLost: true });
  await tell(50_00n);
  await check();
  expect(await gaps()).toMatchObject([{ delta: 700_00n, state: 'open' }]);
  expect(await patches()).toEqual([]);
});

test('a patch of more orders than the limit waits for somebody else', async () => {
  await world.node.platform.settings.write('FixSecurityChainSupplementLimit', 1, null);
  const [a, b] = [await order(410_00n), await order(320_00n)];
  await tell(a.payable! + b.payable!, { isLost: true });
  await tell(50_00n);
  const orders = [a, b].map(({ id }) => ({ orderId: id, utr: newReference() }));
  const asked = await patchGap(world.node.platform, viewer(), { ...(await openGap()), orders });
  expect(asked).toMatchObject({ code: 'approvalNeeded' });
  expect(await status(a)).toBe(1);
  const todoId = BigInt((asked as unknown as { data: { todoId: string } }).data.todoId);
  const other = await makeUser(world.node.platform, { role: 'admin' });
  const admin = viewerOf(world.node.platform, { role: 'admin', userId: other.id });
  await decide(world.node.platform, APPROVAL_HANDLERS, admin, {
    id: todoId,
    approve: true,
    reason: undefined,
  });
  expect([await status(a), await status(b)]).toEqual([6, 6]);
  expect(await gaps()).toMatchObject([{ state: 'patched' }]);
});

test('orders that do not make up the gap are refused whole: nothing is booked', async () => {
  const [a, b] = [await order(410_00n), await order(320_00n)];
  await tell(a.payable!, { isLost: true });
  await tell(50_00n);
  const orders = [a, b].map(({ id }) => ({ orderId: id, utr: newReference() }));
  expect(await patchGap(world.node.platform, viewer(), { ...(await openGap()), orders })).toMatchObject({
    code: 'invalidInput',
  });
  expect([await status(a), await status(b)]).toEqual([1, 1]);
});

test('a withdrawn patch opens its gap again, and is not withdrawn twice', async () => {
  await tell(-90_00n, { isLost: true });
  await tell(50_00n);
  const patch = await patchGap(world.node.platform, viewer(), { ...(await openGap()), kind: 'charge' });
  const { id } = patch as { id: bigint };
  expect((await gaps()).map(({ state }) => state)).toEqual(['patched']);
  expect(await endPatch(world.node.platform, viewer(), { id, reason: 'mistaken' })).toMatchObject({
    state: 'withdrawn',
  });
  expect(await gaps()).toMatchObject([{ state: 'closed' }, { state: 'open', delta: -90_00n }]);
  expect(await endPatch(world.node.platform, viewer(), { id, reason: 'mistaken' })).toMatchObject({
    code: 'conflict',
  });
});

test('a sum that was a charge before is proposed as one', async () => {
  for (let turn = 0; turn < 2; turn += 1) {
    await tell(-17_70n, { isLost: true });
    await tell(50_00n);
    await check();
    const proposed = (await patches()).filter(({ state }) => state === 'proposed');
    expect(proposed.map(({ kind }) => kind)).toEqual(turn === 0 ? [] : ['charge']);
    await patchGap(world.node.platform, viewer(), { ...(await openGap()), kind: 'charge' });
  }
});

test('the payout a supplier says it paid, from whichever of its accounts, explains the debit no message told', async () => {
  const { merchantId } = await makePayoutShop(world.node.platform);
  await setTerms(world.node.platform, {
    ownerKind: 'supplier',
    ownerId: world.shop.supplierId,
    productId: 2001,
  });
  const supplier = viewerOf(world.node.platform, { role: 'supplier', supplierId: world.shop.supplierId });
  const { id, amount } = await payOut(world.node.platform, merchantId);
  await claim(world.node.platform, supplier, id);
  await tell(-amount, { isLost: true });
  await confirmPaid(world.node.platform, supplier, { orderId: id, utr: newReference() });
  const paid = await order(300_00n);
  await tell(paid.payable!);
  expect(await status(paid)).toBe(1);
  await check();
  await releaseHeld(world.node.platform);
  expect(await patches()).toMatchObject([{ kind: 'payout', state: 'live', orderIds: [String(id)] }]);
  expect(await status(paid)).toBe(6);
  // It accounts for one debit, and not for a second one.
  await tell(-amount, { isLost: true });
  await tell(50_00n);
  await check();
  expect(await patches()).toHaveLength(1);
});

test('gaps that nobody explains do not keep later gaps from being checked', async () => {
  const stuck = Array.from({ length: 250 }, () => world.node.platform.ids.next());
  await world.node.platform.db.query(sql`
    insert into chain_gaps (id, account_id, tail_id, head_id, delta, from_minute, to_minute, state, opened_at)
    select id, ${world.shop.accountId}, -id, -id - 1, 3, 0, 1, 'open', ${world.node.clock.now()} from unnest(${stuck}::bigint[]) as v (id)`);
  const paid = await order(700_00n);
  await tell(paid.payable!, { isLost: true });
  await tell(500_00n);
  await check();
  expect(await patches()).toMatchObject([{ state: 'proposed', orderIds: [String(paid.id)] }]);
});

test('a late message takes a patch’s place, and people are told what it had completed', async () => {
  const paid = await order(700_00n);
  const late = await tell(paid.payable!, { isLost: true });
  await tell(500_00n);
  const orders = [{ orderId: paid.id, utr: newReference() }];
  await patchGap(world.node.platform, viewer(), { ...(await openGap()), kind: 'order-supplement', orders });
  await receiveMessages(world.node.platform, world.shop.monitor, [late]);
  expect(await patches()).toMatchObject([{ state: 'superseded' }]);
  expect((await gaps()).filter(({ state }) => state !== 'closed')).toEqual([]);
  expect(await notices()).toContain('patchSuperseded');
});

test('people are notified of an unexplained gap once its time is over, after the device was asked again', async () => {
  await tell(-333_00n, { isLost: true });
  await tell(50_00n);
  await check(5);
  const asked = await world.node.platform.db.query(sql`
    select 1 from monitor_commands where monitor_id = ${world.shop.monitor.id} and kind = 'resend'`);
  expect(asked).toHaveLength(1);
  expect(await notices()).not.toContain('chainGap');
  await check(5);
  await check(5);
  expect((await notices()).filter((kind) => kind === 'chainGap')).toHaveLength(1);
});

test('the device is asked about a gap between messages without a time that came in the wrong order', async () => {
  const untimed = (amount: bigint) => {
    world.balance += amount;
    const message = statedSms(world.node.platform, world.shop, { amount, balance: world.balance });
    return { ...message, text: message.text.replace(/ at [\d:]+/, '') };
  };
  const tellNow = (message: ReturnType<typeof untimed>) =>
    receiveMessages(world.node.platform, world.shop.monitor, [
      { ...message, receivedAt: world.node.clock.now() },
    ]);
  const [first, , third, last] = [200_00n, -333_00n, 50_00n, 60_00n].map(untimed);
  await tellNow(third!);
  await beat();
  await beat();
  await beat();
  await tellNow(first!);
  await tellNow(last!);
  expect((await gaps()).at(-1)).toMatchObject({ delta: -333_00n, state: 'open' });
  await check(5);
  const asked = await world.node.platform.db.query(sql`
    select extract(epoch from to_time - from_time)::int as seconds from monitor_commands where monitor_id = ${world.shop.monitor.id}`);
  expect(asked).toEqual([{ seconds: 240 }]);
});

test('a message without balance explains such a gap as any other', async () => {
  const told = [200_00n, 70_00n, 50_00n, 60_00n].map((amount) => {
    world.balance += amount;
    const message = statedSms(world.node.platform, world.shop, { amount, balance: world.balance });
    return { ...message, text: message.text.replace(/ at [\d:]+/, '') };
  });
  const [first, second, third, last] = told.map((message, place) =>
    place === 1 ? { ...message, text: message.text.replace(/ Avl bal.*/, '') } : message,
  );
  const tellNow = (message: typeof first) =>
    receiveMessages(world.node.platform, world.shop.monitor, [
      { ...message!, receivedAt: world.node.clock.now() },
    ]);
  await tellNow(third);
  await beat();
  await tellNow(second);
  await beat();
  await beat();
  await tellNow(first);
  await tellNow(last);
  await check();
  expect((await gaps()).filter(({ state }) => state === 'open')).toEqual([]);
});

test('a gap whose check fails does not keep later gaps from being checked, and the failure is reported', async () => {
  const { platform, owner } = world.node;
  const leaveGap = async () => {
    await tell(-333_00n, { isLost: true });
    await tell(50_00n);
    return world.shop.monitor.id;
  };
  const failing = await leaveGap();
  world.shop = await makeShop(platform);
  world.balance = 1_000_00n;
  for (let n = 0; n < 6; n += 1) await tell(100_00n);
  const after = await leaveGap();
  await owner.query(
    sql`alter table monitor_commands add constraint planted check (monitor_id <> ${raw(String(failing))}) not valid`,
  );
  try {
    await expect(check(5)).rejects.toThrow('1 gaps could not be looked at');
    const asked = await platform.db.query(sql`select 1 from monitor_commands where monitor_id = ${after}`);
    expect(asked).toHaveLength(1);
  } finally {
    await owner.query(sql`alter table monitor_commands drop constraint planted`);
  }
});

test('a device that did not get the command is asked again while the gap is open, at growing intervals', async () => {
  await tell(700_00n, { isLost: true });
  await tell(50_00n);
  const asked: number[] = [];
  for (let minute = 1; minute <= 130; minute += 1) {
    await check();
    // The answer to each command is lost on its way.
    const { commands } = await takeCommands(world.node.platform, world.shop.monitor);
    if (commands.length > 0) asked.push(minute);
    world.node.clock.advance(MINUTE);
  }
  expect(asked.length).toBeGreaterThanOrEqual(4);
  expect(asked.length).toBeLessThanOrEqual(6);
  const [before, last] = asked.slice(-2);
  expect(last! - before!).toBeGreaterThanOrEqual(before! - 1);
});

test('people are notified of an unexplained debit near a large credit: a pair of forgeries leaves no trace in the balances', async () => {
  await tell(60_000_00n);
  await tell(-60_000_00n);
  for (let n = 0; n < 3; n += 1) await tell(10_00n);
  expect(await gaps()).toEqual([]);
  await check(10);
  await check(10);
  expect((await notices()).filter((kind) => kind === 'unexplainedDebit')).toHaveLength(1);
});

test('people are notified of such a pair also without balances, but not of a debit far from any large credit', async () => {
  const said = async (amount: bigint) => {
    world.node.clock.advance(MINUTE);
    await heartbeat(world.node.platform, world.shop.monitor, { scriptVersion: '1' });
    const told = statedSms(world.node.platform, world.shop, { amount, balance: 1n });
    await receiveMessages(world.node.platform, world.shop.monitor, [
      { ...told, text: told.text.replace(/ Avl bal.*/, '') },
    ]);
  };
  await said(-40_00n);
  world.node.clock.advance(30 * MINUTE);
  await said(60_000_00n);
  await said(-60_000_00n);
  await check(11);
  await check(11);
  expect((await notices()).filter((kind) => kind === 'unexplainedDebit')).toHaveLength(1);
});

test('people are notified of such a pair also if no node ran for two days after it', async () => {
  await tell(60_000_00n);
  await tell(-60_000_00n);
  for (let n = 0; n < 3; n += 1) await tell(10_00n);
  world.node.clock.advance(2 * DAY);
  await check();
  expect((await notices()).filter((kind) => kind === 'unexplainedDebit')).toHaveLength(1);
});

test('people are notified of missing money also if no node ran for four days after it', async () => {
  await tell(700_00n, { isLost: true });
  await tell(50_00n);
  world.node.clock.advance(4 * DAY);
  await check();
  await check();
  expect((await notices()).filter((kind) => kind === 'chainGap')).toHaveLength(1);
});

test('messages that state no balance stand in the list, found by their state, until they explain a gap', async () => {
  const resourceId = String(world.shop.accountId);
  const listed = async (state?: 'no-balance') =>
    (await ask(world.node.platform, viewer(), getSecurityNodeList, { resourceId, state })).list;
  await tell(-30_00n, { isSilent: true });
  expect(await listed('no-balance')).toMatchObject([
    { kind: 'message', amount: -30_00, balance: null, balanceBefore: null, gapBefore: null },
  ]);
  expect((await listed()).map(({ state }) => state)).toEqual(['no-balance', ...Array(6).fill('linked')]);
  await tell(50_00n);
  expect(await listed('no-balance')).toEqual([]);
  expect((await listed()).map(({ state }) => state)).toContain('inferred');
});
