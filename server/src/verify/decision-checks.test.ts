import { afterEach, beforeEach, expect, test } from 'vitest';
import { MINUTE } from '../platform/clock.ts';
import { type Sql, sql } from '../platform/db/database.ts';
import { post } from '../ledger/post.ts';
import { readReference } from '@sangam/contract/references.ts';
import { claimReferences } from '../order-numbers/claim.ts';
import { acceptProof } from '../payout/accept-proof.ts';
import { claim } from '../payout/claim.ts';
import { exportBatch, markSent } from '../payout/batch/send.ts';
import { confirmPaid } from '../payout/confirm-paid.ts';
import { reportDebit } from '../testing/debits.ts';
import { type BatchShop, makeBatch, makeBatchShop } from '../testing/batches.ts';
import { brokenChecks } from '../testing/books.ts';
import { newReference } from '../testing/payments.ts';
import { payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeUser, viewerOf } from '../testing/world.ts';

/** Plants what the faults of an audit left behind (docs/engineering.md); the code refuses these faults now. */

let world: TestPlatform;
let shop: BatchShop;
/** A payout that a supplier paid and whose proof the desk accepted, and the reference of its debit. */
let paid: { readonly id: bigint; readonly utr: string };
beforeEach(async () => {
  world = await createTestPlatform();
  shop = await makeBatchShop(world.platform);
  paid = await pay();
});
afterEach(() => world.close());

const supplier = () => viewerOf(world.platform, { role: 'supplier', supplierId: shop.supplierId });

async function pay(isProven = true): Promise<typeof paid> {
  const { platform } = world;
  const { id } = await payOut(platform, shop.merchantId);
  const utr = newReference();
  await claim(platform, supplier(), id);
  await confirmPaid(platform, supplier(), { orderId: id, utr });
  const { id: userId } = await makeUser(platform, { role: 'admin' });
  const admin = viewerOf(platform, { role: 'admin', userId });
  if (isProven) await acceptProof(platform, admin, { orderId: id, reason: 'seen' });
  return { id, utr };
}

test('books without any of these faults pass', async () => {
  await pay(false);
  expect(await brokenChecks(world.platform)).toEqual([]);
});

/** Does the damage; answers the broken check whose line contains these words. */
async function named(check: string, ...damage: Sql[]): Promise<string | undefined> {
  for (const each of damage) await world.owner.query(each);
  return (await brokenChecks(world.platform)).find((line) => line.includes(check));
}

/** An event of the paid payout, so many minutes after another event. */
const event = (
  kind: string,
  after: string,
  minutes: number,
  data = '{}',
  reason: string | null = null,
) => sql`
  insert into order_events (id, order_id, kind, actor_kind, reason, data, created_at)
  select id + ${minutes}, order_id, ${kind}, 'system', ${reason}, ${data}::jsonb, created_at + ${minutes} * interval '1 minute'
  from order_events where order_id = ${paid.id} and kind = ${after}`;

const withdrawal = (amount: bigint) =>
  world.platform.db.tx((tx) =>
    post(world.platform, tx, [
      {
        key: `withdrawal/${amount}`,
        kind: 'withdrawal',
        orderId: null,
        currency: 'INR',
        legs: [
          { ownerKind: 'supplier', ownerId: shop.supplierId, bucket: 'deposit', amount: -amount },
          { ownerKind: 'platform', ownerId: 0n, bucket: 'external', amount },
        ],
      },
    ]),
  );

test('11: an ended gateway payout whose gateway is not asked about', async () => {
  const given = sql`update payout_orders set attempt = 1, ask_again_at = null where id = ${paid.id}`;
  expect(await named('is asked about for a week', given)).toContain(`payout ${paid.id} `);
});

test('13: a callback that was taken back while it was being sent', async () => {
  const line = await named(
    'none went before an earlier one',
    sql`insert into callback_attempts (id, callback_id, order_id, url, http_method, request, duration_ms, created_at)
      select id + 1, 17, order_id, url, 'POST', '', 900, created_at from callbacks where order_id = ${paid.id}`,
  );
  expect(line).toContain(`callback 17 of order ${paid.id} was sent`);
});

test('13: a callback that was sent before an earlier one of its order', async () => {
  const line = await named(
    'none went before an earlier one',
    sql`insert into callbacks (id, order_id, merchant_id, place, kind, url, transport, fields, created_at)
      select id + 1, order_id, merchant_id, place + 1, kind, url, transport, fields, created_at from callbacks where order_id = ${paid.id}`,
    sql`insert into callback_attempts (id, callback_id, order_id, url, http_method, request, duration_ms, created_at)
      select id, id, order_id, url, 'POST', '', 900, created_at from callbacks where order_id = ${paid.id} and place = 2`,
  );
  expect(line).toContain(`of order ${paid.id} was sent before callback`);
});

