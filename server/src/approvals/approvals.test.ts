import {
  APPROVAL_KINDS,
  APPROVAL_RULES,
  type ApprovalKind,
  approvalKindsOf,
} from '@sangam/contract/approvals.ts';
import * as todo from '@sangam/contract/endpoints/todo.ts';
import { ROLES, type Role } from '@sangam/contract/roles.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { DAY, SECOND } from '../platform/clock.ts';
import { sql, violated } from '../platform/db/database.ts';
import { isRefusal, refuse } from '../platform/refusal.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { balancesIn, brokenChecks } from '../testing/books.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeMerchant, makeSupplier, makeUser, viewerOf } from '../testing/world.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { ApprovalHandlers } from './approval.ts';
import { decide, withdraw } from './decide.ts';
import { expireApprovals } from './expire.ts';
import { previewDecision } from './preview.ts';
import { startApproval, type ApprovalRequest } from './start.ts';

let node: TestPlatform;
let merchantId: bigint;
let supplierId: bigint;
/** Two users of every role: one starts, the other decides. */
let makers: Readonly<Record<Role, Viewer>>;
let checkers: Readonly<Record<Role, Viewer>>;

beforeAll(async () => {
  node = await createTestPlatform();
  ({ merchantId } = await makeMerchant(node.platform));
  ({ supplierId } = await makeSupplier(node.platform));
  const cast = async () => {
    const viewers: [Role, Viewer][] = [];
    for (const role of ROLES) {
      const { id } = await makeUser(node.platform, { role });
      const owner = role === 'merchant' ? { merchantId } : role === 'supplier' ? { supplierId } : {};
      viewers.push([role, viewerOf(node.platform, { role, userId: id, ...owner })]);
    }
    return Object.fromEntries(viewers) as Record<Role, Viewer>;
  };
  [makers, checkers] = [await cast(), await cast()];
});
afterAll(() => node.close());

const topUpOf = (amount: number, more: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  kind: 'topUp',
  subjectKind: 'merchant',
  subjectId: merchantId,
  payload: { currency: 'INR', bucket: 'available', amount },
  reason: 'paid in',
  sole: false,
  ...more,
});

const start = (viewer: Viewer, request: ApprovalRequest) =>
  node.platform.db.tx((tx) => startApproval(node.platform, tx, viewer, request));

async function started(viewer: Viewer, request: ApprovalRequest): Promise<bigint> {
  const answer = await start(viewer, request);
  if (isRefusal(answer)) throw new Error(`refused: ${answer.code}`);
  return answer.todoId;
}

const answer = (viewer: Viewer, id: bigint, approve = true, platform = node.platform) =>
  decide(platform, APPROVAL_HANDLERS, viewer, { id, approve });
const available = async () => (await balancesIn(node.platform, 'merchant', merchantId))['available'] ?? 0n;
const statusOf = async (id: bigint) =>
  (await node.platform.db.query<{ status: string }>(sql`select status from approvals where id = ${id}`))[0]!
    .status;

