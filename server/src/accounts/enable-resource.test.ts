import { enableResource, getResourceDetailInfo } from '@sangam/contract/endpoints/party.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeAccount, makeSupplier, setKyc, viewerOf } from '../testing/world.ts';
import type { Viewer } from '../platform/viewer.ts';

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
});
afterAll(() => node.close());

const PRODUCT = 1010;
const admin = () => viewerOf(node.platform, { role: 'admin' });
const input = (accountId: bigint, enable: boolean) => ({
  resourceId: String(accountId),
  productId: PRODUCT,
  enable,
});
const toggle = (viewer: Viewer, accountId: bigint, enable: boolean) =>
  ask(node.platform, viewer, enableResource, input(accountId, enable));
const refused = (viewer: Viewer, accountId: bigint, enable: boolean) =>
  askRefused(node.platform, viewer, enableResource, input(accountId, enable));

async function closedAccount() {
  const { supplierId } = await makeSupplier(node.platform);
  const { accountId } = await makeAccount(node.platform, { supplierId, monitorId: null, state: 1 });
  return { supplierId, accountId, owner: viewerOf(node.platform, { role: 'supplier', supplierId }) };
}

async function stateOf(accountId: bigint): Promise<0 | 1> {
  const query = { resourceId: String(accountId), productId: PRODUCT };
  return (await ask(node.platform, admin(), getResourceDetailInfo, query)).state;
}

function auditOf(accountId: bigint) {
  return node.platform.db.query<{
    action: string;
    userId: bigint;
    before: unknown;
    after: unknown;
    ip: string;
  }>(sql`
    select action, user_id as "userId", before, after, ip from audit_log
    where subject = ${`resource:${accountId}/${PRODUCT}`} order by id`);
}

test('the desk and the owner open and close an account for one product; each change is audited', async () => {
  const { accountId, owner } = await closedAccount();
  const desk = admin();
  expect(await toggle(desk, accountId, true)).toEqual({ state: 0 });
  expect(await toggle(owner, accountId, false)).toEqual({ state: 1 });
  const others = await node.platform.db.query(sql`
    select 1 from resources where account_id = ${accountId} and product_id <> ${PRODUCT} and state = 0`);
  expect(others).toHaveLength(0);
  expect(await auditOf(accountId)).toEqual([
    {
      action: 'resource.enable',
      userId: desk.userId,
      before: { state: 1 },
      after: { state: 0 },
      ip: desk.ip,
    },
    {
      action: 'resource.disable',
      userId: owner.userId,
      before: { state: 0 },
      after: { state: 1 },
      ip: owner.ip,
    },
  ]);
});

test('a second press, at the same time or later, changes and audits nothing more', async () => {
  const { accountId, owner } = await closedAccount();
  const answers = await Promise.all([1, 2, 3, 4].map(() => toggle(owner, accountId, true)));
  expect(answers).toEqual(Array(4).fill({ state: 0 }));
  await toggle(owner, accountId, true);
  expect(await auditOf(accountId)).toHaveLength(1);
});

test("another supplier's account, an unknown one and an unbound product are not found", async () => {
  const { accountId } = await closedAccount();
  const stranger = (await closedAccount()).owner;
  expect((await refused(stranger, accountId, true)).code).toBe('notFound');
  expect((await refused(admin(), 999_999n, true)).code).toBe('notFound');
  const unbound = { ...input(accountId, true), productId: 1045 };
  expect((await askRefused(node.platform, admin(), enableResource, unbound)).code).toBe('notFound');
  expect(await stateOf(accountId)).toBe(1);
});

test.each(['technicalMaintenance', 'technicalSupport', 'merchant'] as const)('%s may not', async (role) => {
  const { accountId } = await closedAccount();
  expect((await refused(viewerOf(node.platform, { role, merchantId: 1n }), accountId, true)).code).toBe(
    'forbidden',
  );
});

test('without approved KYC of supplier and account no account opens, but any can be closed', async () => {
  const { accountId, supplierId, owner } = await closedAccount();
  const reason = async () => {
    const refusal = await refused(owner, accountId, true);
    return { code: refusal.code, data: refusal.data };
  };
  await setKyc(node.platform, { subject: 'account', id: accountId, verdict: 'rejected' });
  expect(await reason()).toEqual({ code: 'conflict', data: { reason: 'ownershipUnproven' } });
  await setKyc(node.platform, {
    subject: 'supplier',
    id: supplierId,
    expiresAt: new Date(node.clock.now().getTime() + DAY),
  });
  node.clock.advance(2 * DAY);
  expect(await reason()).toEqual({ code: 'conflict', data: { reason: 'kycMissing' } });
  expect(await stateOf(accountId)).toBe(1);

  await node.platform.settings.write('KYC', false, null);
  expect(await toggle(owner, accountId, true)).toEqual({ state: 0 });
  await node.platform.settings.write('KYC', true, null);
  expect(await toggle(owner, accountId, false)).toEqual({ state: 1 });
});

test('a new KYC record under review leaves the approved one in force', async () => {
  const { accountId, supplierId, owner } = await closedAccount();
  await setKyc(node.platform, { subject: 'supplier', id: supplierId, verdict: 'pending' });
  expect(await toggle(owner, accountId, true)).toEqual({ state: 0 });
});
