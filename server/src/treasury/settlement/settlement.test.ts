import * as contract from '@sangam/contract/endpoints/settlement.ts';
import { getStatement } from '@sangam/contract/endpoints/fund.ts';
import { init } from '@sangam/contract/endpoints/message.ts';
import { getMine } from '@sangam/contract/endpoints/todo.ts';
import { getMerchantList } from '@sangam/contract/endpoints/party.ts';
import { businessDay, formatTime } from '@sangam/contract/time.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../../app/approval-kinds.ts';
import { decide } from '../../approvals/decide.ts';
import { DAY, MINUTE, SECOND } from '../../platform/clock.ts';
import type { CollectionOrder } from '../../collection/order.ts';
import { sql } from '../../platform/db/database.ts';
import { type Leg, post } from '../../ledger/post.ts';
import { makePartitions } from '../../platform/db/partitions.ts';
import { receiveMessages } from '../../evidence/matching/receive.ts';
import { heartbeat } from '../../evidence/monitors/heartbeat.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { balancesIn, brokenChecks } from '../../testing/books.ts';
import { createOne, creditSms, makeShop, type Shop } from '../../testing/payments.ts';
import { payOut } from '../../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { reverseByTwo } from '../../testing/reversal.ts';
import { makeUser, setTerms, viewerOf } from '../../testing/world.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { bankDaysAfter, dayNumber, dayOfSlot } from './due-day.ts';
import { settleDue } from './run.ts';
import { dueOf, finishRun, insertRows, insertRun } from './store.ts';

const CREDIT = 970_00n;
const COOLED = 16 * MINUTE;

let node: TestPlatform;
let shop: Shop;
let admin: Viewer;
let superAdmin: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  await makePartitions({ db: node.owner, clock: node.clock });
  const staff = async (role: 'admin' | 'superAdmin') =>
    viewerOf(node.platform, { role, userId: (await makeUser(node.platform, { role })).id });
  [admin, superAdmin] = [await staff('admin'), await staff('superAdmin')];
});
beforeEach(async () => {
  await node.platform.db.query(sql`update resources set state = 1`);
  // A Monday, so that the next days are bank days.
  do node.clock.advance(DAY);
  while (new Date(node.clock.now()).getUTCDay() !== 1);
  shop = await makeShop(node.platform);
  await term(1);
});
afterEach(async () => {
  await settleDue(node.platform);
  expect(await brokenChecks(node.platform)).toEqual([]);
});
afterAll(() => node.close());

const newTerm = (days: number) => ({ merchantId: String(shop.merchantId), days, reason: 'contract 12' });
const term = (days: number) => ask(node.platform, admin, contract.setSettlementTerm, newTerm(days));
/** Asks for a shorter term, which a second person has to agree to; returns the request's id. */
async function askedForTerm(days: number): Promise<bigint> {
  const { code, data } = await askRefused(node.platform, admin, contract.setSettlementTerm, newTerm(days));
  expect(code).toBe('approvalNeeded');
  return BigInt((data as { readonly todoId: string }).todoId);
}
const agree = (id: bigint) => decide(node.platform, APPROVAL_HANDLERS, superAdmin, { id, approve: true });
/** A payment of 1,000 that credits the merchant 970, made when the amount of the payment before is free again. */
async function paid(): Promise<CollectionOrder> {
  node.clock.advance(COOLED);
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
  const order = await createOne(node.platform, shop.merchantId, { amount: 1_000_00n });
  await receiveMessages(node.platform, shop.monitor, [creditSms(node.platform, shop, order.payable!)]);
  return order;
}
/** Balances by bucket, with all due days of 'pending' added up. */
async function money() {
  const rows = await node.platform.db.query<{ bucket: string; balance: bigint }>(sql`
    select bucket, sum(balance)::bigint as balance from ledger_accounts
    where owner_kind = 'merchant' and owner_id = ${shop.merchantId} group by 1 having sum(balance) <> 0`);
  return Object.fromEntries(rows.map((row) => [row.bucket, row.balance]));
}

test('a merchant without a term is credited at once', async () => {
  await agree(await askedForTerm(0));
  await paid();
  expect(await money()).toEqual({ available: CREDIT });
});

test('a shorter term waits for a second person, and is not executed where the term has changed since', async () => {
  const inForce = () =>
    node.platform.db.query(sql`select settlement_days as days from merchants where id = ${shop.merchantId}`);
  const request = await askedForTerm(0);
  expect(await inForce()).toEqual([{ days: 1 }]);
  await term(2);
  expect(await agree(request)).toMatchObject({ code: 'conflict' });
  await agree(await askedForTerm(1));
  expect(await inForce()).toEqual([{ days: 1 }]);
});

