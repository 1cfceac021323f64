import { getAuditList } from '@sangam/contract/endpoints/audit.ts';
import { setFrozen } from '@sangam/contract/endpoints/merchant.ts';
import * as order from '@sangam/contract/endpoints/order.ts';
import * as payout from '@sangam/contract/endpoints/payout.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { receiveMessages } from '../../evidence/matching/receive.ts';
import { duringCall } from '../../platform/audit/call.ts';
import { sql } from '../../platform/db/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { ask } from '../../testing/ask.ts';
import { makeBatchShop } from '../../testing/batches.ts';
import { createOne, creditSms, makeShop, newReference, type Shop } from '../../testing/payments.ts';
import { payOut } from '../../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { reverseByTwo } from '../../testing/reversal.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';

let node: TestPlatform;
let shop: Shop;
let boss: Viewer;
let clerk: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  shop = await makeShop(node.platform);
  boss = await person('superAdmin');
  clerk = { ...(await person('customerService')), ip: '203.0.113.50' };
});
afterAll(() => node.close());

async function person(role: Role, more: { readonly supplierId?: bigint } = {}): Promise<Viewer> {
  const { id: userId, account } = await makeUser(node.platform, { role });
  return { ...viewerOf(node.platform, { role, userId, ...more }), account };
}

/** Does it as the console does: in a call that has the user's role and session. */
const by = ({ role, sessionId }: Viewer, work: () => Promise<unknown>) =>
  duringCall({ role, sessionId, device: 'Probe/1.0' }, work);
const rows = async (filters: object) =>
  (await ask(node.platform, boss, getAuditList, { ...filters })).list.map(({ action, subject }) => [
    action,
    subject,
  ]);
const actions = async (filters: object) => (await rows(filters)).map(([action]) => action);

test('what a user does to a collection order is found by order, user, address and session', async () => {
  const { platform } = node;
  const { id } = await createOne(platform, shop.merchantId);
  const orderCode = String(id);
  const utr = newReference();
  await by(clerk, () => ask(platform, clerk, order.supplement, { orderCode, utr }));
  await by(clerk, () =>
    ask(platform, clerk, order.updateOrderMark, { id: orderCode, orderMark: 1, reason: 'two payers' }),
  );
  const done = [
    ['order.updateMark', `order:${id}`],
    ['order.supplement', `order:${id}`],
  ];
  for (const filters of [
    { subject: `order:${id}` },
    { account: clerk.account },
    { ip: clerk.ip },
    { sessionId: String(clerk.sessionId) },
  ])
    expect(await rows(filters)).toEqual(done);
  const { list } = await ask(platform, boss, getAuditList, { subject: `order:${id}` });
  expect(list).toMatchObject([
    { before: { mark: 0 }, after: { mark: 1 }, reason: 'two payers' },
    {
      account: clerk.account,
      role: 'customerService',
      device: 'Probe/1.0',
      before: { status: 1 },
      after: { utr, offset: false },
    },
  ]);
});

test('so is what users do to a payout, a supplier’s too', async () => {
  const { platform } = node;
  const { merchantId, supplierId } = await makeBatchShop(platform);
  const supplier = await person('supplier', { supplierId });
  const { id } = await payOut(platform, merchantId);
  const [orderId, orderCode] = [String(id), String(id)];
  await by(supplier, () => ask(platform, supplier, payout.claimOrder, { orderId }));
  await by(supplier, () => ask(platform, supplier, payout.cancelClaim, { orderId }));
  await by(boss, () => ask(platform, boss, payout.reject, { orderCode, rejectReason: 'wrong payee' }));
  expect(await actions({ subject: `order:${id}` })).toEqual([
    'order.reject',
    'order.cancelClaim',
    'order.claim',
  ]);
  expect(await actions({ account: supplier.account })).toEqual(['order.cancelClaim', 'order.claim']);
  expect(await rows({ reason: 'wrong payee' })).toEqual([['order.reject', `order:${id}`]]);
});

test('what merchants, monitors and the system do to orders writes nothing to the audit', async () => {
  const { platform } = node;
  const count = async () => (await platform.db.query(sql`select from audit_log`)).length;
  const before = await count();
  const paid = await createOne(platform, shop.merchantId);
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, paid.payable!)]);
  expect(await count()).toBe(before);
});

test('an action with an entry of its own has only that one', async () => {
  const { platform } = node;
  const { id } = await createOne(platform, shop.merchantId);
  const orderCode = String(id);
  const hold = { subjectKind: 'order', subjectId: orderCode, reason: 'asked by the bank' };
  await ask(platform, boss, setFrozen, { ...hold, frozen: true });
  await ask(platform, boss, setFrozen, { ...hold, frozen: false });
  await ask(platform, clerk, order.addNote, { orderCode, note: 'asked the bank' });
  await ask(platform, clerk, order.supplement, { orderCode, utr: newReference() });
  await reverseByTwo(platform, { orderId: id });
  const own = await platform.db.query<{ action: string }>(sql`
    select action from audit_log where subject = ${`order:${id}`} order by id`);
  expect(own.map(({ action }) => action)).toEqual([
    'hold.freeze',
    'hold.unfreeze',
    'order.addNote',
    'order.supplement',
    'order.reverse',
  ]);
});
