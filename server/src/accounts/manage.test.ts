import * as contract from '@sangam/contract/endpoints/account.ts';
import { getKycList, reviewKyc, submitKyc } from '@sangam/contract/endpoints/kyc.ts';
import { enableResource, getResourceList } from '@sangam/contract/endpoints/party.ts';
import { decide, getMine } from '@sangam/contract/endpoints/todo.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noteControlChange } from '../access/control-changes.ts';
import { DAY } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { createTestUser } from '../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../testing/platform.ts';
import { makeMonitor, makeSupplier, viewerOf } from '../testing/world.ts';
import type { Viewer } from '../platform/viewer.ts';

let node: TestPlatform;
let supplierId: bigint;
let owner: Viewer;
let admin: Viewer;
let second: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  const made = await makeSupplier(node.platform);
  supplierId = made.supplierId;
  owner = viewerOf(node.platform, { role: 'supplier', userId: made.userId, supplierId });
  const { id: userId } = await createTestUser(node.platform, 'admin');
  admin = viewerOf(node.platform, { role: 'admin', userId });
  second = viewerOf(node.platform, {
    role: 'admin',
    userId: (await createTestUser(node.platform, 'admin')).id,
  });
});
afterAll(() => node.close());

let made = 0;
const account = (fields: object = {}) => {
  made += 1;
  return {
    bank: 'HDFC',
    ownerName: 'Asha Rao',
    accountNumber: `50100${String(made).padStart(7, '0')}`,
    ifsc: 'hdfc0000240',
    vpa: `asha.${made}@okhdfcbank`,
    purpose: 'Own sales',
    senderHeader: 'HDFCBK',
    products: [{ productId: 1010, minAmount: 100, maxAmount: 100_000_00 }],
    ...fields,
  };
};
const create = (input: object, viewer = owner) =>
  ask(node.platform, viewer, contract.createAccount, { ...input });
const refusal = (input: object, viewer = owner) =>
  askRefused(node.platform, viewer, contract.createAccount, { ...input });
const listed = async (id: string, viewer = owner) =>
  (await ask(node.platform, viewer, getResourceList, { pageSize: 500 })).list.filter((row) => row.id === id);
const handIn = (subjectId: string) =>
  ask(node.platform, owner, submitKyc, {
    subjectKind: 'account',
    subjectId,
    documentReference: 'cheque.pdf',
  });
const approve = async (subjectId: string) => {
  const { id } = await handIn(subjectId);
  await ask(node.platform, admin, reviewKyc, { id, verdict: 'approved' });
};

test('a new account is closed; it opens once its ownership is proven', async () => {
  const { id } = await create(account());
  expect(await listed(id)).toMatchObject([
    { ifsc: 'HDFC0000240', country: 'IN', products: [{ productId: 1010, state: 1, weight: 100 }] },
  ]);
  const open = { resourceId: id, productId: 1010, enable: true };
  const early = await askRefused(node.platform, owner, enableResource, open);
  expect(early).toMatchObject({ code: 'conflict', data: { reason: 'ownershipUnproven' } });
  await approve(id);
  expect(await ask(node.platform, owner, enableResource, open)).toEqual({ state: 0 });
  const [entry] = await node.platform.db.query(sql`
    select action, after, user_id as "userId" from audit_log where subject = ${`account:${id}`}`);
  expect(entry).toMatchObject({
    action: 'account.create',
    userId: owner.userId,
    after: { accountNumber: expect.stringMatching(/^\*\*\*\* \d{4}$/), vpa: 'a***@okhdfcbank' },
  });
});

test('whoever entered an account’s owner does not review the proof of it, whoever submitted the proof', async () => {
  const other = viewerOf(node.platform, {
    role: 'superAdmin',
    userId: (await createTestUser(node.platform, 'superAdmin')).id,
  });
  const mayReview = async (id: string, viewer: Viewer) =>
    (await ask(node.platform, viewer, getKycList, { subjectId: id })).list.map((row) => row.mayReview);
  const { id } = await create(account({ supplierId: String(supplierId) }), admin);
  await handIn(id);
  expect([await mayReview(id, admin), await mayReview(id, other)]).toEqual([[false], [true]]);
  const [record] = (await ask(node.platform, admin, getKycList, { subjectId: id })).list;
  const verdict = { id: record!.id, verdict: 'approved' };
  expect(await askRefused(node.platform, admin, reviewKyc, verdict)).toMatchObject({
    code: 'forbidden',
    data: { reason: 'ownEntry' },
  });
  await ask(node.platform, other, reviewKyc, verdict);

  const renamed = await create(account());
  await ask(node.platform, admin, contract.updateAccount, { id: renamed.id, maxWaiting: 20 });
  await ask(node.platform, other, contract.updateAccount, { id: renamed.id, ownerName: 'Ravi Kumar' });
  await handIn(renamed.id);
  expect([await mayReview(renamed.id, admin), await mayReview(renamed.id, other)]).toEqual([[true], [false]]);
});

