import { queryOrder } from '@sangam/contract/endpoints/outside.ts';
import * as contract from '@sangam/contract/endpoints/merchant.ts';
import { getMerchantList } from '@sangam/contract/endpoints/party.ts';
import { callLine } from '@sangam/contract/sign-types.ts';
import { sign, type SignType } from '@sangam/contract/signature.ts';
import type { FastifyInstance } from 'fastify';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { noteControlChange } from '../../access/control-changes.ts';
import { APPROVAL_HANDLERS } from '../../app/approval-kinds.ts';
import { decide } from '../../approvals/decide.ts';
import { HOUR } from '../../platform/clock.ts';
import { claimCallbacks } from '../../callbacks/store.ts';
import { sql } from '../../platform/db/database.ts';
import { receiveMessages } from '../../evidence/matching/receive.ts';
import type { Refusal } from '../../platform/refusal.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { post } from '../../testing/call.ts';
import { createOne, creditSms, makeShop } from '../../testing/payments.ts';
import { createTestUser } from '../../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../../testing/platform.ts';
import { makeMerchant, makeUser, viewerOf } from '../../testing/world.ts';

let node: TestPlatform;
let app: FastifyInstance;
beforeAll(async () => {
  node = await createTestPlatform();
  adminId = (await makeUser(node.platform, { role: 'admin' })).id;
  app = await node.app();
});
afterEach(async () => {
  await node.platform.db.query(sql`delete from settings`);
  await node.platform.settings.refresh();
});
afterAll(() => node.close());

let adminId: bigint;
const admin = () => viewerOf(node.platform, { role: 'admin', userId: adminId });
let made = 0;
const newOne = (fields: object = {}) => {
  made += 1;
  return { name: `Shop ${made}`, account: `shop${made}`, ...fields };
};
const todoOf = ({ data }: Refusal) => BigInt((data as { todoId: string }).todoId);
const person = async (role: 'admin' | 'superAdmin') =>
  viewerOf(node.platform, { role, userId: (await makeUser(node.platform, { role })).id });
const lastAudit = async (subject: string) =>
  (
    await node.platform.db.query(
      sql`select action, before, after, ip from audit_log where subject = ${subject} order by id desc limit 1`,
    )
  )[0];
/** 404 means: the order is unknown, so the signature was right. */
async function signs(mchId: string, secret: string, signType: SignType = 'hmac-sha256'): Promise<boolean> {
  const timestamp = String(node.clock.now().getTime());
  const fields = { mchId, mchOrderNo: 'none', timestamp, nonce: randomUUID() };
  return (
    (
      await post(app, queryOrder.path, {
        ...fields,
        sign: sign(fields, signType, secret, callLine(queryOrder)),
      })
    ).code === 404
  );
}

/** As the merchant's own user. */
const issue = (id: string, { overlapMinutes = 0, userId = node.platform.ids.next() } = {}) =>
  ask(
    node.platform,
    viewerOf(node.platform, { role: 'merchant', merchantId: BigInt(id), userId }),
    contract.rotateSecret,
    {
      id,
      overlapMinutes,
    },
  );

