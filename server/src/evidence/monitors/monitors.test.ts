import * as contract from '@sangam/contract/endpoints/monitor.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../../app/approval-kinds.ts';
import { decide } from '../../approvals/decide.ts';
import { DAY, MINUTE, SECOND } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { makeShop, type Shop } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { askResend, takeCommands } from './ask-monitor.ts';
import { heartbeat } from './heartbeat.ts';
import { currentScript } from './scripts.ts';
import { findMonitor } from './sequence.ts';

let node: TestPlatform;
let shop: Shop;
let viewer: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  shop = await makeShop(node.platform);
  const { id } = await makeUser(node.platform, { role: 'superAdmin' });
  viewer = { ...viewerOf(node.platform, { role: 'superAdmin' }), userId: id };
});
afterAll(() => node.close());

const found = async (monitorId: string) =>
  (await ask(node.platform, viewer, contract.getMonitorList)).list.find(({ id }) => id === monitorId)!;

test('a registered monitor is offline until heard of, and offline again once silent or switched off', async () => {
  const { monitorId } = await ask(node.platform, viewer, contract.registerMonitor, {
    supplierId: String(shop.supplierId),
    name: 'shelf 4',
  });
  const monitor = { id: BigInt(monitorId), supplierId: shop.supplierId };
  expect(await found(monitorId)).toMatchObject({ online: false, lastSeen: null });
  await heartbeat(node.platform, monitor, { scriptVersion: '1.0' });
  expect(await found(monitorId)).toMatchObject({ online: true, scriptVersion: '1.0' });
  node.clock.advance(91 * SECOND);
  expect((await found(monitorId)).online).toBe(false);
  await heartbeat(node.platform, monitor, { scriptVersion: '1.0' });
  await ask(node.platform, viewer, contract.enableMonitor, { monitorId, enable: false });
  expect(await found(monitorId)).toMatchObject({ enabled: false, online: false });
  expect(await findMonitor(node.platform.db, monitor.id)).toBeUndefined();
});

/** A user of the supplier that was made `age` ago. */
async function owner(supplierId: bigint, age: number): Promise<Viewer> {
  const { id: userId } = await makeUser(node.platform, { role: 'supplier' });
  const at = new Date(node.clock.now().getTime() - age);
  await node.platform.db.query(sql`
    insert into user_control_changes (id, user_id, changed_by, change, created_at)
    values (${node.platform.ids.next()}, ${userId}, ${viewer.userId}, 'created', ${at})`);
  return viewerOf(node.platform, { role: 'supplier', supplierId, userId });
}
const renew = (by: Viewer, monitorId: bigint) =>
  ask(node.platform, by, contract.renewMonitorSecret, { monitorId: String(monitorId) });
const renewRefused = async (by: Viewer, monitorId: bigint) =>
  (await askRefused(node.platform, by, contract.renewMonitorSecret, { monitorId: String(monitorId) })).code;
const storedSecret = async (id: bigint) =>
  node.platform.vault.open((await findMonitor(node.platform.db, id))!.secret, ['monitors.secret', id]);

test('a new secret takes the place of the old one, sealed, and its supplier alone is shown it', async () => {
  const { id } = shop.monitor;
  const before = await storedSecret(id);
  expect(await renew(viewer, id)).toEqual({ monitorId: String(id), secret: null });
  const voided = await storedSecret(id);
  expect(voided).not.toBe(before);
  const { secret } = await renew(await owner(shop.supplierId, 2 * DAY), id);
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(await storedSecret(id)).toBe(secret);
  const audits = await node.platform.db.query<{ after: unknown }>(sql`
    select after from audit_log where action = 'monitor.renewSecret'`);
  expect(JSON.stringify(audits)).not.toContain(secret);
});

test('a user made or reset within a day gets no secret of a monitor that has reported; others’ monitors and rails are not found', async () => {
  const { id } = shop.monitor;
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1.0' });
  const fresh = await owner(shop.supplierId, MINUTE);
  expect(await renewRefused(fresh, id)).toBe('forbidden');
  const { monitorId } = await ask(node.platform, viewer, contract.registerMonitor, {
    supplierId: String(shop.supplierId),
    name: 'first phone',
  });
  expect((await renew(fresh, BigInt(monitorId))).secret).not.toBeNull();
  const other = await makeShop(node.platform);
  const stranger = await owner(other.supplierId, 2 * DAY);
  expect(await renewRefused(stranger, id)).toBe('notFound');
  const listed = async (by: Viewer) =>
    (await ask(node.platform, by, contract.getMonitorList)).list.map((row) => row.id);
  expect(await listed(stranger)).toEqual([String(other.monitor.id)]);
  await node.platform.db.query(sql`
    insert into rail_watches (account_id, monitor_id, next_at) values (${other.accountId}, ${other.monitor.id}, ${node.clock.now()})`);
  expect(await listed(stranger)).toEqual([]);
  expect(await renewRefused(stranger, other.monitor.id)).toBe('notFound');
});

