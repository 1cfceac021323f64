import { getEntity } from '@sangam/contract/endpoints/entity.ts';
import { ENTITY_KINDS, type EntityKind } from '@sangam/contract/entity.ts';
import { updateMerchant } from '@sangam/contract/endpoints/merchant.ts';
import { updateOrderMark } from '@sangam/contract/endpoints/order.ts';
import { ORDER_MARK } from '@sangam/contract/orders.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SendAnswer } from '../../channels/payout-channel.ts';
import { receiveMessages } from '../../evidence/matching/receive.ts';
import { MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { makeBatch, makeBatchShop } from '../../testing/batches.ts';
import { dispatchWaiting, makeGatewayAccount, payerWithoutLimits } from '../../testing/gateway.ts';
import { createOne, makeShop, type Shop, statedSms } from '../../testing/payments.ts';
import { GATEWAY_PAYOUT, payOut } from '../../testing/payouts.ts';
import { createTestUser } from '../../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { viewerOf } from '../../testing/world.ts';
import { KINDS } from './kinds.ts';

let node: TestPlatform;
let shop: Shop;
beforeAll(async () => {
  node = await createTestPlatform();
  shop = await makeShop(node.platform);
});
afterAll(() => node.close());

const boss = () => viewerOf(node.platform, { role: 'superAdmin' });
const read = (kind: EntityKind, id: bigint | string, at?: Date, viewer = boss()) =>
  ask(node.platform, viewer, getEntity, { kind, id: String(id), at: at && formatTime(at) });
const fieldsOf = ({ fields }: Awaited<ReturnType<typeof read>>) =>
  Object.fromEntries(fields.map(({ name, value }) => [name, value]));

let balance = 5_000_00n;

async function paidOrder() {
  const { platform } = node;
  await platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
  const order = await createOne(platform, shop.merchantId, { userName: 'Asha Rao' });
  node.clock.advance(5 * MINUTE);
  balance += order.payable!;
  const [told] = await receiveMessages(platform, shop.monitor, [
    statedSms(platform, shop, { amount: order.payable!, balance }),
  ]);
  expect(told!.state).toBe('matched');
  return order;
}

test('an order leads to all that belongs to it, and each of these back to it', async () => {
  const order = await paidOrder();
  const shown = await read('collectionOrder', order.id);
  const related = Object.fromEntries(shown.relations.map(({ kind, ids }) => [kind, ids]));
  expect(related).toMatchObject({
    merchant: [String(shop.merchantId)],
    supplier: [String(shop.supplierId)],
    account: [String(shop.accountId)],
    message: [expect.any(String)],
    chainNode: [expect.any(String)],
    posting: [expect.any(String)],
    callback: [expect.any(String)],
  });
  for (const kind of ['message', 'posting', 'callback', 'merchant', 'account'] as const) {
    const other = await read(kind, related[kind]![0]!);
    expect(other.relations.find((each) => each.kind === 'collectionOrder')?.ids).toContain(String(order.id));
  }
  expect(fieldsOf(shown)).toMatchObject({ status: '6', user_name: 'Asha Rao', amount: '50000' });
  expect(shown.history.map(({ kind }) => kind)).toEqual(['created', 'allocated', 'paid']);
});

test('a paying account leads to its batches and the payouts that it took, and they back to it', async () => {
  const { platform } = node;
  const desk = await makeBatchShop(platform);
  const { id: paid } = await payOut(platform, desk.merchantId);
  const batch = await makeBatch(platform, desk);
  const { id: sent } = await payOut(platform, desk.merchantId, { productId: GATEWAY_PAYOUT });
  const accountId = await makeGatewayAccount(platform, desk.supplierId);
  const accepted: SendAnswer = { outcome: 'accepted', reference: 'r' };
  const channel = {
    payers: () => Promise.resolve([payerWithoutLimits(accountId)]),
    send: () => Promise.resolve(accepted),
    check: () => Promise.reject(new Error('not asked')),
  };
  await dispatchWaiting(platform, new Map([[GATEWAY_PAYOUT, channel]]));
  const related = async (kind: EntityKind, id: bigint | string) =>
    Object.fromEntries((await read(kind, id)).relations.map((each) => [each.kind, each.ids]));
  expect(await related('account', desk.accountId)).toMatchObject({ payoutBatch: [batch.batchId] });
  expect(await related('payoutBatch', batch.batchId)).toMatchObject({ payoutOrder: [String(paid)] });
  expect(await related('account', accountId)).toMatchObject({ payoutOrder: [String(sent)] });
  expect(await related('payoutOrder', sent)).toMatchObject({ account: [String(accountId)] });
});

test('the history names who acted', async () => {
  const { platform } = node;
  await platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
  const order = await createOne(platform, shop.merchantId);
  const { id: userId, account } = await createTestUser(platform, 'superAdmin');
  const viewer = viewerOf(platform, { role: 'superAdmin', userId });
  await ask(platform, viewer, updateOrderMark, { id: String(order.id), orderMark: ORDER_MARK.suspicious });
  const [merchant] = await platform.db.query<{ name: string }>(
    sql`select name from merchants where id = ${shop.merchantId}`,
  );
  const { history } = await read('collectionOrder', order.id);
  expect(history.map(({ kind, actorKind, actor }) => [kind, actorKind, actor])).toEqual([
    ['created', 'merchant', merchant!.name],
    ['allocated', 'system', null],
    ['marked', 'user', account],
  ]);
});

test('as it was: before it was paid an order has neither money nor reference; before it was made it does not exist', async () => {
  const order = await paidOrder();
  const between = new Date(order.createdAt.getTime() + MINUTE);
  const then = await read('collectionOrder', order.id, between);
  expect(fieldsOf(then)).toMatchObject({ status: '1', received: null, utr: null, paid_at: null });
  expect(then.fields.filter(({ differs }) => differs).map(({ name }) => name)).toContain('status');
  expect(then.history.map(({ kind }) => kind)).toEqual(['created', 'allocated']);
  const before = formatTime(new Date(order.createdAt.getTime() - MINUTE));
  const gone = await askRefused(node.platform, boss(), getEntity, {
    kind: 'collectionOrder',
    id: String(order.id),
    at: before,
  });
  expect(gone.code).toBe('notFound');
});

test('as it was: what was audited later has its former value', async () => {
  const { platform } = node;
  const { id: userId } = await createTestUser(platform, 'superAdmin');
  const { name: former } = fieldsOf(await read('merchant', shop.merchantId));
  const before = node.clock.now();
  node.clock.advance(MINUTE);
  const viewer = viewerOf(platform, { role: 'superAdmin', userId });
  await ask(platform, viewer, updateMerchant, { id: String(shop.merchantId), name: 'Another name' });
  expect(fieldsOf(await read('merchant', shop.merchantId))['name']).toBe('Another name');
  const then = await read('merchant', shop.merchantId, before);
  expect(fieldsOf(then)['name']).toBe(former);
  expect(then.audit).toEqual([]);
});

test('the number of an account is masked for everybody', async () => {
  const { account_number: shown } = fieldsOf(await read('account', shop.accountId));
  expect(shown).toBe(`**** ${shop.accountNumber.slice(-4)}`);
});

test('personal data is masked for technicalMaintenance, and secrets are shown to nobody', async () => {
  const order = await paidOrder();
  const maintenance = viewerOf(node.platform, { role: 'technicalMaintenance' });
  const masked = fieldsOf(await read('collectionOrder', order.id, undefined, maintenance));
  expect(masked['user_name']).toBe('A*** R***');
  const account = fieldsOf(await read('account', shop.accountId, undefined, maintenance));
  expect(account['account_number']).toBe(`**** ${shop.accountNumber.slice(-4)}`);
  const names = (await read('merchant', shop.merchantId)).fields.map(({ name }) => name);
  expect(names).not.toContain('secret');
  const { id } = await createTestUser(node.platform, 'admin');
  const user = fieldsOf(await read('user', id));
  expect(Object.keys(user).filter((name) => /password|secret|totp/.test(name))).toEqual([]);
});

test('every kind can be read, every relation asked, and the view writes nothing', async () => {
  const { db } = node.platform;
  for (const kind of ENTITY_KINDS) {
    await db.query(KINDS[kind].row(1n));
    for (const idsOf of Object.values(KINDS[kind].relations)) await db.query(idsOf(1n));
    const refused = await askRefused(node.platform, boss(), getEntity, { kind, id: '1' });
    expect(refused.code).toBe('notFound');
  }
  const [rows] = await db.query<{ n: number }>(
    sql`select count(*)::int as n from audit_log where subject like 'entity%'`,
  );
  expect(rows!.n).toBe(0);
});