test('one admin alone cannot get to sign for a merchant: secret, sign type and addresses wait for a second person, and its user is notified', async () => {
  const { platform } = node;
  const { merchantId, userId, secret } = await makeMerchant(platform);
  const id = String(merchantId);
  const [asker, second] = [await person('admin'), await person('superAdmin')];
  const closed = await ask(platform, asker, contract.updateLimits, {
    id,
    payoutIps: ['10.0.0.0/24', '10.9.0.1'],
  });
  expect(closed.payoutIps).toHaveLength(2);
  // A shorter list needs no second person.
  await ask(platform, asker, contract.updateLimits, { id, payoutIps: ['10.0.0.0/25'] });
  const waiting = [];
  for (const [endpoint, input] of [
    [contract.rotateSecret, { id, overlapMinutes: 0 }],
    [contract.updateMerchant, { id, signType: 'md5' }],
    [contract.updateLimits, { id, payoutIps: ['10.0.0.0/24'] }],
  ] as const) {
    // One request waits at a time: another of the same kind answers the same request.
    const refusal = await askRefused(platform, asker, endpoint, input);
    expect(refusal.code).toBe('approvalNeeded');
    const todoId = todoOf(refusal);
    expect(await decide(platform, APPROVAL_HANDLERS, asker, { id: todoId, approve: true })).toMatchObject({
      code: 'forbidden',
    });
    if (endpoint === contract.rotateSecret) {
      expect(await signs(id, secret)).toBe(true);
      await decide(platform, APPROVAL_HANDLERS, second, { id: todoId, approve: false });
      continue;
    }
    waiting.push(await decide(platform, APPROVAL_HANDLERS, second, { id: todoId, approve: true }));
  }
  expect(waiting).toMatchObject([{ status: 'approved' }, { status: 'approved' }]);
  const [row] = (await ask(platform, asker, getMerchantList, { id })).list;
  expect(row).toMatchObject({ signType: 'md5' });
  const open = await askRefused(platform, asker, contract.updateLimits, {
    id,
    payInIps: [],
    payoutIps: ['0.0.0.0/0'],
  });
  expect(open.code).toBe('approvalNeeded');
  const told = await platform.db.query<{ kind: string }>(
    sql`select kind from inbox_messages where user_id = ${userId} order by id`,
  );
  expect(told.map(({ kind }) => kind)).toEqual([
    'addressesChanged',
    'addressesChanged',
    'signTypeChanged',
    'addressesChanged',
  ]);
});

test('a merchant asks for addresses of its own: they change once an admin agrees, and one request waits at a time', async () => {
  const { platform } = node;
  const { merchantId, userId } = await makeMerchant(platform);
  const id = String(merchantId);
  const own = viewerOf(platform, { role: 'merchant', merchantId, userId });
  const wanted = { payInIps: ['203.0.113.7'], payoutIps: ['203.0.113.0/24'], reason: 'New servers' };
  const asked = await askRefused(platform, own, contract.askForAddresses, wanted);
  expect(asked.code).toBe('approvalNeeded');
  expect((await ask(platform, own, contract.getLimits, { id })).payInIps).toEqual([]);
  const again = await askRefused(platform, own, contract.askForAddresses, { ...wanted, reason: 'Again' });
  expect(todoOf(again)).toBe(todoOf(asked));
  const other = await askRefused(platform, own, contract.askForAddresses, { reason: 'Other lists' });
  expect(other.data).toMatchObject({ reason: 'otherRequestWaits' });
  await decide(platform, APPROVAL_HANDLERS, await person('admin'), { id: todoOf(asked), approve: true });
  expect(await ask(platform, own, contract.getLimits, { id })).toMatchObject({
    payInIps: wanted.payInIps,
    payoutIps: wanted.payoutIps,
    consoleIps: [],
  });
  const another = await makeMerchant(platform);
  const stranger = await askRefused(platform, own, contract.getLimits, { id: String(another.merchantId) });
  expect(stranger.code).toBe('notFound');
});

test.each(['payInIps', 'payoutIps', 'consoleIps'] as const)(
  'a list of %s that is cleared lets everybody in: a second person agrees, and the audit says who cleared it, from where',
  async (list) => {
    const { platform } = node;
    const { merchantId } = await makeMerchant(platform);
    const id = String(merchantId);
    const asker = { ...(await person('admin')), ip: '192.0.2.17' };
    const second = { ...(await person('superAdmin')), ip: '192.0.2.18' };
    await ask(platform, asker, contract.updateLimits, { id, [list]: ['203.0.113.9'] });
    const closed = { action: 'merchant.updateLimits', after: { [list]: ['203.0.113.9'] }, ip: asker.ip };
    expect(await lastAudit(`merchant:${id}`)).toMatchObject(closed);
    const asked = await askRefused(platform, asker, contract.updateLimits, { id, [list]: [] });
    expect(asked.code).toBe('approvalNeeded');
    expect(await ask(platform, asker, contract.getLimits, { id })).toMatchObject({ [list]: ['203.0.113.9'] });
    expect(await lastAudit(`approval:${todoOf(asked)}`)).toMatchObject({
      action: 'approval.start',
      ip: asker.ip,
    });
    await decide(platform, APPROVAL_HANDLERS, second, { id: todoOf(asked), approve: true });
    const opened = { before: { [list]: ['203.0.113.9'] }, after: { [list]: [] }, ip: second.ip };
    expect(await lastAudit(`merchant:${id}`)).toMatchObject(opened);
  },
);

