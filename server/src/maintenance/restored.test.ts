import * as user from '@sangam/contract/endpoints/user.ts';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { decide } from '../approvals/decide.ts';
import type { PayoutChannel } from '../channels/payout-channel.ts';
import { takeCommands } from '../evidence/monitors/ask-monitor.ts';
import { setFrozen } from '../orders/holds/set-hold.ts';
import { claim } from '../payout/claim.ts';
import { confirmPaid } from '../payout/confirm-paid.ts';
import { expireClaims } from '../payout/expire-claims.ts';
import { readPayout } from '../payout/read.ts';
import { reject } from '../payout/reject.ts';
import { reselectPayout } from '../payout/reselect.ts';
import { DAY, HOUR, MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { serviceSuspended } from '../platform/service-suspended.ts';
import { type BatchShop, makeBatch, makeBatchShop } from '../testing/batches.ts';
import { brokenChecks } from '../testing/books.ts';
import { call } from '../testing/call.ts';
import { dispatchWaiting } from '../testing/gateway.ts';
import { newReference } from '../testing/payments.ts';
import { GATEWAY_PAYOUT, payOut } from '../testing/payouts.ts';
import { createTestUser, signedIn } from '../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import { issueInvoices } from '../treasury/invoices/issue.ts';
import { restored } from './restored.ts';

/** A database as it stood an hour ago. What happened in that hour is known to gateways, banks and phones only. */

const nodes: TestPlatform[] = [];
let node: TestPlatform;
let shop: BatchShop;
let restoredTo: Date;
beforeEach(async () => {
  node = await createTestPlatform();
  nodes.push(node);
  shop = await makeBatchShop(node.platform);
  restoredTo = node.clock.now();
});
afterAll(async () => {
  for (const each of nodes) {
    expect(await brokenChecks(each.platform)).toEqual([]);
    await each.close();
  }
});

const read = async (id: bigint) => (await readPayout(node.platform.db, id))!;
const supplier = (supplierId = shop.supplierId) => viewerOf(node.platform, { role: 'supplier', supplierId });
const admin = async () => {
  const { id } = await makeUser(node.platform, { role: 'admin' });
  return viewerOf(node.platform, { role: 'admin', userId: id });
};
/** Another admin approves the request that the answer names. */
const agree = async (answer: unknown) => {
  const id = BigInt((answer as { data: { todoId: string } }).data.todoId);
  return decide(node.platform, APPROVAL_HANDLERS, await admin(), { id, approve: true });
};
const unfreeze = async (id: bigint) =>
  setFrozen(node.platform, await admin(), {
    subjectKind: 'order',
    subjectId: String(id),
    frozen: false,
    reason: 'the bank’s statement was read',
  });

/** A gateway, and the keys it was asked to pay by. */
function makeGateway() {
  const sent: string[] = [];
  const channel: PayoutChannel = {
    send(_payout, key) {
      sent.push(key);
      return Promise.resolve({ outcome: 'accepted', reference: key });
    },
    check: () => Promise.resolve({ state: 'processing' }),
  };
  return { sent, channels: new Map([[GATEWAY_PAYOUT, channel]]) };
}

test('what was paid in the lost hour is not paid again: two people look at each open payout', async () => {
  const { platform } = node;
  const atGateway = await payOut(platform, shop.merchantId, { productId: GATEWAY_PAYOUT });
  const bySupplier = await payOut(platform, shop.merchantId);
  const claimed = await payOut(platform, shop.merchantId);
  await claim(platform, supplier(), claimed.id);
  node.clock.advance(HOUR);
  expect(await restored(platform, restoredTo)).toMatchObject({ payouts: 3 });

  const { sent, channels } = makeGateway();
  await dispatchWaiting(platform, channels);
  expect(sent).toEqual([]);
  expect(await claim(platform, supplier(shop.otherSupplierId), bySupplier.id)).toMatchObject({
    code: 'notFound',
  });
  const paid = { orderId: claimed.id, utr: newReference() };
  expect(await confirmPaid(platform, supplier(), paid)).toMatchObject({ code: 'actionNotAllowed' });
  const refused = { orderId: atGateway.id, reason: 'refused' };
  expect(await reject(platform, await admin(), refused)).toMatchObject({ code: 'actionNotAllowed' });
  for (const { id } of [atGateway, bySupplier, claimed])
    expect(await read(id)).toMatchObject({ frozen: true });

  // The gateway has not paid this one: two people unfreeze it, and only then somebody lets it be sent.
  const one = await unfreeze(atGateway.id);
  expect([one, await read(atGateway.id)]).toMatchObject([{ code: 'approvalNeeded' }, { frozen: true }]);
  expect(await agree(one)).toMatchObject({ status: 'approved' });
  await dispatchWaiting(platform, channels);
  expect(sent).toEqual([]);
  await reselectPayout(platform, await admin(), atGateway.id);
  await dispatchWaiting(platform, channels);
  expect(sent).toEqual([String(atGateway.id)]);

  // A supplier has paid this one: two people say so.
  expect(await agree(await unfreeze(bySupplier.id))).toMatchObject({ status: 'approved' });
  const confirmed = await confirmPaid(platform, await admin(), {
    orderId: bySupplier.id,
    utr: newReference(),
  });
  expect(confirmed).toMatchObject({ code: 'approvalNeeded' });
  expect(await agree(confirmed)).toMatchObject({ status: 'approved' });
  expect(await read(bySupplier.id)).toMatchObject({ status: 3 });

  // Its claimer goes on with this one.
  expect(await unfreeze(claimed.id)).toEqual({});
  expect(await confirmPaid(platform, supplier(), paid)).toMatchObject({ status: 3 });
});

test('a claim given back after the restore is frozen until two people have looked', async () => {
  const { id } = await payOut(node.platform, shop.merchantId);
  await claim(node.platform, supplier(), id);
  await restored(node.platform, restoredTo);
  await unfreeze(id);
  await reject(node.platform, supplier(), { orderId: id, reason: 'not paid' });
  expect(await read(id)).toMatchObject({ status: 0, frozen: true });
  expect(await unfreeze(id)).toMatchObject({ code: 'approvalNeeded' });
});

test('the service is off, nobody is signed in, no request waits, and the monitors report again', async () => {
  const { platform } = node;
  const app = await node.app();
  const boss = await createTestUser(platform, 'superAdmin');
  const session = await signedIn(platform, boss);
  const { id } = await payOut(platform, shop.merchantId);
  await claim(platform, supplier(), id);
  node.clock.advance(31 * MINUTE);
  await expireClaims(platform);
  const [own] = await platform.db.query<{ userId: bigint }>(
    sql`select user_id as "userId" from suppliers where id = ${shop.supplierId}`,
  );
  const asked = await reject(platform, { ...supplier(), ...own }, { orderId: id, reason: 'not paid' });
  expect(asked).toMatchObject({ code: 'approvalNeeded' });
  node.clock.advance(29 * MINUTE);
  const now = node.clock.now();
  expect(await restored(platform, restoredTo)).toEqual({ payouts: 1, requests: 1, sessions: 1, monitors: 1 });
  expect(await agree(asked)).toMatchObject({ code: 'conflict', data: { status: 'expired' } });
  expect(await serviceSuspended(platform)).toMatchObject({ code: 'serviceSuspended' });
  expect((await call(app, 'POST', user.getInfo.path, {}, session)).code).not.toBe(200);
  const monitor = { id: shop.monitorId, supplierId: shop.supplierId };
  expect(await takeCommands(platform, monitor)).toMatchObject({
    commands: [{ kind: 'resend', from: restoredTo.getTime() - DAY, to: now.getTime() }],
  });
  const notices = sql`select data from inbox_messages where user_id = ${boss.id} and kind = 'databaseRestored'`;
  expect(await platform.db.query(notices)).toHaveLength(1);
});

test('no invoice is issued with a number that was used since: people say anew who issues', async () => {
  const { platform } = node;
  await platform.settings.write('InvoiceIssuer', 'Sangam Ltd', null);
  await restored(platform, restoredTo);
  await issueInvoices(platform);
  expect(await platform.db.query(sql`select from invoice_months`)).toEqual([]);
  await platform.settings.write('InvoiceIssuer', 'Sangam Ltd', null);
  await issueInvoices(platform);
  expect(await platform.db.query(sql`select from invoice_months`)).toHaveLength(1);
});

test('numbers of batches and files that a bank may have seen are not given again', async () => {
  const { platform } = node;
  await payOut(platform, shop.merchantId);
  const first = await makeBatch(platform, shop);
  await restored(platform, restoredTo);
  await payOut(platform, shop.merchantId);
  const next = await makeBatch(platform, shop);
  expect(BigInt(next.batchId)).toBeGreaterThan(BigInt(first.batchId) + 10_000n);
  const serials = await platform.db.query(sql`select serial from payout_batches order by id`);
  expect(serials).toEqual([{ serial: 1 }, { serial: 101 }]);
});

test('the command changes nothing the second time', async () => {
  const { platform } = node;
  const { id } = await payOut(platform, shop.merchantId);
  await restored(platform, restoredTo);
  await agree(await unfreeze(id));
  await platform.settings.write('enableService', true, null);
  expect(await restored(platform, restoredTo)).toBeUndefined();
  expect(await read(id)).toMatchObject({ frozen: false });
  expect(await serviceSuspended(platform)).toBeUndefined();
});