test('with T+1 a day’s credits wait and are available the next business day, settled once', async () => {
  await paid();
  await paid();
  expect(await money()).toEqual({ pending: 2n * CREDIT });
  expect(await settleDue(node.platform)).toBe(0);
  node.clock.advance(DAY);
  await paid();
  const nodes = [node.platform, node.anotherNode(), node.anotherNode()];
  const moved = await Promise.all(nodes.map((each) => settleDue(each)));
  expect(moved.reduce((a, b) => a + b)).toBe(1);
  expect(await money()).toEqual({ available: 2n * CREDIT, pending: CREDIT });
  expect(await settleDue(node.platform)).toBe(0);
  const rows = await ask(
    node.platform,
    viewerOf(node.platform, { role: 'merchant', merchantId: shop.merchantId }),
    contract.getSettlementRows,
  );
  expect(rows.list).toMatchObject([
    { dueDay: businessDay(node.clock.now()), amount: Number(2n * CREDIT), currency: 'INR' },
  ]);
  const { list } = await ask(node.platform, admin, contract.getSettlementRuns);
  expect(list[0]).toMatchObject({
    throughDay: businessDay(node.clock.now()),
    startedBy: null,
    total: 1,
    done: 1,
    amounts: [{ currency: 'INR', amount: Number(2n * CREDIT) }],
    finishTime: formatTime(node.clock.now()),
  });
});

test('a node that counted what is due before another node’s run ended writes no empty run', async () => {
  await paid();
  node.clock.advance(DAY);
  const [first, second] = [node.platform, node.anotherNode()];
  let behind: Promise<number> | undefined;
  await first.db.tx(async (tx) => {
    const at = first.clock.now();
    const run = {
      id: first.ids.next(),
      throughDay: businessDay(at),
      merchantId: null,
      startedBy: null,
      approvalId: null,
    };
    await insertRun(tx, { ...run, at });
    behind = settleDue(second);
    await waits();
    const moved = (await dueOf(tx, run, 100)).map((due) => ({ ...due, key: `test/${due.accountId}` }));
    const postings = moved.map(({ key, merchantId, slot, balance }) => {
      const merchant = { ownerKind: 'merchant', ownerId: merchantId } as const;
      const legs: Leg[] = [
        { ...merchant, bucket: 'pending', slot, amount: -balance },
        { ...merchant, bucket: 'available', amount: balance, spillsToDebt: true },
      ];
      return { key, kind: 'settlement', orderId: null, currency: 'INR', legs } as const;
    });
    await post(first, tx, postings);
    await insertRows(tx, run, moved, at);
    await finishRun(tx, run.id, at);
  });
  expect(await behind).toBe(0);
  const { list } = await ask(node.platform, admin, contract.getSettlementRuns);
  expect(list.filter(({ throughDay }) => throughDay === businessDay(node.clock.now()))).toHaveLength(1);
});

/** Waits until a session waits for another one's lock. */
async function waits(): Promise<void> {
  await expect
    .poll(() => node.owner.query(sql`select from pg_stat_activity where wait_event_type = 'Lock'`))
    .not.toEqual([]);
}

test('the statement shows the settlement in both buckets', async () => {
  await paid();
  node.clock.advance(DAY);
  await settleDue(node.platform);
  const { list } = await ask(node.platform, admin, getStatement, {
    ownerKind: 'merchant',
    ownerId: String(shop.merchantId),
    currency: 'INR',
    startTime: formatTime(new Date(node.clock.now().getTime() - 2 * DAY)),
    endTime: formatTime(node.clock.now()),
  });
  const settled = Number(CREDIT);
  expect(list.filter(({ bucket }) => bucket !== 'debt')).toEqual([
    {
      bucket: 'available',
      opening: 0,
      closing: settled,
      lines: [{ postingKind: 'settlement', count: 1, amount: settled }],
    },
    {
      bucket: 'pending',
      opening: 0,
      closing: 0,
      lines: [
        { postingKind: 'collection', count: 1, amount: settled },
        { postingKind: 'settlement', count: 1, amount: -settled },
      ],
    },
  ]);
});

