import * as contract from '@sangam/contract/endpoints/kyc.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { createTestMerchant, createTestSupplier, createTestUser } from '../../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../../testing/platform.ts';
import { makeAccount, viewerOf } from '../../testing/world.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { kycState } from './approved.ts';

let node: TestPlatform;
let clerk: Viewer;
let reviewer: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  const viewer = async (role: 'customerService' | 'admin') =>
    viewerOf(node.platform, { role, userId: (await createTestUser(node.platform, role)).id });
  clerk = await viewer('customerService');
  reviewer = await viewer('admin');
});
afterAll(() => node.close());

async function merchant() {
  const { id, user } = await createTestMerchant(node.platform);
  return { id, viewer: viewerOf(node.platform, { role: 'merchant', userId: user.id, merchantId: id }) };
}
const record = (
  subjectKind: 'merchant' | 'supplier' | 'account',
  subjectId: bigint,
  fields: object = {},
) => ({
  subjectKind,
  subjectId: String(subjectId),
  documentReference: 'vault/42.pdf',
  ...fields,
});
const submit = (viewer: Viewer, input: object) =>
  ask(node.platform, viewer, contract.submitKyc, { ...input });
const review = (viewer: Viewer, id: string, fields: object = {}) =>
  ask(node.platform, viewer, contract.reviewKyc, { id, verdict: 'approved', ...fields });
const inDays = (days: number) => formatTime(new Date(node.clock.now().getTime() + days * DAY));
const stateOf = async (id: bigint) =>
  (
    await node.platform.db.query<{ state: string }>(
      sql`select ${kycState('merchant', sql`${id}::bigint`, node.clock.now())} as state`,
    )
  )[0]!.state;

test('a record is submitted by one user, approved by another, and expires in time', async () => {
  const { id, viewer } = await merchant();
  const { id: recordId } = await submit(viewer, record('merchant', id, { expiresTime: inDays(30) }));
  expect(await stateOf(id)).toBe('pending');
  await review(reviewer, recordId, { note: 'seen in person', expiresTime: inDays(10) });
  expect(await stateOf(id)).toBe('approved');
  const entries = await node.platform.db.query(sql`
    select action, user_id as "userId", after from audit_log where subject = ${`kyc:${recordId}`} order by id`);
  expect(entries).toMatchObject([
    { action: 'kyc.submit', userId: viewer.userId },
    { action: 'kyc.review', userId: reviewer.userId, after: { verdict: 'approved', note: 'seen in person' } },
  ]);
  node.clock.advance(10 * DAY);
  expect(await stateOf(id)).toBe('expired');
  const [row] = (await ask(node.platform, reviewer, contract.getKycList, { subjectId: String(id) })).list;
  expect(row).toMatchObject({
    verdict: 'expired',
    reviewedBy: expect.stringMatching(/^admin/),
    mayReview: false,
  });
});

test('nobody decides on what they submitted, nor twice', async () => {
  const { id } = await merchant();
  const { id: recordId } = await submit(reviewer, record('merchant', id));
  const own = await askRefused(node.platform, reviewer, contract.reviewKyc, {
    id: recordId,
    verdict: 'approved',
  });
  expect(own).toMatchObject({ code: 'forbidden', data: { reason: 'ownSubmission' } });
  const [listed] = (await ask(node.platform, reviewer, contract.getKycList, { subjectId: String(id) })).list;
  expect(listed?.mayReview).toBe(false);
  await expect(
    node.platform.db.query(sql`
      update kyc_records set verdict = 'approved', reviewed_by = submitted_by where id = ${recordId}`),
  ).rejects.toThrow('check constraint');
  const other = viewerOf(node.platform, {
    role: 'superAdmin',
    userId: (await createTestUser(node.platform, 'superAdmin')).id,
  });
  await review(other, recordId, { verdict: 'rejected' });
  const again = await askRefused(node.platform, other, contract.reviewKyc, {
    id: recordId,
    verdict: 'approved',
  });
  expect(again).toMatchObject({ code: 'conflict', data: { reason: 'decided' } });
  expect(await stateOf(id)).toBe('rejected');
});

test('a subject has one waiting record, also when two submit at once', async () => {
  const { id, viewer } = await merchant();
  const results = await Promise.allSettled([1, 2, 3].map(() => submit(viewer, record('merchant', id))));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a supplier submits for itself and its accounts; others’ are not found, and it sees no operator’s name', async () => {
  const { platform } = node;
  const { id: supplierId, user } = await createTestSupplier(platform);
  const { id: strangerId } = await createTestSupplier(platform);
  const { accountId } = await makeAccount(platform, { supplierId, monitorId: null });
  const { accountId: foreign } = await makeAccount(platform, { supplierId: strangerId, monitorId: null });
  const viewer = viewerOf(platform, { role: 'supplier', userId: user.id, supplierId });
  const { id } = await submit(viewer, record('account', accountId));
  await submit(viewer, record('supplier', supplierId));
  for (const input of [
    record('account', foreign),
    record('supplier', strangerId),
    record('merchant', 10_001n),
  ])
    expect((await askRefused(platform, viewer, contract.submitKyc, input)).code).toBe('notFound');
  await review(reviewer, id);
  const { list } = await ask(platform, viewer, contract.getKycList);
  expect(new Set(list.map((row) => row.subjectId))).toEqual(new Set([String(accountId), String(supplierId)]));
  expect(list.find((row) => row.id === id)).toMatchObject({
    submittedBy: user.account,
    reviewedBy: 'operator',
  });
});

test('an expiry in the past is refused; unknown subjects and records are not found', async () => {
  const { id, viewer } = await merchant();
  const past = record('merchant', id, { expiresTime: inDays(-1) });
  expect((await askRefused(node.platform, viewer, contract.submitKyc, past)).code).toBe('invalidInput');
  const { id: recordId } = await submit(clerk, record('merchant', id, { expiresTime: inDays(1) }));
  node.clock.advance(2 * DAY);
  const late = { id: recordId, verdict: 'approved' };
  expect((await askRefused(node.platform, reviewer, contract.reviewKyc, late)).code).toBe('invalidInput');
  const nothing = { id: '5', verdict: 'approved' };
  expect((await askRefused(node.platform, reviewer, contract.reviewKyc, nothing)).code).toBe('notFound');
  const unknown = record('account', 999_999n);
  expect((await askRefused(node.platform, clerk, contract.submitKyc, unknown)).code).toBe('notFound');
});

test('roles that may neither submit nor review', async () => {
  const { id, viewer } = await merchant();
  const support = viewerOf(node.platform, { role: 'technicalSupport' });
  expect((await askRefused(node.platform, support, contract.submitKyc, record('merchant', id))).code).toBe(
    'forbidden',
  );
  for (const each of [clerk, viewer]) {
    const input = { id: '5', verdict: 'approved' };
    expect((await askRefused(node.platform, each, contract.reviewKyc, input)).code).toBe('forbidden');
  }
});

test('the last verdict counts, whichever node made the ids', async () => {
  const { id, viewer } = await merchant();
  // Within one moment the second node's ids are higher.
  const first = await ask(node.anotherNode(), viewer, contract.submitKyc, record('merchant', id));
  await review(reviewer, first.id);
  const second = await submit(viewer, record('merchant', id));
  expect(BigInt(second.id)).toBeLessThan(BigInt(first.id));
  await review(reviewer, second.id, { verdict: 'rejected', note: 'another person' });
  expect(await stateOf(id)).toBe('rejected');
});
