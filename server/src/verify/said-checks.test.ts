import { afterEach, beforeEach, expect, test } from 'vitest';
import { SETTINGS } from '@sangam/contract/settings.ts';
import { MINUTE } from '../platform/clock.ts';
import { type Sql, sql } from '../platform/db/database.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { heartbeat } from '../evidence/monitors/heartbeat.ts';
import { post } from '../ledger/post.ts';
import { acceptProof } from '../payout/accept-proof.ts';
import { claim } from '../payout/claim.ts';
import { confirmPaid } from '../payout/confirm-paid.ts';
import { exportBatch } from '../payout/batch/send.ts';
import { makeBatch, makeBatchShop, type BatchShop } from '../testing/batches.ts';
import { brokenChecks } from '../testing/books.ts';
import { createOne, creditSms, makeShop, newReference, type Shop } from '../testing/payments.ts';
import { payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeUser, viewerOf } from '../testing/world.ts';

/** Plants what the faults of an audit left behind (docs/engineering.md): somebody said one thing, and another was done. */

let world: TestPlatform;
/** The shop that payers pay into, and two orders; the first is paid by its amount. */
let shop: Shop;
let orders: { readonly id: bigint; readonly code: string }[];
/** The shop that pays payouts, and one payout that a supplier paid and whose proof the desk accepted. */
let desk: BatchShop;
let paid: { readonly id: bigint; readonly utr: string };
beforeEach(async () => {
  world = await createTestPlatform();
  const { platform, clock } = world;
  shop = await makeShop(platform);
  const made = [await createOne(platform, shop.merchantId), await createOne(platform, shop.merchantId)];
  orders = made.map(({ id, identifyCode }) => ({ id, code: identifyCode }));
  clock.advance(MINUTE);
  await heartbeat(platform, shop.monitor, { scriptVersion: '1' });
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, made[0]!.payable!)]);
  desk = await makeBatchShop(platform);
  paid = await pay();
  expect(await brokenChecks(platform)).toEqual([]);
});
afterEach(() => world.close());

async function pay(isProven = true): Promise<typeof paid> {
  const { platform } = world;
  const { id } = await payOut(platform, desk.merchantId);
  const utr = newReference();
  const supplier = viewerOf(platform, { role: 'supplier', supplierId: desk.supplierId });
  await claim(platform, supplier, id);
  await confirmPaid(platform, supplier, { orderId: id, utr });
  const { id: userId } = await makeUser(platform, { role: 'admin' });
  const admin = viewerOf(platform, { role: 'admin', userId });
  if (isProven) await acceptProof(platform, admin, { orderId: id, reason: 'seen' });
  return { id, utr };
}

/** Does the damage; answers the broken check whose line contains these words. */
async function named(check: string, ...damage: Sql[]): Promise<string | undefined> {
  for (const each of damage) await world.owner.query(each);
  return (await brokenChecks(world.platform)).find((line) => line.includes(check));
}

/** An event of the paid payout, so many minutes after another event. */
function event(kind: string, after: string, minutes: number, data = '{}', reason: string | null = null): Sql {
  return sql`
    insert into order_events (id, order_id, kind, actor_kind, reason, data, created_at)
    select id + ${minutes}, order_id, ${kind}, 'system', ${reason}, ${data}::jsonb, created_at + ${minutes} * interval '1 minute'
    from order_events where order_id = ${paid.id} and kind = ${after}`;
}

test('2: a payment that names one order and paid another by its amount', async () => {
  const said = sql`update messages set text = text || ${` ${orders[1]!.code}`}`;
  expect(await named('paid another by its amount', said)).toContain(
    `names order ${orders[1]!.id} by its code, and paid order ${orders[0]!.id}`,
  );
});

/** A patch of the paid payout. */
const livePatch = () => [
  sql`insert into chain_gaps (id, account_id, tail_id, head_id, delta, from_minute, to_minute, state, opened_at, closed_at)
    values (1, ${shop.accountId}, 1, 2, 100, 1, 2, 'patched', now(), now())`,
  sql`insert into chain_patches (id, gap_id, account_id, kind, amount, order_ids, state, created_at)
    values (7, 1, ${shop.accountId}, 'payout', 100, ${[paid.id]}, 'live', now())`,
];

test('4: a live patch of an order whose UTR the bank has named', async () => {
  const line = await named(
    'no live patch rests on',
    ...livePatch(),
    sql`update messages set utr = ${paid.utr}`,
  );
  expect(line).toContain(`patch 7 of 100 rests on order ${paid.id}`);
});

test('4: a patch that the leak checker has not looked at yet is not reported', async () => {
  await world.platform.settings.write(
    'SecurityFreqParameters',
    { ...SETTINGS.SecurityFreqParameters.fallback, sbLeakCheckInterval: 3600 },
    null,
  );
  const told = (minutes: number) =>
    sql`update messages set utr = ${paid.utr}, reported_at = now() - ${minutes} * interval '1 minute'`;
  const check = 'no live patch rests on';
  expect(await named(check, ...livePatch(), told(30))).toBeUndefined();
  expect(await named(check, told(90))).toContain(`patch 7 of 100 rests on order ${paid.id}`);
});

