import { getNoLoss, getNoLossLines, getNoLossSums } from '@sangam/contract/endpoints/no-loss.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { heartbeat } from '../../evidence/monitors/heartbeat.ts';
import { receiveMessages } from '../../evidence/matching/receive.ts';
import { supplement } from '../../evidence/matching/supplement.ts';
import { DAY, HOUR, MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { isRefusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { ask } from '../../testing/ask.ts';
import { createOne, creditSms, makeShop, newReference, type Shop } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { reverseByTwo } from '../../testing/reversal.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import { recordCallbackOutcome } from '../../collection/callback-outcome.ts';
import { SYSTEM } from '../../history/events.ts';
import { hourOf, writeDue } from './write.ts';

/** The no-loss statement, hour by hour, with many kinds of mischief in between. */

let node: TestPlatform;
let shop: Shop;
let admin: Viewer;
let superAdmin: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  shop = await makeShop(node.platform);
  const viewer = async (role: 'admin' | 'superAdmin') =>
    viewerOf(node.platform, { role, userId: (await makeUser(node.platform, { role })).id });
  [admin, superAdmin] = [await viewer('admin'), await viewer('superAdmin')];
});
beforeEach(async () => {
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
});
afterAll(() => node.close());

async function paid(amount: bigint): Promise<bigint> {
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
  const order = await createOne(node.platform, shop.merchantId, { amount });
  await receiveMessages(node.platform, shop.monitor, [creditSms(node.platform, shop, order.payable!)]);
  return order.id;
}

/** Writes what the dispatcher writes after the merchant answered `success`, or when it never will. */
async function callBack(orderId: bigint, outcome: 'succeeded' | 'exhausted' | 'failed'): Promise<void> {
  const { platform } = node;
  await platform.db.tx(async (tx) => {
    const [callback] = await tx.query<{ id: bigint }>(sql`
      select id from callbacks where order_id = ${orderId} and kind in ('paid', 'manual')
      order by place desc limit 1`);
    await tx.query(sql`
      insert into callback_attempts (id, callback_id, order_id, url, http_method, signed, status, duration_ms, created_at)
      values (${platform.ids.next()}, ${callback!.id}, ${orderId}, 'http://127.0.0.1:9/', 'POST', '{}', 200, 5, ${platform.clock.now()})`);
    if (outcome === 'failed') return;
    await tx.query(sql`delete from callback_queue where callback_id = ${callback!.id}`);
    if (outcome === 'exhausted')
      await tx.query(sql`update callbacks set given_up = 2 where id = ${callback!.id}`);
    const callbackOf = { id: callback!.id, orderId, kind: 'paid', attempts: 0 } as const;
    await recordCallbackOutcome(platform, tx, [{ callback: callbackOf, outcome }], SYSTEM);
  });
}

/** Moves the clock to two minutes past the next hour of the business clock, and writes the statement of the hour before. */
async function closeHour(): Promise<number> {
  const { clock, platform } = node;
  const end = hourOf(clock.now()).getTime() + HOUR;
  clock.advance(end + 3 * MINUTE - clock.now().getTime());
  return writeDue(platform);
}
const lines = async (query: Readonly<Record<string, unknown>> = {}) =>
  (await ask(node.platform, admin, getNoLossLines, query)).list;
const sums = async () =>
  (await ask(node.platform, admin, getNoLossSums, { startTime: '2020-01-01', endTime: '2099-12-31' }))
    .list[0]!;

test('an hour whose orders are all acknowledged has nothing open', async () => {
  await closeHour();
  for (const amount of [500_00n, 600_00n]) await callBack(await paid(amount), 'succeeded');
  expect(await closeHour()).toBe(1);
  expect(await writeDue(node.platform)).toBe(0);
  const [statement] = (await ask(node.platform, admin, getNoLoss, {})).list;
  expect(statement).toMatchObject({
    evidenceCount: 2,
    creditedCount: 2,
    notifiedCount: 2,
    acknowledgedCount: 2,
    evidenceAmount: statement!.creditedAmount,
    acknowledgedAmount: statement!.creditedAmount,
    residueCount: 0,
    intact: true,
  });
  expect(await lines({ open: 'true' })).toEqual([]);
});

test('an unacknowledged order is listed with who must act, and a later statement closes it', async () => {
  const [untold, unanswered, givenUp] = [await paid(701_00n), await paid(702_00n), await paid(703_00n)];
  await callBack(unanswered, 'failed');
  await callBack(givenUp, 'exhausted');
  await closeHour();
  const open = (await lines({ open: 'true' })).map(({ orderCode, kind, holder }) => [
    orderCode,
    kind,
    holder,
  ]);
  expect(new Set(open.map(String))).toEqual(
    new Set(
      [
        [String(untold), 'notNotified', 'platform'],
        [String(unanswered), 'notAcknowledged', 'merchant'],
        [String(givenUp), 'givenUp', 'desk'],
      ].map(String),
    ),
  );
  await callBack(untold, 'succeeded');
  await callBack(unanswered, 'exhausted');
  await closeHour();
  const told = await lines({ orderCode: String(untold) });
  expect(told.map(({ kind, amount }) => [kind, Math.sign(amount)])).toEqual([
    ['acknowledged', -1],
    ['notNotified', 1],
  ]);
  expect(await lines({ orderCode: String(unanswered), open: 'true' })).toMatchObject([
    { kind: 'givenUp', holder: 'desk' },
  ]);
});