test('an MD5 merchant without payout addresses cannot pay out: a change that opens this needs a second person', async () => {
  const { platform } = node;
  const { merchantId } = await makeMerchant(platform, { signType: 'md5' });
  const id = String(merchantId);
  await platform.db.query(sql`update merchants set payout_ips = '{}' where id = ${merchantId}`);
  const asker = await person('admin');
  const refused = (endpoint: Parameters<typeof askRefused>[2], input: object) =>
    askRefused(platform, asker, endpoint, { id, ...input });
  expect((await refused(contract.updateLimits, { payoutIps: ['203.0.113.9'] })).code).toBe('approvalNeeded');
  // Nor through HMAC first: there an empty list lets everybody in.
  await node.owner.query(sql`delete from approvals`);
  expect((await refused(contract.updateMerchant, { signType: 'hmac-sha256' })).code).toBe('approvalNeeded');
  // An address for pay-ins makes a narrower list, and a name gives no access.
  await ask(platform, asker, contract.updateLimits, { id, payInIps: ['203.0.113.9'] });
  await ask(platform, asker, contract.updateMerchant, { id, name: 'Another name' });
});

test('a change to a signature that does not name its call, or to cancelling by MD5, needs a second person', async () => {
  const { platform } = node;
  const { merchantId, userId } = await makeMerchant(platform, { signType: 'hmac-sha256' });
  const id = String(merchantId);
  const [asker, second] = [await person('admin'), await person('superAdmin')];
  await ask(platform, asker, contract.updateMerchant, { id, signType: 'hmac-sha256-v2' });
  for (const input of [{ signType: 'hmac-sha256' }, { cancelByMd5: true }]) {
    const asked = await askRefused(platform, asker, contract.updateMerchant, { id, ...input });
    expect(asked.code).toBe('approvalNeeded');
    await decide(platform, APPROVAL_HANDLERS, second, { id: todoOf(asked), approve: 'cancelByMd5' in input });
  }
  const [row] = (await ask(platform, asker, getMerchantList, { id })).list;
  expect(row).toMatchObject({ signType: 'hmac-sha256-v2', cancelByMd5: true });
  const told = await platform.db.query(sql`select kind from inbox_messages where user_id = ${userId}`);
  expect(told).toEqual([{ kind: 'signTypeChanged' }, { kind: 'signTypeChanged' }]);
});

test('a weaker signature is approved only for the addresses at the time of the request', async () => {
  const { platform } = node;
  const { merchantId } = await makeMerchant(platform, { signType: 'hmac-sha256' });
  const id = String(merchantId);
  const [asker, second] = [await person('admin'), await person('superAdmin')];
  const asked = await askRefused(platform, asker, contract.updateMerchant, { id, signType: 'md5' });
  // By HMAC an empty list lets everybody in, so this list is narrower and needs nobody.
  await ask(platform, asker, contract.updateLimits, { id, payoutIps: ['203.0.113.9'] });
  expect(
    await decide(platform, APPROVAL_HANDLERS, second, { id: todoOf(asked), approve: true }),
  ).toMatchObject({ code: 'conflict' });
});

test('a wider list is approved only for the door at the time of the request', async () => {
  const { platform } = node;
  const { merchantId, userId } = await makeMerchant(platform, { signType: 'hmac-sha256' });
  const id = String(merchantId);
  const [asker, second] = [await person('admin'), await person('superAdmin')];
  const own = viewerOf(platform, { role: 'merchant', merchantId, userId });
  await ask(platform, asker, contract.updateLimits, { id, payoutIps: ['203.0.113.9'] });
  const wider = { payoutIps: ['203.0.113.0/24'] };
  const asked = [
    await askRefused(platform, asker, contract.updateLimits, { id, ...wider }),
    await askRefused(platform, own, contract.askForAddresses, { ...wider, reason: 'New servers' }),
  ];
  // The merchant signs by a stronger type since, so the request no longer says what would be the result.
  await ask(platform, asker, contract.updateMerchant, { id, signType: 'hmac-sha256-v2' });
  for (const each of asked)
    expect(
      await decide(platform, APPROVAL_HANDLERS, second, { id: todoOf(each), approve: true }),
    ).toMatchObject({ code: 'conflict' });
  expect((await ask(platform, asker, contract.getLimits, { id })).payoutIps).toEqual(['203.0.113.9']);
});

