import * as audits from '@sangam/contract/endpoints/audit.ts';
import { setFrozen } from '@sangam/contract/endpoints/merchant.ts';
import { revealPerson } from '@sangam/contract/endpoints/order.ts';
import { SETTING_ENDPOINTS } from '@sangam/contract/endpoints/settings.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { login2 } from '@sangam/contract/endpoints/user.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sealNew } from '../../audit/seal.ts';
import { checkAllSealed } from '../../audit/turn.ts';
import { duringCall } from '../../platform/audit/call.ts';
import { audit } from '../../platform/audit/record.ts';
import { DAY } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { post } from '../../testing/call.ts';
import { makePayoutShop, payOut } from '../../testing/payouts.ts';
import { createTestUser, PAY_PASSWORD, signedIn } from '../../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';

let node: TestPlatform;
let boss: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  const { id, account } = await makeUser(node.platform, { role: 'superAdmin' });
  boss = { ...viewerOf(node.platform, { role: 'superAdmin' }), userId: id, account };
});
afterAll(() => node.close());

const write = (action: string, subject: string, userId: bigint | null = boss.userId) =>
  node.platform.db.tx((tx) =>
    audit(node.platform, tx, {
      userId,
      action,
      subject,
      before: { a: 1 },
      after: { a: 2 },
      reason: 'because',
      ip: '203.0.113.7',
    }),
  );
const found = async (filters: object) =>
  (await ask(node.platform, boss, audits.getAuditList, { ...filters })).list.map(
    ({ action, subject }) => `${action} ${subject}`,
  );

test('an entry has who, what, of what, before and after, why and from where', async () => {
  await write('bank.addHeader', 'bank:1');
  const { list } = await ask(node.platform, boss, audits.getAuditList, { subject: 'bank:1' });
  expect(list).toMatchObject([
    {
      account: boss.account,
      role: 'superAdmin',
      action: 'bank.addHeader',
      subject: 'bank:1',
      before: { a: 1 },
      after: { a: 2 },
      reason: 'because',
      ip: '203.0.113.7',
    },
  ]);
});

test('a subject is found by its number alone, as the screen shows it, and by its kind and number', async () => {
  const id = String(node.platform.ids.next());
  await write('bank.addHeader', `bank:${id}`);
  await write('order.mark', `order:${id}`);
  expect(await found({ subject: id })).toEqual([`order.mark order:${id}`, `bank.addHeader bank:${id}`]);
  expect(await found({ subject: `order:${id}` })).toEqual([`order.mark order:${id}`]);
  await write('maintenance.begin', 'system');
  expect(await found({ subject: 'system' })).toContain('maintenance.begin system');
});

test('what an entry says of persons is shown only to viewers who see records unmasked; technical entries are shown whole', async () => {
  const write = (action: string, after: object) =>
    node.platform.db.tx((tx) =>
      audit(node.platform, tx, { userId: boss.userId, action, subject: 'test:9', after, ip: null }),
    );
  await write('list.export', { filters: { cardNumber: '50100123456789' }, rows: 3 });
  await write('setting.change', { value: 30 });
  const seen = async (viewer: Viewer) =>
    (await ask(node.platform, viewer, audits.getAuditList, { subject: 'test:9' })).list.map(
      ({ after }) => after,
    );
  expect(await seen(boss)).toEqual([{ value: 30 }, { filters: { cardNumber: '50100123456789' }, rows: 3 }]);
  expect(await seen(viewerOf(node.platform, { role: 'technicalMaintenance' }))).toEqual([
    { value: 30 },
    { filters: '***', rows: '***' },
  ]);
});

test('the content of a request is shown only to viewers who see records unmasked', async () => {
  const after = { kind: 'beneficiary', payload: { userName: 'Asha Rao', cardNumber: '50100123456789' } };
  const entry = { userId: boss.userId, action: 'approval.start', subject: 'approval:7', after, ip: null };
  await node.platform.db.tx((tx) => audit(node.platform, tx, entry));
  const seen = async (viewer: Viewer) =>
    (await ask(node.platform, viewer, audits.getAuditList, { subject: 'approval:7' })).list[0]!.after;
  expect(await seen(boss)).toEqual(after);
  expect(await seen(viewerOf(node.platform, { role: 'technicalMaintenance' }))).toEqual({
    kind: 'beneficiary',
    payload: '***',
  });
});

test('why somebody asks, decides, freezes, reveals or gives the second password is found by its words', async () => {
  const { platform } = node;
  const { merchantId, superAdminId } = await makePayoutShop(platform);
  const other = viewerOf(platform, { role: 'superAdmin', userId: superAdminId });
  const { id } = await payOut(platform, merchantId);
  const orderCode = String(id);
  const reason = 'the payee wrote to us';
  await ask(platform, boss, revealPerson, { orderCode, field: 'userName', reason });
  const hold = { subjectKind: 'order', subjectId: orderCode, frozen: true, reason };
  await ask(platform, boss, setFrozen, hold);
  const { write: change } = SETTING_ENDPOINTS.find(({ name }) => name === 'KYC')!;
  const asked = await askRefused(platform, boss, change, { enable: false, reason });
  const { todoId } = asked.data as { readonly todoId: string };
  await ask(platform, other, decide, { id: todoId, approve: false, reason });
  const person = await createTestUser(platform, 'admin');
  const session = await signedIn(platform, person);
  const given = { password: PAY_PASSWORD, logInReason: reason };
  expect((await post(await node.app(), login2.path, given, session)).code).toBe(200);
  expect(await found({ reason })).toEqual([
    `user.login2 user:${person.account}`,
    `approval.refuse approval:${todoId}`,
    `approval.start approval:${todoId}`,
    `hold.freeze order:${id}`,
    `order.reveal order:${id}`,
  ]);
});