test('a preview shows what approving would do to each balance, and changes nothing', async () => {
  const id = await started(makers.admin, topUpOf(7_00));
  const before = await available();
  const preview = await previewDecision(node.platform, APPROVAL_HANDLERS, checkers.admin, id);
  if (isRefusal(preview)) throw new Error(preview.code);
  expect(preview.entries).toContainEqual(
    expect.objectContaining({
      ownerId: String(merchantId),
      bucket: 'available',
      amount: 700,
      balanceBefore: Number(before),
      balanceAfter: Number(before) + 700,
    }),
  );
  expect(preview.entries.filter(({ ownerKind }) => ownerKind === 'platform')).toMatchObject([
    { amount: -700, balanceBefore: null, balanceAfter: null },
  ]);
  expect(preview.entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
  expect([await available(), await statusOf(id)]).toEqual([before, 'pending']);
  expect(await answer(checkers.admin, id)).toMatchObject({ status: 'approved' });
  expect(await available()).toBe(before + 700n);
  const own = await previewDecision(node.platform, APPROVAL_HANDLERS, makers.admin, id);
  expect(own).toMatchObject({ code: 'forbidden' });
  const again = await started(makers.admin, topUpOf(1_00));
  const later = await previewDecision(node.platform, APPROVAL_HANDLERS, checkers.superAdmin, again);
  expect(later).toMatchObject({ startedThisWeek: [{ kind: 'topUp', count: 1, approved: 1 }] });
});

test('nobody decides their own request: the command refuses, and so does the database', async () => {
  const id = await started(makers.admin, topUpOf(5_00));
  expect(await answer(makers.admin, id)).toMatchObject({ code: 'forbidden' });
  const forged = node.platform.db.query(sql`
    update approvals set status = 'approved', decided_by = started_by, decided_at = now(), result = '{}' where id = ${id}`);
  await expect(forged).rejects.toSatisfy((error) => violated(error) === 'maker_is_not_checker');
  const unexecuted = node.platform.db.query(sql`
    update approvals set status = 'approved', decided_by = ${checkers.admin.userId}, decided_at = now() where id = ${id}`);
  await expect(unexecuted).rejects.toSatisfy((error) => violated(error) === 'approved_is_executed');
  expect(await answer(checkers.admin, id, false)).toMatchObject({ status: 'refused', result: null });
});

test('twenty decisions at once on two nodes execute it once', async () => {
  const before = await available();
  const id = await started(makers.admin, topUpOf(70_00));
  const other = node.anotherNode();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      answer(n % 3 ? checkers.admin : checkers.superAdmin, id, n % 5 !== 4, n % 2 ? node.platform : other),
    ),
  );
  const status = await statusOf(id);
  expect(await available()).toBe(before + (status === 'approved' ? 70_00n : 0n));
  for (const each of answers) {
    if (isRefusal(each)) expect(each).toMatchObject({ code: 'conflict', data: { status } });
    else expect(each.status).toBe(status);
  }
  expect(answers.some((each) => !isRefusal(each))).toBe(true);
});

test('a decision repeated by the same user gets the same answer; another user comes too late', async () => {
  const id = await started(makers.admin, topUpOf(1_00));
  const first = await answer(checkers.admin, id);
  expect(first).toMatchObject({ status: 'approved', result: { amount: 1_00, currency: 'INR' } });
  expect(await answer(checkers.admin, id)).toEqual(first);
  expect(await answer(checkers.admin, id, false)).toMatchObject({ code: 'conflict' });
  expect(await answer(checkers.superAdmin, id)).toMatchObject({ code: 'conflict' });
});

test('a repeated decision gets the same answer after the request’s maker was deleted', async () => {
  const { id: userId } = await makeUser(node.platform, { role: 'admin' });
  const id = await started(viewerOf(node.platform, { role: 'admin', userId }), topUpOf(1_00));
  const first = await answer(checkers.admin, id);
  expect(first).toMatchObject({ status: 'approved' });
  await node.platform.db.query(sql`update users set deleted_at = ${node.clock.now()} where id = ${userId}`);
  expect(await answer(checkers.admin, id)).toEqual(first);
  expect(await answer(checkers.superAdmin, id)).toMatchObject({
    code: 'conflict',
    data: { status: 'approved' },
  });
});

test('a request whose execution is refused stays pending, changes nothing, and may be approved later', async () => {
  const before = await available();
  const id = await started(makers.admin, {
    ...topUpOf(-Number(before) - 90_00),
    kind: 'withdrawal',
  });
  expect(await answer(checkers.admin, id)).toMatchObject({ code: 'balanceInsufficient' });
  expect([await statusOf(id), await available()]).toEqual(['pending', before]);
  await answer(checkers.admin, await started(makers.admin, topUpOf(90_00)));
  expect(await answer(checkers.admin, id)).toMatchObject({ status: 'approved' });
  expect(await available()).toBe(0n);
});

test('an execution that throws rolls the decision back', async () => {
  const broken: ApprovalHandlers = {
    ...APPROVAL_HANDLERS,
    topUp: {
      ...APPROVAL_HANDLERS.topUp,
      async execute(platform, tx, approval, decider) {
        await APPROVAL_HANDLERS.topUp.execute(platform, tx, approval, decider);
        throw new Error('half way');
      },
    },
  };
  const before = await available();
  const id = await started(makers.admin, topUpOf(33_00));
  await expect(decide(node.platform, broken, checkers.admin, { id, approve: true })).rejects.toThrow(
    'half way',
  );
  expect([await statusOf(id), await available()]).toEqual(['pending', before]);
});