test('a reversal takes from what is pending first, then from what is available, then leaves a debt', async () => {
  const [first, second] = [await paid(), await paid()];
  await reverseByTwo(node.platform, { orderId: first.id });
  expect(await money()).toEqual({ pending: CREDIT });
  node.clock.advance(DAY);
  await settleDue(node.platform);
  expect(await money()).toEqual({ available: CREDIT });
  await reverseByTwo(node.platform, { orderId: second.id });
  expect(await money()).toEqual({});
  const third = await paid();
  node.clock.advance(DAY);
  await settleDue(node.platform);
  await setTerms(node.platform, { ownerKind: 'merchant', ownerId: shop.merchantId, productId: 2001 });
  await payOut(node.platform, shop.merchantId, { amount: 900_00n });
  await reverseByTwo(node.platform, { orderId: third.id });
  const { debt, available } = await money();
  expect((debt ?? 0n) < 0n && available === undefined).toBe(true);
  // The next credit pays the debt first; the rest is pending.
  await paid();
  expect(await money()).toMatchObject({ pending: CREDIT + debt! });
});

test('a new term is for new credits: what waits keeps its day', async () => {
  await term(3);
  await paid();
  await agree(await askedForTerm(1));
  await paid();
  node.clock.advance(DAY);
  await settleDue(node.platform);
  expect(await money()).toEqual({ available: CREDIT, pending: CREDIT });
  node.clock.advance(2 * DAY);
  await settleDue(node.platform);
  expect(await money()).toEqual({ available: 2n * CREDIT });
  const { list } = await ask(node.platform, admin, getMerchantList);
  expect(list.find(({ id }) => id === String(shop.merchantId))?.settlementDays).toBe(1);
});

test('a preview says what a run would settle, and nothing once it has', async () => {
  await paid();
  const today = businessDay(node.clock.now());
  const tomorrow = businessDay(new Date(node.clock.now().getTime() + DAY));
  const merchantId = String(shop.merchantId);
  const previewed = (throughDay?: string) =>
    ask(node.platform, admin, contract.previewSettlement, { merchantId, throughDay });
  expect(await previewed()).toEqual({ throughDay: today, count: 0, amounts: [], balances: [] });
  const amount = Number(CREDIT);
  expect(await previewed(tomorrow)).toMatchObject({
    count: 1,
    amounts: [{ currency: 'INR', amount }],
    balances: [{ merchantId, dueDay: tomorrow, amount }],
  });
  expect((await previewed('2099-01-01')).count).toBe(1);
  node.clock.advance(DAY);
  await settleDue(node.platform);
  expect((await previewed()).count).toBe(0);
});

test('a run by hand settles one merchant early, and only it', async () => {
  const early = shop;
  await paid();
  shop = await makeShop(node.platform);
  await term(1);
  await paid();
  const tomorrow = businessDay(new Date(node.clock.now().getTime() + DAY));
  const start = { throughDay: tomorrow, merchantId: String(early.merchantId), reason: 'asked by phone' };
  const asked = await askRefused(node.platform, admin, contract.startSettlementRun, start);
  expect(asked.code).toBe('approvalNeeded');
  await settleDue(node.platform);
  expect((await balancesIn(node.platform, 'merchant', early.merchantId))['available'] ?? 0n).toBe(0n);
  const todoId = BigInt((asked.data as { todoId: string }).todoId);
  expect(await decide(node.platform, APPROVAL_HANDLERS, admin, { id: todoId, approve: true })).toMatchObject({
    code: 'forbidden',
  });
  await decide(node.platform, APPROVAL_HANDLERS, superAdmin, { id: todoId, approve: true });
  await settleDue(node.platform);
  expect(await money()).toMatchObject({ pending: CREDIT });
  expect(await balancesIn(node.platform, 'merchant', early.merchantId)).toMatchObject({ available: CREDIT });
  const [entry] = await node.platform.db.query(sql`
    select action, after->>'startedBy' as "startedBy", user_id as "userId" from audit_log
    where action = 'settlement.startRun' order by id desc limit 1`);
  expect(entry).toEqual({
    action: 'settlement.startRun',
    startedBy: String(admin.userId),
    userId: superAdmin.userId,
  });
  // The user who started the run is notified of its end, in the user's own language.
  const { unread } = await ask(node.platform, admin, init);
  expect(unread.map(({ title }) => title)).toContain(
    `The settlement run through ${tomorrow} has finished. Balances settled: 1`,
  );
  const unknown = { merchantId: '999999', reason: 'x' };
  expect((await askRefused(node.platform, admin, contract.startSettlementRun, unknown)).code).toBe(
    'notFound',
  );
});