test('nor does somebody who could act as the one who entered it', async () => {
  const made = async (by?: Viewer) => {
    const { id: userId } = await createTestUser(node.platform, 'superAdmin');
    if (by)
      await node.platform.db.tx((tx) =>
        noteControlChange(node.platform, tx, { userId, by: by.userId, change: 'link' }),
      );
    return viewerOf(node.platform, { role: 'superAdmin', userId });
  };
  const author = await made();
  const creature = await made(author);
  node.clock.advance(2 * DAY);
  const { id } = await create(account({ supplierId: String(supplierId) }), author);
  const verdict = { id: (await handIn(id)).id, verdict: 'approved' };
  expect(await askRefused(node.platform, creature, reviewKyc, verdict)).toMatchObject({
    code: 'forbidden',
    data: { reason: 'sameHands' },
  });
  await ask(node.platform, admin, reviewKyc, verdict);
});

test('the operator sets the balance mode of an account, its owner does not', async () => {
  const { id } = await create(account());
  const modeOf = async () => (await ask(node.platform, owner, contract.getAccount, { id })).balanceMode;
  expect(await modeOf()).toBe('optional');
  const { code, data } = await askRefused(node.platform, admin, contract.updateAccount, {
    id,
    balanceMode: 'none',
    purpose: 'Own sales too',
  });
  expect(code).toBe('approvalNeeded');
  expect(
    await node.platform.db.query(
      sql`select balance_mode as mode, purpose from accounts where id = ${BigInt(id)}`,
    ),
  ).toEqual([{ mode: 'optional', purpose: 'Own sales too' }]);
  await ask(node.platform, second, decide, {
    id: (data as { readonly todoId: string }).todoId,
    approve: true,
  });
  expect(await modeOf()).toBe('none');
  for (const call of [contract.updateAccount, contract.createAccount] as const)
    expect(
      await askRefused(node.platform, owner, call, { ...account(), id, balanceMode: 'optional' }),
    ).toMatchObject({ code: 'forbidden' });
  await ask(node.platform, owner, contract.updateAccount, { id, purpose: 'Still own sales' });
  expect(await modeOf()).toBe('none');
  const made = await create({ ...account(), supplierId: String(supplierId), balanceMode: 'required' }, admin);
  expect(await ask(node.platform, admin, contract.getAccount, made)).toMatchObject({
    balanceMode: 'required',
  });
  // Creating a new account does not get around this.
  const bare = await create({ ...account(), supplierId: String(supplierId), balanceMode: 'none' }, admin);
  expect(await ask(node.platform, admin, contract.getAccount, bare)).toMatchObject({
    balanceMode: 'optional',
  });
  const { list } = await ask(node.platform, second, getMine, { kind: 'balanceMode' });
  expect(list).toMatchObject([{ subjectId: bare.id, payload: { balanceMode: 'none' } }]);
});

describe('what the contract refuses', () => {
  test.each([
    ['accountNumber', '12'],
    ['accountNumber', '1'.repeat(65)],
    ['accountNumber', '123456/8'],
    ['ifsc', 'HDFC1000240'],
    ['ifsc', 'HDF00000240'],
    ['ifsc', 'HDFC000024'],
    ['vpa', 'a@bank'],
    ['vpa', 'asha@bank.com'],
    ['vpa', 'asha rao@okbank'],
    ['vpa', 'asha'],
    ['bank', 'x'.repeat(129)],
    ['ownerName', 'x'.repeat(129)],
    ['senderHeader', 'H'],
    ['country', 'India'],
    ['products', []],
    ['products', [{ productId: 1010, minAmount: 2, maxAmount: 1 }]],
    ['dailyCountLimit', -1],
    ['maxWaiting', 0],
  ])('%s = %s', (field, value) => {
    const parsed = contract.createAccount.input.safeParse(account({ [field]: value }));
    expect(parsed.error?.issues[0]?.path[0]).toBe(field);
  });

  test.each([
    ['128 letters', { bank: 'x'.repeat(128) }],
    ['20 digits', { accountNumber: '9'.repeat(20) }],
  ])('but not %s', (_name, fields) => {
    expect(contract.createAccount.input.safeParse(account(fields)).success).toBe(true);
  });
});