test('an order that is open for another reason keeps its amount, and the open lines add up to what is open', async () => {
  const order = await paid(711_00n);
  await closeHour();
  const [before] = await lines({ orderCode: String(order), open: 'true' });
  expect(before).toMatchObject({ kind: 'notNotified' });
  await callBack(order, 'failed');
  await closeHour();
  const expectOpen = async (kind: string) => {
    const open = await lines({ open: 'true', pageSize: 500 });
    expect(open.filter(({ orderCode }) => orderCode === String(order))).toMatchObject([
      { kind, amount: before!.amount, open: true },
    ]);
    const { openCount, openAmount } = await sums();
    expect([open.length, open.reduce((sum, { amount }) => sum + amount, 0)]).toEqual([openCount, openAmount]);
  };
  await expectOpen('notAcknowledged');
  // Page by page, the lines are the same.
  const paged: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await ask(node.platform, admin, getNoLossLines, { open: 'true', pageSize: 1, cursor });
    paged.push(...page.list.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  expect(paged).toEqual((await lines({ open: 'true', pageSize: 500 })).map(({ id }) => id));
  // The same reason comes back.
  await node.platform.db.query(sql`delete from callback_attempts where order_id = ${order}`);
  await closeHour();
  await expectOpen('notNotified');
  const all = await lines({ orderCode: String(order) });
  expect(all.map(({ kind, amount, open }) => [kind, amount, open])).toEqual([
    ['notNotified', 0, true],
    ['notAcknowledged', 0, false],
    ['notNotified', before!.amount, false],
  ]);
});

test('with reversals, supplements and late payments the sums equal the ledger, and each open order has a line', async () => {
  const { platform } = node;
  const [first, second] = [await paid(801_00n), await paid(802_00n)];
  await callBack(first, 'succeeded');
  const supplemented = await createOne(platform, shop.merchantId, { amount: 803_00n });
  const done = await supplement(platform, superAdmin, {
    orderId: supplemented.id,
    utr: newReference(),
    offset: true,
  });
  expect(isRefusal(done)).toBe(false);
  await closeHour();
  // One order was acknowledged, the other was not. Both are reversed.
  for (const orderId of [first, second])
    expect(isRefusal(await reverseByTwo(platform, { orderId }))).toBe(false);
  // The order's change is counted only after the statement of its hour.
  const late = await paid(804_00n);
  await platform.db.query(sql`delete from order_changes`);
  await callBack(await paid(805_00n), 'succeeded');
  await closeHour();
  await platform.db.query(sql`insert into order_changes (id, order_id) values (${late}, ${late})`);
  await closeHour();
  expect((await lines({ orderCode: String(first) })).map(({ kind, amount }) => [kind, amount])).toEqual([
    ['reversed', 0],
  ]);
  expect((await lines({ orderCode: String(second) })).map(({ kind }) => kind)).toEqual([
    'reversed',
    'notNotified',
  ]);
  expect((await lines({ orderCode: String(late) })).map(({ kind }) => kind)).toContain('late');

  const total = await sums();
  // The ledger as verify reads it: what merchants and the platform got from collections, less what was reversed.
  const [ledger] = await platform.db.query<{ credited: bigint; orders: number }>(sql`
    select sum(received)::bigint as credited, count(*)::int as orders from collection_orders
    where status in (3, 4, 6) and reversed_at is null`);
  expect(BigInt(total.creditedAmount - total.reversedAmount)).toBe(ledger!.credited);
  expect(total).toMatchObject({ reversedCount: 2, creditedAmount: total.evidenceAmount });
  expect(total.residueAmount - total.closedAmount).toBe(total.openAmount);
  const all = await lines({ startTime: '2020-01-01', endTime: '2099-12-31', pageSize: 500 });
  expect(total.evidenceAmount).toBe(
    total.acknowledgedAmount +
      all.filter(({ amount }) => amount > 0).reduce((sum, row) => sum + row.amount, 0),
  );
  expect(total.openAmount).toBe(all.reduce((sum, { amount }) => sum + amount, 0));
});

test('a reversal is in the next statement also if no node ran for three days after it', async () => {
  const order = await paid(811_00n);
  await callBack(order, 'succeeded');
  await closeHour();
  expect(isRefusal(await reverseByTwo(node.platform, { orderId: order }))).toBe(false);
  node.clock.advance(3 * DAY);
  await closeHour();
  expect((await lines({ orderCode: String(order) })).map(({ kind }) => kind)).toEqual(['reversed']);
});

test('a statement cannot be changed, and a change made by SQL is detected', async () => {
  const { platform } = node;
  await expect(platform.db.query(sql`update no_loss_hours set credited_amount = 0`)).rejects.toThrow(
    'never changed',
  );
  await expect(platform.db.query(sql`delete from no_loss_lines`)).rejects.toThrow('never changed');
  await node.owner.query(sql`alter table no_loss_lines disable trigger no_loss_lines_stay`);
  await node.owner.query(sql`
    update no_loss_lines set holder = 'merchant' where id = (select max(id) from no_loss_lines)`);
  const { list } = await ask(platform, admin, getNoLoss, { pageSize: 500 });
  expect(list.filter(({ intact }) => !intact)).toHaveLength(1);
});