test('a secret that staff void is shown to nobody; a user that was reset within a day is not shown the next one', async () => {
  const { platform } = node;
  const { merchantId, userId, secret } = await makeMerchant(platform);
  const id = String(merchantId);
  const [asker, second] = [await person('admin'), await person('superAdmin')];
  const refusal = await askRefused(platform, asker, contract.rotateSecret, { id, overlapMinutes: 0 });
  const decided = await decide(platform, APPROVAL_HANDLERS, second, {
    id: todoOf(refusal),
    approve: true,
  });
  // toEqual, because toMatchObject would let a further field with the secret through.
  expect(decided).toEqual({ id: todoOf(refusal), status: 'approved', result: {} });
  const [kept] = await platform.db.query(sql`select result from approvals where id = ${todoOf(refusal)}`);
  expect(kept).toEqual({ result: {} });
  expect(await signs(id, secret)).toBe(false);
  const own = await issue(id, { userId });
  expect(await signs(id, own.secret)).toBe(true);
  await platform.db.tx((tx) => noteControlChange(platform, tx, { userId, by: asker.userId, change: 'link' }));
  await expect(issue(id, { userId })).rejects.toThrow('forbidden');
  node.clock.advance(25 * HOUR);
  expect((await issue(id, { userId })).secret).not.toBe(own.secret);
  // Changed once by staff and twice by its own user: the merchant is notified each time.
  const told = await platform.db.query(
    sql`select kind from inbox_messages where user_id = ${userId} and kind = 'secretChanged'`,
  );
  expect(told).toHaveLength(3);
});

test('a new merchant signs calls with the secret shown once; its creation is audited without the secret', async () => {
  const answer = await ask(
    node.platform,
    admin(),
    contract.createMerchant,
    newOne({ callbackTransport: 'form' }),
  );
  expect(answer).not.toHaveProperty('secret');
  expect(answer.supplier).toBeNull();
  // Whoever made the user is not shown the secret. The user is, although it is new, because there was no secret before.
  const { secret } = await issue(answer.id, { userId: BigInt(answer.userId) });
  expect(secret).toMatch(/^[0-9A-F]{32}$/);
  // A new merchant signs by the strongest type.
  expect(await signs(answer.id, secret, 'hmac-sha256-v2')).toBe(true);
  expect(await signs(answer.id, secret)).toBe(false);
  expect(await signs(answer.id, 'another', 'hmac-sha256-v2')).toBe(false);
  const entry = await lastAudit(`merchant:${answer.id}`);
  expect(entry).toMatchObject({ action: 'merchant.rotateSecret', ip: '127.0.0.1' });
  expect(JSON.stringify(entry)).not.toContain(secret);
});

test('a merchant may be made for an existing user of the right role, once', async () => {
  const user = await createTestUser(node.platform, 'merchant');
  const wrong = await createTestUser(node.platform, 'supplier');
  const input = { name: 'On a user', userId: String(user.id) };
  await ask(node.platform, admin(), contract.createMerchant, input);
  const again = await askRefused(node.platform, admin(), contract.createMerchant, input);
  expect(again).toMatchObject({ code: 'conflict', data: { reason: 'userTaken' } });
  const other = { ...input, userId: String(wrong.id) };
  expect((await askRefused(node.platform, admin(), contract.createMerchant, other)).code).toBe('notFound');
  const nobody = await askRefused(node.platform, admin(), contract.createMerchant, { name: 'x' });
  expect(nobody).toMatchObject({ code: 'invalidInput', params: { fields: 'account' } });
  const taken = newOne({ account: user.account });
  expect((await askRefused(node.platform, admin(), contract.createMerchant, taken)).code).toBe('conflict');
});