test('a reason in words is shown, and searched in, only where the viewer sees what the action wrote', async () => {
  const write = (action: string, reason: string) =>
    node.platform.db.tx((tx) =>
      audit(node.platform, tx, { userId: boss.userId, action, subject: 'why:1', reason, ip: null }),
    );
  await write('order.reject', 'Asha Rao asked');
  await write('hold.freeze', 'debited');
  await write('setting.change', 'Asha Rao asked');
  const seen = async (viewer: Viewer, filters: object) =>
    (await ask(node.platform, viewer, audits.getAuditList, { subject: 'why:1', ...filters })).list.map(
      ({ reason }) => reason,
    );
  const maintenance = viewerOf(node.platform, { role: 'technicalMaintenance' });
  expect(await seen(boss, {})).toEqual(['Asha Rao asked', 'debited', 'Asha Rao asked']);
  expect(await seen(maintenance, {})).toEqual(['Asha Rao asked', 'debited', '***']);
  expect(await seen(boss, { reason: 'asha' })).toHaveLength(2);
  expect(await seen(maintenance, { reason: 'asha' })).toHaveLength(1);
});

test('role, device, session and approval of the call are kept and found', async () => {
  const call = { role: 'admin', device: 'Probe/1.0 (X11)', sessionId: 41n, approvalId: 42n } as const;
  await duringCall(call, () => write('seen.one', 'seen:1'));
  await write('seen.two', 'seen:2');
  const { list } = await ask(node.platform, boss, audits.getAuditList, { action: 'seen', device: 'probe/1' });
  expect(list).toMatchObject([
    { role: 'admin', device: call.device, sessionId: '41', approvalId: '42', subject: 'seen:1' },
  ]);
  for (const filters of [{ role: 'admin' }, { sessionId: '41' }, { approvalId: '42' }])
    expect(await found({ action: 'seen', ...filters })).toEqual(['seen.one seen:1']);
  expect(await found({ action: 'seen', reason: 'CAUSE' })).toHaveLength(2);
  expect(await found({ action: 'seen', reason: 'other' })).toEqual([]);
});

test('the seal says up to when all is intact, and names what is not', async () => {
  const seal = () => ask(node.platform, boss, audits.getAuditSeal, {});
  await write('sealed.one', 'sealed:1');
  await vi.waitFor(async () => {
    await sealNew(node.platform);
    // A transaction that is just ending in another test's database may delay sealing for a moment.
    const sealed = await node.platform.db.query(sql`
      select from audit_blocks where to_tx > (select tx_id from audit_log where subject = 'sealed:1')`);
    expect(sealed.length).toBeGreaterThan(0);
    await checkAllSealed(node.platform);
    expect((await seal()).intactTo).not.toBeNull();
  });
  expect(await seal()).toMatchObject({
    faults: [],
    faultCount: 0,
    publicKey: node.platform.auditSeal.publicKey,
  });
  const [row] = await node.owner.query<{ id: bigint }>(sql`
    update audit_log set reason = 'other' where subject = 'sealed:1' returning id`);
  await checkAllSealed(node.platform);
  expect(await seal()).toMatchObject({
    faultCount: 1,
    faults: [{ kind: 'audit', rowId: String(row!.id), fault: 'changed' }],
  });
  const [alert] = await node.platform.db.query<{ subject: string }>(sql`
    select subject from alerts where kind = 'auditChainBroken'`);
  expect(alert!.subject).toBe(`audit:${row!.id}`);
  await node.owner.query(sql`update audit_log set reason = 'because' where id = ${row!.id}`);
  await checkAllSealed(node.platform);
  expect((await seal()).faultCount).toBe(0);
});

test('entries are found by person, action, area, subject and address; a subject’s entries whatever their age', async () => {
  await write('probe.one', 'probe:1');
  await write('probe.two', 'probe:2', null);
  await write('probed.one', 'probe:3');
  expect(await found({ action: 'probe' })).toEqual(['probe.two probe:2', 'probe.one probe:1']);
  expect(await found({ action: 'probe.one' })).toEqual(['probe.one probe:1']);
  expect(await found({ action: 'probe', account: boss.account })).toEqual(['probe.one probe:1']);
  expect(await found({ action: 'probe', ip: '203.0.113.8' })).toEqual([]);
  node.clock.advance(40 * DAY);
  expect(await found({ action: 'probe' })).toEqual([]);
  expect(await found({ subject: 'probe:1' })).toEqual(['probe.one probe:1']);
});
