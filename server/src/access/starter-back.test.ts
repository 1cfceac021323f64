import { setPartyRole } from '@sangam/contract/endpoints/party-user.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { decide } from '../approvals/decide.ts';
import { startApproval } from '../approvals/start.ts';
import { deleteUser } from '../parties/delete-user.ts';
import { HOUR } from '../platform/clock.ts';
import { isRefusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeMerchant, makeUser, viewerOf } from '../testing/world.ts';
import { insertMember } from './party-users/store.ts';
import { repairUser } from './repair-user.ts';

/** A request that ended with its asker's user, or with the asker's role, does not live again when user or role come back. */

let node: TestPlatform;
let merchantId: bigint;
let owner: Viewer;
let first: Viewer;
let second: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  const { merchantId: id, userId } = await makeMerchant(node.platform);
  merchantId = id;
  owner = viewerOf(node.platform, { role: 'merchant', merchantId, userId });
  [first, second] = [await own('superAdmin'), await own('superAdmin')];
});
afterAll(() => node.close());

async function own(role: 'superAdmin' | 'admin'): Promise<Viewer> {
  const { id, account } = await makeUser(node.platform, { role });
  return { ...viewerOf(node.platform, { role, userId: id }), account };
}
/** Asks for a withdrawal of the merchant. */
async function asked(starter: Viewer): Promise<bigint> {
  const started = await node.platform.db.tx((tx) =>
    startApproval(node.platform, tx, starter, {
      kind: 'withdrawal',
      subjectKind: 'merchant',
      subjectId: merchantId,
      payload: { currency: 'INR', bucket: 'available', amount: -1_00 },
      reason: 'rent',
      sole: false,
    }),
  );
  if (isRefusal(started)) throw new Error(started.code);
  return started.todoId;
}
const decided = (id: bigint) => decide(node.platform, APPROVAL_HANDLERS, second, { id, approve: true });
const STARTER_CHANGED = { code: 'conflict', data: { reason: 'starterChanged' } };

test('a request of a user who was deleted can only be refused, also once the user is back', async () => {
  const clerk = await own('admin');
  const id = await asked(clerk);
  await deleteUser(node.platform, first, clerk.userId);
  node.clock.advance(HOUR);
  expect(await decided(id)).toMatchObject(STARTER_CHANGED);
  await repairUser(node.platform, first, { userId: clerk.userId, newAccountName: clerk.account });
  expect(await decided(id)).toMatchObject(STARTER_CHANGED);
});

test('a request of a further user who was stopped can only be refused, also once the user has its role again', async () => {
  const { platform } = node;
  const { id: userId } = await makeUser(platform, { role: 'merchant' });
  await platform.db.tx((tx) => insertMember(tx, owner, userId, 'finance', node.clock.now()));
  const member = {
    ...viewerOf(platform, { role: 'merchant', merchantId, userId }),
    partyRole: 'finance' as const,
  };
  const id = await asked(member);
  await ask(platform, owner, setPartyRole, { userId: String(userId), partyRole: 'readOnly' });
  node.clock.advance(HOUR);
  expect(await decided(id)).toMatchObject(STARTER_CHANGED);
  const again = await askRefused(platform, owner, setPartyRole, {
    userId: String(userId),
    partyRole: 'finance',
  });
  const todoId = BigInt((again.data as { readonly todoId: string }).todoId);
  expect(await decide(platform, APPROVAL_HANDLERS, first, { id: todoId, approve: true })).toMatchObject({
    status: 'approved',
  });
  expect(await decided(id)).toMatchObject(STARTER_CHANGED);
});