test('17: a payout that was completed while it was frozen', async () => {
  const line = await named('of an order that was frozen', event('frozen', 'completed', -5));
  expect(line).toMatch(new RegExp(`order ${paid.id} was (claimed|completed)`));
  await world.owner.query(event('unfrozen', 'completed', -1));
  expect(await brokenChecks(world.platform)).toEqual([]);
});

test('17: a withdrawal of a supplier on hold', async () => {
  world.clock.advance(MINUTE);
  await withdrawal(100_00n);
  const line = await named(
    'from an owner on hold',
    sql`insert into audit_log (id, action, subject, after, created_at)
      select id - 1, 'hold.setLegal', ${`supplier:${shop.supplierId}`}, '{"frozen":true}', created_at - interval '1 minute'
      from postings where kind = 'withdrawal'`,
  );
  expect(line).toContain(`supplier ${shop.supplierId} at`);
});

test('19: a transfer that its signer denies, though it was sent', async () => {
  const line = await named(
    'by the word of its chain alone',
    sql`update payout_orders set currency = 'USDT' where id = ${paid.id}`,
    event('submitted', 'claimed', 1, '{"reference":"ab12"}'),
    event('failed', 'claimed', 2, '{}', 'the signer never signed it'),
  );
  expect(line).toContain(`payout ${paid.id} was called failed`);
});

test('19: a transfer sent after the one before it had failed is no fault, whatever ids the nodes gave', async () => {
  await world.owner.query(sql`update payout_orders set currency = 'USDT' where id = ${paid.id}`);
  await world.owner.query(event('failed', 'claimed', 2, '{}', 'the signer never signed it'));
  await world.owner.query(event('submitted', 'claimed', 1, '{"reference":"ab12"}'));
  const lines = await brokenChecks(world.platform);
  expect(lines.filter((line) => line.includes('by the word of its chain alone'))).toEqual([]);
});

test('21: a payout credited to another supplier than the one whose debit proves it', async () => {
  const { id, utr } = await pay(false);
  await reportDebit(world.platform, shop, { amount: 500_00n, utr, balance: 1_000_00n });
  const line = await named(
    'of the supplier it was credited to',
    sql`insert into message_matches (order_id, message_id, evidence, created_at)
      select ${id}, id, 'utr', received_at from messages where utr = ${utr}
      on conflict do nothing`,
    sql`update messages set supplier_id = ${shop.otherSupplierId} where utr = ${utr}`,
  );
  expect(line).toContain(`payout ${id} was credited to supplier ${shop.supplierId}`);
});

test('22: a debit with the number of a refunded payout of which nobody was notified', async () => {
  const { platform } = world;
  const { id } = await payOut(platform, shop.merchantId);
  await makeBatch(platform, shop);
  await reportDebit(platform, shop, { amount: 500_00n, utr: '632512345678', balance: 1_000_00n });
  const line = await named(
    'the number of a refunded payout',
    sql`update payout_batch_orders set in_file = true, bank_reference = '632512345678' where order_id = ${id}`,
    sql`update messages set reported_at = now() - interval '1 hour' where utr = '632512345678'`,
    sql`update payout_orders set status = 6, locked_by = null, finished_at = created_at where id = ${id}`,
  );
  expect(line).toContain(`payout ${id} of 50000 was refunded`);
});

test('22: a debit that fits a refunded payout only by its amount and of which nobody was notified', async () => {
  const { platform } = world;
  const { id } = await payOut(platform, shop.merchantId, { amount: 700_00n });
  const { batchId } = await makeBatch(platform, shop);
  await exportBatch(platform, shop.admin, batchId);
  await markSent(platform, shop.admin, batchId);
  await reportDebit(platform, shop, { amount: 700_00n, utr: '632512345679', balance: 1_000_00n });
  const line = await named(
    'by its amount alone',
    sql`update messages set state = 'ignored', order_id = null, reported_at = now() - interval '1 hour' where utr = '632512345679'`,
    sql`delete from message_matches where order_id = ${id}`,
    sql`update payout_batch_orders set state = 'returned' where order_id = ${id}`,
    sql`update payout_orders set status = 6, locked_by = null, finished_at = now() - interval '1 hour' where id = ${id}`,
  );
  expect(line).toContain(`payout ${id} of 70000 was refunded`);
});