test('an early run shows its sums to who decides, and settles no money that came after it was asked for', async () => {
  await paid();
  const inDays = (days: number) => businessDay(new Date(node.clock.now().getTime() + days * DAY));
  const merchantId = String(shop.merchantId);
  const start = { throughDay: inDays(3), merchantId, reason: 'asked by phone' };
  const asked = await askRefused(node.platform, admin, contract.startSettlementRun, start);
  const { todoId } = asked.data as { todoId: string };
  const { list } = await ask(node.platform, superAdmin, getMine, { subjectId: merchantId });
  expect(list).toMatchObject([
    {
      id: todoId,
      amount: Number(CREDIT),
      currency: 'INR',
      payload: { sums: [{ currency: 'INR', count: 1, amount: Number(CREDIT) }] },
    },
  ]);
  // One more credit of the same day, and one of a later day.
  await paid();
  await term(2);
  await paid();
  await agree(BigInt(todoId));
  await settleDue(node.platform);
  expect(await money()).toEqual({ available: CREDIT, pending: 2n * CREDIT });
  node.clock.advance(2 * DAY);
  await settleDue(node.platform);
  expect(await money()).toEqual({ available: 3n * CREDIT });
});

test('a run that breaks off goes on where it stopped, on another node, while credits and reversals go on', async () => {
  const orders: CollectionOrder[] = [];
  const shops: Shop[] = [];
  for (let i = 0; i < 6; i += 1) {
    await node.platform.db.query(sql`update resources set state = 1`);
    shop = await makeShop(node.platform);
    await term(1);
    shops.push(shop);
    orders.push(await paid(), await paid());
  }
  node.clock.advance(DAY);
  // The first node dies before its batch is committed.
  const dying = node.anotherNode();
  const killed = dying.db.tx.bind(dying.db);
  let steps = 0;
  const broken = {
    ...dying,
    db: {
      ...dying.db,
      query: dying.db.query.bind(dying.db),
      tx: (work: Parameters<typeof killed>[0]) =>
        killed(async (tx) => {
          const result = await work(tx);
          steps += 1;
          if (steps === 2) throw new Error('killed');
          return result;
        }),
    },
  } as unknown as typeof dying;
  await expect(settleDue(broken)).rejects.toThrow('killed');
  const rows = () =>
    node.platform.db.query(
      sql`select 1 from settlement_rows where merchant_id = any(${shops.map((each) => each.merchantId)})`,
    );
  expect(await rows()).toHaveLength(0);
  await Promise.all([
    settleDue(node.platform),
    settleDue(node.anotherNode()),
    ...orders.slice(0, 6).map((order) => reverseByTwo(node.platform, { orderId: order.id })),
  ]);
  await settleDue(node.platform);
  for (const [index, each] of shops.entries()) {
    const left = await balancesIn(node.platform, 'merchant', each.merchantId);
    expect(left['available'], `shop ${index}`).toBe(index < 3 ? 0n : 2n * CREDIT);
  }
});

test('credited just after midnight by a node whose clock is behind, it is available the same day', async () => {
  const { clock, platform } = node;
  const [ahead, behind] = [node.anotherNode(30 * SECOND), node.anotherNode(-30 * SECOND)];
  await paid();
  const midnight = new Date(`${businessDay(new Date(clock.now().getTime() + DAY))}T00:00:00+05:30`);
  await heartbeat(platform, shop.monitor, { scriptVersion: '1' });
  const order = await createOne(platform, shop.merchantId, { amount: 1_000_00n });
  clock.set(new Date(midnight.getTime() + 10 * SECOND));
  await platform.db.query(sql`update waiting_orders set release_at = ${new Date(midnight.getTime() + DAY)}`);
  // The day's run has ended. By the clock of the other node it is still yesterday.
  expect(await settleDue(ahead)).toBe(1);
  await receiveMessages(behind, shop.monitor, [creditSms(behind, shop, order.payable!)]);
  expect(await money()).toMatchObject({ pending: expect.any(BigInt) });
  expect(await settleDue(ahead)).toBe(1);
  expect((await money())['pending'] ?? 0n).toBe(0n);
});

test('days on which banks do not work are not counted', () => {
  const after = (day: string, n: number, ...holidays: string[]) =>
    dayOfSlot(bankDaysAfter(dayNumber(day), n, new Set(holidays)));
  expect(after('2026-11-20', 1)).toBe('2026-11-21');
  // The fourth Saturday and a Sunday.
  expect(after('2026-11-27', 1)).toBe('2026-11-30');
  expect(after('2026-11-27', 2, '2026-12-01')).toBe('2026-12-02');
});