test('after 24 hours nobody can decide a request, neither before the sweep nor after it', async () => {
  const id = await started(makers.admin, topUpOf(2_00));
  node.clock.advance(DAY - SECOND);
  const late = await started(makers.admin, topUpOf(2_00));
  node.clock.advance(SECOND);
  expect(await answer(checkers.admin, id)).toMatchObject({ code: 'conflict', data: { status: 'expired' } });
  expect(await withdraw(node.platform, makers.admin, id)).toMatchObject({ code: 'conflict' });
  await expireApprovals(node.platform);
  expect([await statusOf(id), await statusOf(late)]).toEqual(['expired', 'pending']);
  expect(await answer(checkers.admin, id)).toMatchObject({ code: 'conflict' });
  expect(await answer(checkers.admin, late, false)).toMatchObject({ status: 'refused' });
});

test('only its maker takes a request back, and only once', async () => {
  const id = await started(makers.admin, topUpOf(2_00));
  expect(await withdraw(node.platform, checkers.admin, id)).toMatchObject({ code: 'notFound' });
  expect(await withdraw(node.platform, makers.admin, id)).toEqual({ id, status: 'withdrawn' });
  expect(await withdraw(node.platform, makers.admin, id)).toEqual({ id, status: 'withdrawn' });
  expect(await answer(checkers.admin, id)).toMatchObject({ code: 'conflict' });
});

test('one key makes one request, and a sole request exists once while it waits', async () => {
  const key = 'press-1';
  const ids = await Promise.all(
    Array.from({ length: 20 }, () => started(makers.admin, topUpOf(4_00, { requestKey: key }))),
  );
  expect(new Set(ids).size).toBe(1);
  expect(await start(makers.admin, topUpOf(5_00, { requestKey: key }))).toMatchObject({ code: 'conflict' });
  const reversal = {
    ...topUpOf(1),
    kind: 'reversal',
    subjectKind: 'order',
    subjectId: 1n,
    sole: true,
  } as const;
  const first = await started(makers.admin, reversal);
  expect(await started(checkers.admin, reversal)).toBe(first);
  // Whoever asks for something else must not believe that it waits.
  expect(
    await start(checkers.admin, { ...reversal, payload: { ...reversal.payload, amount: 2 } }),
  ).toMatchObject({
    code: 'conflict',
    data: { reason: 'otherRequestWaits' },
  });
  node.clock.advance(DAY);
  expect(await started(checkers.admin, reversal)).not.toBe(first);
});

test('getMine lists requests that wait for the viewer’s decision; getStarted lists the viewer’s own', async () => {
  const { platform } = node;
  const id = String(
    await started(makers.supplier, {
      ...topUpOf(8_00),
      subjectKind: 'supplier',
      subjectId: supplierId,
      payload: { currency: 'INR', bucket: 'deposit', amount: 8_00 },
    }),
  );
  const rowOf = async (viewer: Viewer, endpoint: typeof todo.getMine | typeof todo.getStarted) =>
    (await ask(platform, viewer, endpoint, { pageSize: 100 })).list.find((row) => row.id === id);
  expect(await rowOf(checkers.admin, todo.getMine)).toMatchObject({
    kind: 'topUp',
    status: 'pending',
    subjectKind: 'supplier',
    subjectId: String(supplierId),
    amount: 8_00,
    currency: 'INR',
    reason: 'paid in',
    actions: ['approve', 'refuse'],
  });
  for (const role of ['customerService', 'technicalMaintenance', 'supplier'] as const) {
    expect(await rowOf(checkers[role], todo.getMine)).toBeUndefined();
  }
  expect(await rowOf(makers.supplier, todo.getStarted)).toMatchObject({ actions: ['withdraw'] });
  const about = async (subjectKind: string, subjectId?: bigint) =>
    (
      await ask(platform, checkers.admin, todo.getMine, {
        subjectKind,
        ...(subjectId !== undefined && { subjectId: String(subjectId) }),
      })
    ).list.map((row) => row.id);
  expect(await about('supplier')).toContain(id);
  expect(await about('supplier', supplierId)).toContain(id);
  expect(await about('supplier', merchantId)).toEqual([]);
  expect(await about('merchant')).not.toContain(id);
  expect(await rowOf(checkers.supplier, todo.getStarted)).toBeUndefined();
  await ask(platform, checkers.admin, todo.decide, { id, approve: false, reason: 'not received' });
  expect(await rowOf(checkers.admin, todo.getMine)).toBeUndefined();
  expect(await rowOf(makers.supplier, todo.getStarted)).toMatchObject({
    status: 'refused',
    decidedBy: 'operator',
    decideReason: 'not received',
    actions: [],
  });
  expect((await askRefused(platform, checkers.admin, todo.decide, { id: '1', approve: true })).code).toBe(
    'notFound',
  );
});