test('AutoCreateRelateSupplier: the paired supplier, with a user of its own', async () => {
  await node.platform.settings.write('AutoCreateRelateSupplier', true, null);
  const { id, supplier } = await ask(
    node.platform,
    admin(),
    contract.createMerchant,
    newOne({ account: 'pair' }),
  );
  expect(supplier?.account).toBe('pairsupplier');
  const rows = await node.platform.db.query(sql`
    select related_merchant_id::text as merchant from suppliers where id = ${supplier!.id}`);
  expect(rows).toEqual([{ merchant: id }]);
  const asked = await node.platform.db.query(sql`
    select kind from approvals where subject_kind = 'user' and subject_id = ${BigInt(supplier!.userId)}`);
  expect(asked).toEqual([{ kind: 'userAccess' }]);
});

test('AutoCreateRelateMerchant: the paired merchant', async () => {
  await node.platform.settings.write('AutoCreateRelateMerchant', true, null);
  const { merchant } = await ask(node.platform, admin(), contract.createSupplier, newOne());
  expect(merchant).toMatchObject({ account: expect.stringContaining('merchant') });
  await node.platform.settings.write('AutoCreateRelateMerchant', false, null);
  expect((await ask(node.platform, admin(), contract.createSupplier, newOne())).merchant).toBeNull();
});

test('an update changes only the given fields', async () => {
  const { merchantId, secret } = await makeMerchant(node.platform);
  const id = String(merchantId);
  await ask(node.platform, admin(), contract.updateMerchant, {
    id,
    name: 'Renamed',
    callbackTransport: 'query',
  });
  await ask(node.platform, admin(), contract.updateMerchant, { id, enabled: false });
  expect(await signs(id, secret)).toBe(false);
  expect(await lastAudit(`merchant:${id}`)).toMatchObject({
    action: 'merchant.update',
    before: { enabled: true, name: 'Renamed', callbackTransport: 'query' },
    after: { enabled: false, name: 'Renamed', callbackTransport: 'query' },
  });
  await ask(node.platform, admin(), contract.updateMerchant, { id, callbackTransport: null });
  const [row] = (await ask(node.platform, admin(), getMerchantList, { name: 'Renamed' })).list;
  expect(row).toMatchObject({ callbackTransport: null, enabled: false });
});

test('after a rotation both secrets sign until the overlap ends; notifications are signed with the new one', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const id = String(shop.merchantId);
  const first = await issue(id, { overlapMinutes: 0 });
  expect(first.previousValidUntil).toBeNull();
  const second = await issue(id, { overlapMinutes: 60 });
  expect(second.secret).toMatch(/^[0-9A-F]{32}$/);
  expect([await signs(id, first.secret), await signs(id, second.secret)]).toEqual([true, true]);

  const order = await createOne(platform, shop.merchantId);
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, order.payable!)]);
  const limits = { total: 9, perMerchant: 9, leaseMs: 1 };
  const claimed = await claimCallbacks(platform, limits);
  expect(
    claimed.map((callback) =>
      platform.vault.open(callback.merchant.secret, ['merchants.secret', shop.merchantId]),
    ),
  ).toEqual([second.secret]);

  node.clock.advance(HOUR);
  expect([await signs(id, first.secret), await signs(id, second.secret)]).toEqual([false, true]);
  const third = await issue(id, { overlapMinutes: 0 });
  expect([await signs(id, second.secret), await signs(id, third.secret)]).toEqual([false, true]);
  const missing = { id: '999999', overlapMinutes: 0 };
  expect((await askRefused(platform, admin(), contract.rotateSecret, missing)).code).toBe('notFound');
});

test.each(['customerService', 'technicalSupport', 'supplier', 'merchant'] as const)(
  '%s may not',
  async (role) => {
    const viewer = viewerOf(node.platform, { role, merchantId: 10_001n, supplierId: 20_001n });
    const calls = [
      [contract.createMerchant, newOne()],
      [contract.updateMerchant, { id: '10001', name: 'x' }],
      [contract.rotateSecret, { id: '10002' }],
      [contract.createSupplier, newOne()],
      [contract.updateSupplier, { id: '20001', name: 'x' }],
      [contract.setFrozen, { subjectKind: 'merchant', subjectId: '10001', reason: 'x', frozen: true }],
      [contract.setLegalHold, { subjectKind: 'merchant', subjectId: '10001', reason: 'x', legalHold: true }],
    ] as const;
    for (const [endpoint, input] of calls)
      expect((await askRefused(node.platform, viewer, endpoint, input)).code).toBe('forbidden');
  },
);