test('8: a withdrawal from a deposit that an order paid afterwards still needed', async () => {
  const { platform } = world;
  await platform.db.tx((tx) =>
    post(platform, tx, [
      {
        key: 'withdrawal/1',
        kind: 'withdrawal',
        orderId: null,
        currency: 'INR',
        legs: [
          { ownerKind: 'supplier', ownerId: shop.supplierId, bucket: 'deposit', amount: -100_00n },
          { ownerKind: 'platform', ownerId: 0n, bucket: 'external', amount: 100_00n },
        ],
      },
    ]),
  );
  const line = await named(
    'from under orders that could still be paid',
    sql`update ledger_entries set balance_after = 499_00 where posting_id = (select id from postings where kind = 'withdrawal') and amount < 0`,
    sql`update collection_orders o set paid_at = p.created_at + interval '1 minute' from postings p
      where o.id = ${orders[0]!.id} and p.kind = 'withdrawal'`,
  );
  expect(line).toContain(`left 49900 of the deposit of supplier ${shop.supplierId}`);
});

test('9: a payment whose UTR a payer had named, and that paid another order by its amount', async () => {
  const line = await named(
    'whose UTR a payer had named',
    sql`update collection_orders o set payer_utr = m.utr, payable = m.amount from messages m where o.id = ${orders[1]!.id}`,
    sql`insert into order_events (id, order_id, kind, actor_kind, data, created_at)
      select o.id + 777, o.id, 'utrSubmitted', 'payer', jsonb_build_object('utr', m.utr), o.created_at from collection_orders o, messages m
      where o.id = ${orders[1]!.id}`,
  );
  expect(line).toContain(`the payer of order ${orders[1]!.id} named, and paid order ${orders[0]!.id}`);
});

test('15: a claim of a payer’s UTR of which nobody was notified', async () => {
  const { id, utr } = await pay(false);
  const line = await named('of every claim', sql`update messages set utr = ${utr}`);
  expect(line).toContain(`payout ${id} is said to be paid by UTR ${utr}`);
});

test('16: a supplier’s file whose payouts count as proven because the desk confirmed it', async () => {
  const { platform } = world;
  const { id } = await payOut(platform, desk.merchantId, { amount: 700_00n });
  await makeBatch(platform, desk);
  const line = await named(
    'what a supplier’s file says',
    sql`update payout_batch_orders set state = 'completed', proposed = null, proposed_by_supplier = true where order_id = ${id}`,
    sql`update payout_orders set status = 3, locked_by = null, finished_at = created_at, utr = '632512345670' where id = ${id}`,
    sql`insert into order_events (id, order_id, kind, actor_kind, actor_id, data, created_at)
      select id + 9, id, 'completed', 'user', ${desk.adminId}, '{"by":"batchResult"}', created_at from payout_orders where id = ${id}`,
  );
  expect(line).toContain(`payout ${id} counts as proven`);
});

test.each(['merchant', 'supplier'] as const)(
  '17: a payout that was completed while its %s was on hold',
  async (kind) => {
    const subject = `${kind}:${kind === 'merchant' ? desk.merchantId : desk.supplierId}`;
    const { id: userId } = await makeUser(world.platform, { role: 'supplier' });
    const line = await named(
      'was on hold',
      sql`update order_events set actor_kind = 'user', actor_id = ${userId} where order_id = ${paid.id} and kind = 'completed'`,
      sql`insert into audit_log (id, action, subject, after, created_at)
        select id, 'hold.setLegal', ${subject}, '{"frozen":true}', created_at - interval '1 minute' from order_events
        where order_id = ${paid.id} and kind = 'completed'`,
    );
    expect(line).toContain(`payout ${paid.id} was completed`);
    expect(line).toContain(`${subject} on hold`);
  },
);

test('19: a payout with two transfers although no chain said that the first failed', async () => {
  const line = await named(
    'two transfers',
    sql`update payout_orders set currency = 'USDT' where id = ${paid.id}`,
    event('submitted', 'claimed', 1, '{"reference":"ab12"}'),
    event('submitted', 'claimed', 2, '{"reference":"cd34"}'),
  );
  expect(line).toContain(`payout ${paid.id} was sent as ab12 and again as cd34`);
});

test('21: a payout credited for another supplier’s debit', async () => {
  const line = await named(
    'a debit that is another supplier’s',
    sql`update messages set utr = ${paid.utr}, direction = 'debit', reported_at = reported_at - interval '1 hour'`,
    sql`delete from order_events where order_id = ${paid.id} and kind = 'proofAccepted'`,
  );
  expect(line).toContain(`credited to supplier ${desk.supplierId} by UTR ${paid.utr}`);
});

test('25: a commission that was credited beside an open debt', async () => {
  const { platform } = world;
  const leg = (bucket: 'commission' | 'debt', amount: bigint) =>
    ({ ownerKind: 'supplier', ownerId: desk.supplierId, bucket, amount }) as const;
  const against = (amount: bigint) =>
    ({ ownerKind: 'platform', ownerId: 0n, bucket: 'revenue', amount }) as const;
  for (const [kind, own] of [
    ['adjustment', leg('debt', -50_00n)],
    ['payoutCompleted', leg('commission', 2_00n)],
  ] as const) {
    const legs = [own, against(-own.amount)];
    await platform.db.tx((tx) =>
      post(platform, tx, [{ key: `planted/${kind}`, kind, orderId: null, currency: 'INR', legs }]),
    );
    world.clock.advance(MINUTE);
  }
  expect(await named('beside an open debt')).toContain(`supplier ${desk.supplierId}, which owed 5000`);
});

test('27: a file that was made after the day it is to be paid on', async () => {
  await payOut(world.platform, desk.merchantId);
  const { batchId } = await makeBatch(world.platform, desk);
  await exportBatch(world.platform, desk.admin, batchId);
  const past = sql`update payout_batches set pay_at = '2019-01-02 10:00:00+05:30' where id = ${batchId}`;
  expect(await named('after the day it is to be paid on', past)).toContain(`batch ${batchId} was exported`);
});
