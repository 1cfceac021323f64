import * as contract from '@sangam/contract/endpoints/terms.ts';
import { decide, getMine } from '@sangam/contract/endpoints/todo.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { HOUR, SECOND } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { waitsForLock } from '../../testing/waits-for-lock.ts';
import { makeMerchant, makeSupplier, makeUser, viewerOf } from '../../testing/world.ts';
import { applyDueTerms } from './set-terms.ts';
import { applyTerms, lockDueTerms } from './terms-store.ts';

/** Scheduled terms are taken back before their time: limits by one person, a rate that two people agreed to by two. */

const PRODUCT = 1010;
let node: TestPlatform;
let boss: Viewer;
let admin: Viewer;
let merchantId: bigint;
beforeAll(async () => {
  node = await createTestPlatform();
  const viewer = async (role: 'superAdmin' | 'admin') =>
    viewerOf(node.platform, { role, userId: (await makeUser(node.platform, { role })).id });
  [boss, admin] = [await viewer('superAdmin'), await viewer('admin')];
});
beforeEach(async () => {
  ({ merchantId } = await makeMerchant(node.platform));
});
afterAll(() => node.close());

const terms = (ownerKind: 'merchant' | 'agent', ownerId: bigint, fields: object) => ({
  ownerKind,
  ownerId: String(ownerId),
  productId: PRODUCT,
  enabled: true,
  ratePpm: 30_000,
  fixedFee: 0,
  minAmount: 100,
  maxAmount: 1_000_000_00,
  ...fields,
});
const in_ = (ms: number) => formatTime(new Date(node.clock.now().getTime() + ms));
const todoOf = (refusal: Awaited<ReturnType<typeof askRefused>>) => {
  expect(refusal.code).toBe('approvalNeeded');
  return (refusal.data as { todoId: string }).todoId;
};
/** Asks for terms, and approves them as somebody else. */
async function set(input: ReturnType<typeof terms>): Promise<{ id: string }> {
  const id = todoOf(await askRefused(node.platform, boss, contract.setUserProduct, input));
  return (await ask(node.platform, admin, decide, { id, approve: true })).result as { id: string };
}
/** Asks to take terms back, which needs a second person. */
const cancelTodo = async (id: string) =>
  todoOf(await askRefused(node.platform, boss, contract.cancelUserProduct, { id }));
const stateOf = async (ownerId: bigint) =>
  (
    await ask(node.platform, boss, contract.getUserProductList, {
      ownerId: String(ownerId),
      productId: PRODUCT,
    })
  ).list.map(({ ratePpm, state }) => [ratePpm, state]);

test('one person takes scheduled limits back before their time, not after', async () => {
  const limits = terms('merchant', merchantId, { ratePpm: 30_000, minAmount: 200 });
  const { id } = await ask(node.platform, boss, contract.setUserProduct, {
    ...limits,
    effectiveTime: in_(HOUR),
  });
  await ask(node.platform, boss, contract.cancelUserProduct, { id });
  expect((await askRefused(node.platform, boss, contract.cancelUserProduct, { id })).code).toBe('notFound');
  expect(await stateOf(merchantId)).toEqual([[30_000, 'inForce']]);
  const { id: inForce } = await ask(node.platform, boss, contract.setUserProduct, limits);
  expect((await askRefused(node.platform, boss, contract.cancelUserProduct, { id: inForce })).code).toBe(
    'notFound',
  );
});

test('a scheduled rate is taken back only with a second person, who sees what stays', async () => {
  const { id } = await set(terms('merchant', merchantId, { ratePpm: 70_000, effectiveTime: in_(HOUR) }));
  const todo = await cancelTodo(id);
  expect((await askRefused(node.platform, boss, decide, { id: todo, approve: true })).code).toBe('forbidden');
  const { list } = await ask(node.platform, admin, getMine, { kind: 'rateChange' });
  expect(list.find((each) => each.id === todo)).toMatchObject({
    payload: { productId: PRODUCT, withdrawn: { ratePpm: 70_000, allBefore: { ratePpm: 30_000 } } },
  });
  expect(await stateOf(merchantId)).toHaveLength(2);
  await ask(node.platform, admin, decide, { id: todo, approve: true });
  expect(await stateOf(merchantId)).toEqual([[30_000, 'inForce']]);
  const [entry] = await node.platform.db.query(sql`
    select user_id as "userId", before, after from audit_log where action = 'terms.cancel' order by id desc limit 1`);
  expect(entry).toMatchObject({
    userId: admin.userId,
    before: { ratePpm: 70_000 },
    after: { approvalId: todo, startedBy: String(boss.userId) },
  });
});

test('the rate in force, scheduled again after another rate, is taken back only with a second person', async () => {
  await set(terms('merchant', merchantId, { ratePpm: 70_000, effectiveTime: in_(HOUR) }));
  const back = { ratePpm: 30_000, effectiveTime: in_(2 * HOUR) };
  await cancelTodo((await set(terms('merchant', merchantId, back))).id);
});

test('a rate is not taken back if terms were set since, or once it is in force', async () => {
  const { id } = await set(terms('merchant', merchantId, { ratePpm: 70_000, effectiveTime: in_(HOUR) }));
  const agree = async (todo: string) =>
    (await askRefused(node.platform, admin, decide, { id: todo, approve: true })).code;
  const first = await cancelTodo(id);
  await ask(
    node.platform,
    boss,
    contract.setUserProduct,
    terms('merchant', merchantId, { ratePpm: 30_000, enabled: false }),
  );
  expect(await agree(first)).toBe('conflict');
  const second = await cancelTodo(id);
  node.clock.advance(HOUR);
  expect(await agree(second)).toBe('conflict');
  await applyDueTerms(node.platform);
  expect(await agree(second)).toBe('conflict');
  expect(await stateOf(merchantId)).toContainEqual([70_000, 'inForce']);
});

test('a scheduled end of an agent’s share is taken back only with a second person', async () => {
  const { supplierId } = await makeSupplier(node.platform, { products: [] });
  await set(terms('agent', supplierId, {}));
  const end = await set(terms('agent', supplierId, { enabled: false, effectiveTime: in_(HOUR) }));
  await cancelTodo(end.id);
});

test('terms that another node puts in force meanwhile, by a clock that is ahead, are not taken back', async () => {
  const effectiveTime = in_(30 * SECOND);
  const limits = terms('merchant', merchantId, { minAmount: 200, effectiveTime });
  const { id } = await ask(node.platform, boss, contract.setUserProduct, limits);
  const now = new Date(node.clock.now().getTime() + 40 * SECOND);
  const { cancelled } = await node.holding(async (tx) => {
    await applyTerms(tx, await lockDueTerms(tx, now, 1), now);
    const cancelling = { cancelled: askRefused(node.platform, boss, contract.cancelUserProduct, { id }) };
    await waitsForLock(node.platform);
    return cancelling;
  });
  expect((await cancelled).code).toBe('notFound');
});