test('the same number at the same bank exists once', async () => {
  const input = account();
  const results = await Promise.allSettled([create(input), create(input)]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await refusal(input)).toMatchObject({ code: 'conflict', data: { reason: 'accountExists' } });
  await create({ ...input, bank: 'ICICI' });
});

test('limits, monitor and products can change; the identity only while no proof stands', async () => {
  const { platform } = node;
  const { id } = await create(account());
  const { monitorId } = await makeMonitor(platform, { supplierId });
  const update = (fields: object, viewer = owner) =>
    ask(platform, viewer, contract.updateAccount, { id, ...fields });
  const refused = (fields: object, viewer = owner) =>
    askRefused(platform, viewer, contract.updateAccount, { id, ...fields });

  await update({ ownerName: 'A. Rao', accountNumber: '600100200300' });
  expect(await refused({ accountNumber: '4111111111111111' })).toMatchObject({
    data: { reason: 'looksLikeCard' },
  });
  await approve(id);
  expect(await refused({ ownerName: 'Someone Else' })).toMatchObject({
    code: 'conflict',
    data: { reason: 'ownershipProven', fields: [{ path: 'ownerName' }] },
  });
  await ask(platform, owner, enableResource, { resourceId: id, productId: 1010, enable: true });
  await update({
    ownerName: 'A. Rao',
    monitorId: String(monitorId),
    dailyCountLimit: 5,
    dailyAmountLimit: 900_00,
    maxWaiting: 3,
    products: [
      { productId: 1010, minAmount: 500, maxAmount: 600, weight: 7 },
      { productId: 1012, minAmount: 1, maxAmount: 2 },
    ],
  });
  expect(await listed(id)).toMatchObject([
    {
      monitorId: String(monitorId),
      maxWaiting: 3,
      dailyCountLimit: 5,
      dailyAmountLimit: 900_00,
      products: [
        { productId: 1010, state: 0, minAmount: 500, maxAmount: 600, weight: 7 },
        { productId: 1012, state: 1 },
      ],
    },
  ]);
  await update({ dailyCountLimit: null, monitorId: null });
  expect((await listed(id))[0]).toMatchObject({
    dailyCountLimit: null,
    monitorId: null,
    dailyAmountLimit: 900_00,
  });
  expect(await refused({ vpa: null })).toMatchObject({ data: { reason: 'ownershipProven' } });

  const foreign = await makeSupplier(platform);
  const { monitorId: theirs } = await makeMonitor(platform, { supplierId: foreign.supplierId });
  expect(await refused({ monitorId: String(theirs) })).toMatchObject({ data: { reason: 'unknown' } });
  const stranger = viewerOf(platform, { role: 'supplier', supplierId: foreign.supplierId });
  expect((await refused({ maxWaiting: 9 }, stranger)).code).toBe('notFound');
  await update({ maxWaiting: 9 }, admin);
  const [entry] = await platform.db.query(sql`
    select before, after from audit_log where subject = ${`account:${id}`} and action = 'account.update' order by id desc limit 1`);
  expect(entry).toMatchObject({ before: { maxWaiting: 3 }, after: { maxWaiting: 9 } });
});

test('an admin names the supplier; a supplier cannot name another', async () => {
  expect((await refusal(account(), admin)).code).toBe('invalidInput');
  await create(account({ supplierId: String(supplierId) }), admin);
  const { supplierId: other } = await makeSupplier(node.platform);
  expect((await refusal(account({ supplierId: String(other) }))).code).toBe('notFound');
});

test.each(['customerService', 'technicalSupport', 'merchant'] as const)('%s may not', async (role) => {
  const viewer = viewerOf(node.platform, { role, merchantId: 1n });
  expect((await refusal(account({ supplierId: String(supplierId) }), viewer)).code).toBe('forbidden');
  const update = { id: '40001', maxWaiting: 1 };
  expect((await askRefused(node.platform, viewer, contract.updateAccount, update)).code).toBe('forbidden');
});