test('a resend command is given out for a minute; a waiting command with a wider span serves a narrower request', async () => {
  const { platform } = node;
  const at = node.clock.now();
  const request = {
    monitorId: shop.monitor.id,
    from: new Date(at.getTime() - 10 * MINUTE),
    to: at,
    reason: 'gap',
    askedBy: null,
  };
  const first = await platform.db.tx((tx) => askResend(platform, tx, request));
  const inside = { ...request, from: new Date(at.getTime() - 5 * MINUTE) };
  expect(await platform.db.tx((tx) => askResend(platform, tx, inside))).toBe(first);
  const told = {
    commands: [{ id: String(first), kind: 'resend', from: request.from.getTime(), to: at.getTime() }],
  };
  expect(await takeCommands(platform, shop.monitor)).toEqual(told);
  expect(await takeCommands(platform, shop.monitor)).toEqual(told);
  node.clock.advance(MINUTE);
  expect(await takeCommands(platform, shop.monitor)).toEqual({ commands: [] });
  expect(await platform.db.tx((tx) => askResend(platform, tx, inside))).not.toBe(first);
});

test('an operator may ask too; an end before its beginning is refused', async () => {
  const monitorId = String(shop.monitor.id);
  const [early, late] = [
    formatTime(new Date(node.clock.now().getTime() - MINUTE)),
    formatTime(node.clock.now()),
  ];
  await ask(node.platform, viewer, contract.askMonitorResend, { monitorId, startTime: early, endTime: late });
  const refused = { monitorId, startTime: late, endTime: early };
  expect((await askRefused(node.platform, viewer, contract.askMonitorResend, refused)).code).toBe(
    'invalidInput',
  );
});

test('a released script is what monitors are given, and they are told to fetch it', async () => {
  expect(await currentScript(node.platform)).toEqual({ version: null, body: null });
  const save = { version: '2.0', body: 'report();', note: 'first' };
  await ask(node.platform, viewer, contract.saveMonitorScript, save);
  expect((await askRefused(node.platform, viewer, contract.saveMonitorScript, save)).code).toBe('conflict');
  const release = async (version: string) => {
    const asked = await askRefused(node.platform, viewer, contract.releaseMonitorScript, {
      version,
      reason: 'tried',
    });
    expect(asked.code).toBe('approvalNeeded');
    const request = { id: BigInt((asked.data as { todoId: string }).todoId), approve: true };
    expect(await decide(node.platform, APPROVAL_HANDLERS, viewer, request)).toMatchObject({
      code: 'forbidden',
    });
    const { id: userId } = await makeUser(node.platform, { role: 'technicalSupport' });
    const second = viewerOf(node.platform, { role: 'technicalSupport', userId });
    return () => decide(node.platform, APPROVAL_HANDLERS, second, request);
  };
  const unknown = { version: '9.9', reason: 'tried' };
  expect((await askRefused(node.platform, viewer, contract.releaseMonitorScript, unknown)).code).toBe(
    'notFound',
  );
  const agree = await release('2.0');
  expect(await currentScript(node.platform)).toEqual({ version: null, body: null });
  expect(await agree()).toMatchObject({ status: 'approved' });
  expect(await currentScript(node.platform)).toEqual({ version: '2.0', body: 'report();' });
  const { commands } = await takeCommands(node.platform, shop.monitor);
  expect(commands.map(({ kind }) => kind)).toContain('refreshScript');
  await ask(node.platform, viewer, contract.saveMonitorScript, {
    version: '2.1',
    body: 'report(1);',
    note: '',
  });
  await (
    await release('2.1')
  )();
  const { list } = await ask(node.platform, viewer, contract.getMonitorScriptList);
  expect(list.filter(({ live }) => live).map(({ version }) => version)).toEqual(['2.1']);
});

test('clearing the log begins it anew and loses no line', async () => {
  const monitorId = String(shop.monitor.id);
  const all = (withCleared = false) =>
    ask(node.platform, viewer, contract.getMonitorLogList, { monitorId, withCleared: String(withCleared) });
  const before = (await all()).total;
  expect(before).toBeGreaterThan(0);
  await ask(node.platform, viewer, contract.clearMonitorLog);
  expect((await all()).total).toBe(0);
  expect((await all(true)).total).toBe(before);
  node.clock.advance(MINUTE);
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '2.1' });
  expect((await all()).list).toMatchObject([{ logPhase: 'heartbeat', isAlarm: false }]);
});