test('25: a withdrawal of money that only its owner says it has paid', async () => {
  await pay(false);
  world.clock.advance(MINUTE);
  await withdrawal(600_00n);
  const line = (await brokenChecks(world.platform)).find((each) => each.includes('and has not proven'));
  expect(line).toContain(`of supplier ${shop.supplierId}, which owed 0 and had not proven 50000`);
});

test('25: a withdrawal beside an open debt', async () => {
  const debt = { ownerKind: 'supplier', ownerId: shop.supplierId, bucket: 'debt', amount: -50_00n } as const;
  const legs = [debt, { ownerKind: 'platform', ownerId: 0n, bucket: 'revenue', amount: 50_00n } as const];
  await world.platform.db.tx((tx) =>
    post(world.platform, tx, [{ key: 'planted', kind: 'adjustment', orderId: null, currency: 'INR', legs }]),
  );
  world.clock.advance(MINUTE);
  await withdrawal(500_00n);
  const line = (await brokenChecks(world.platform)).find((each) => each.includes('and has not proven'));
  expect(line).toContain(`of supplier ${shop.supplierId}, which owed 5000`);
});

test('26: a payout that was sent while its product was switched off', async () => {
  const line = await named(
    'was switched off for its merchant',
    sql`insert into user_product_terms (id, owner_kind, owner_id, product_id, enabled, rate_ppm, fixed_fee, min_amount, max_amount,
        effective_at, applied_at, created_at)
      select o.id - 1, 'merchant', o.merchant_id, o.product_id, false, 0, 0, 1, 1, o.created_at, o.created_at, o.created_at
      from payout_orders o where o.id = ${paid.id}`,
    event('dispatched', 'claimed', 1),
  );
  expect(line).toContain(`payout ${paid.id} was sent`);
});

test('27: a commission above its limit', async () => {
  const all = sql`update payout_orders set supplier_commission = 50_01 where id = ${paid.id}`;
  expect(await named('above its limit', all)).toContain(`order ${paid.id} of 50000 earned its supplier 5001`);
});

test('27: a commission of an agent above its limit', async () => {
  const taken = sql`update ledger_accounts set owner_id = ${shop.agentId} where owner_kind = 'supplier' and owner_id = ${shop.supplierId}
    and bucket = 'deposit'`;
  const own = sql`delete from ledger_accounts where owner_kind = 'supplier' and owner_id = ${shop.agentId} and bucket = 'deposit'`;
  expect(await named("agent's commission", own, taken)).toContain(
    `order ${paid.id} of 50000 earned agent ${shop.agentId}`,
  );
});

test('27: an early settlement by one person alone', async () => {
  const line = await named(
    'every early settlement',
    sql`insert into settlement_runs (id, through_day, started_by, total, started_at)
      values (17, current_date + 3000, ${shop.adminId}, 0, now())`,
  );
  expect(line).toContain('settlement run 17');
});

test('23: the database refuses a placeholder as a UTR', async () => {
  for (const utr of ['NA', '-', 'UNKNOWN', '000'])
    await expect(
      world.owner.query(
        sql`insert into utr_uses (family, utr, order_id, used_at) values ('bank', ${utr}, ${paid.id}, now())`,
      ),
    ).rejects.toThrow('utr_is_a_reference');
});

test('what one digit makes a receipt of M-Pesa is one for the database too, whatever the currency', async () => {
  const claim = (reference: string, currency: string) =>
    world.platform.db.tx((tx) =>
      claimReferences(tx, [{ orderId: paid.id, reference, currency }], new Date()),
    );
  for (const reference of ['RKTQDM7W6S', 'UG5QRTZHBW'].map((text) => readReference(text)!))
    for (const currency of ['INR', 'KES']) expect(await claim(reference, currency)).toEqual(new Set());
  expect(await claim(readReference('UKGQWERTYZ', 'KES')!, 'KES')).toEqual(new Set());
  await world.owner.query(sql`delete from utr_uses where utr in ('RKTQDM7W6S', 'UG5QRTZHBW', 'UKGQWERTYZ')`);
});

test('24: the database refuses a payout with two ways to pay it', async () => {
  await expect(
    world.owner.query(sql`update payout_orders set payee_vpa = 'asha@okbank' where id = ${paid.id}`),
  ).rejects.toThrow('payout_names_one_way_to_pay');
});