describe.each(APPROVAL_KINDS)('%s', (kind) => {
  const request: Omit<ApprovalRequest, 'kind'> = {
    subjectKind: 'order',
    subjectId: 4_711n,
    payload: {},
    reason: null,
    sole: false,
  };
  test.each(ROLES)('%s starts it exactly where the table says so', async (role) => {
    const outcome = await start(makers[role], { ...request, kind });
    if (APPROVAL_RULES[kind].start.includes(role)) expect(outcome).toHaveProperty('todoId');
    else expect(outcome).toMatchObject({ code: 'forbidden' });
  });

  test.each(ROLES)('%s decides it exactly where the table says so', async (role) => {
    const maker = APPROVAL_RULES[kind].start[0]!;
    const id = await started(makers[maker], { ...request, kind });
    const done: ApprovalHandlers = {
      ...APPROVAL_HANDLERS,
      [kind]: {
        ...APPROVAL_HANDLERS[kind],
        before: async () => undefined,
        execute: async () => ({ done: true }),
      },
    };
    const outcome = await decide(node.platform, done, checkers[role], { id, approve: true });
    if (APPROVAL_RULES[kind].decide.includes(role)) expect(outcome).toMatchObject({ status: 'approved' });
    else expect(outcome).toMatchObject({ code: 'forbidden' });
  });
});

test('only administrators decide about money; those who write scripts release them', () => {
  const may = (role: Role, part: 'start' | 'decide'): readonly ApprovalKind[] => approvalKindsOf(role, part);
  const ofMoney = (kinds: readonly ApprovalKind[]) => kinds.filter((kind) => !kind.endsWith('ScriptRelease'));
  expect(ROLES.filter((role) => ofMoney(may(role, 'decide')).length > 0)).toEqual(['superAdmin', 'admin']);
  const apart: Partial<Record<ApprovalKind, readonly Role[]>> = {
    reversal: ['superAdmin'],
    payoutTemplate: ['superAdmin'],
    accessReview: ['superAdmin'],
    payScriptRelease: ['superAdmin', 'technicalSupport'],
    monitorScriptRelease: ['superAdmin', 'technicalSupport'],
  };
  for (const kind of APPROVAL_KINDS)
    expect([kind, APPROVAL_RULES[kind].decide]).toEqual([kind, apart[kind] ?? ['superAdmin', 'admin']]);
  expect(may('technicalMaintenance', 'start')).toEqual([]);
  expect([...may('technicalSupport', 'start'), ...may('technicalSupport', 'decide')]).toEqual([
    'payScriptRelease',
    'monitorScriptRelease',
    'payScriptRelease',
    'monitorScriptRelease',
  ]);
});

test('any refusal of the execution rolls the decision back', async () => {
  const id = await started(makers.admin, topUpOf(3_00));
  const refusing: ApprovalHandlers = {
    ...APPROVAL_HANDLERS,
    topUp: { ...APPROVAL_HANDLERS.topUp, execute: async () => refuse('utrUsed') },
  };
  expect(await decide(node.platform, refusing, checkers.admin, { id, approve: true })).toMatchObject({
    code: 'utrUsed',
  });
  expect(await statusOf(id)).toBe('pending');
  expect(await brokenChecks(node.platform)).toEqual([]);
});

test('a payload of another version is listed without a sum; it can be refused but not approved', async () => {
  const id = await started(makers.admin, topUpOf(7_00));
  await node.owner.query(sql`update approvals set payload = '{"amount": 700}' where id = ${id}`);
  const { list } = await ask(node.platform, checkers.admin, todo.getMine, { pageSize: 100 });
  expect(list.find((each) => each.id === String(id))).toMatchObject({ amount: null, currency: null });
  expect(await answer(checkers.admin, id)).toMatchObject({
    code: 'conflict',
    data: { reason: 'otherVersion' },
  });
  expect(await statusOf(id)).toBe('pending');
  expect(isRefusal(await answer(checkers.admin, id, false))).toBe(false);
});
