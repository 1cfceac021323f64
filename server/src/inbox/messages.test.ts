import {
  content,
  hasRead,
  init,
  removeReaded,
  restore,
  sendMessage,
} from '@sangam/contract/endpoints/message.ts';
import { getInfo } from '@sangam/contract/endpoints/user.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SECOND } from '../platform/clock.ts';
import { refuse } from '../platform/refusal.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import type { Viewer } from '../platform/viewer.ts';
import { notify } from './notify.ts';

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
});
afterAll(() => node.close());

async function someone(role: 'admin' | 'customerService' | 'technicalSupport' = 'admin'): Promise<Viewer> {
  const { id, account } = await makeUser(node.platform, { role });
  return { ...viewerOf(node.platform, { role }), userId: id, account };
}

const inboxOf = (viewer: Viewer) => ask(node.platform, viewer, init);
const ids = (list: readonly { readonly msg_id: string }[]) => list.map(({ msg_id }) => msg_id);

async function write(from: Viewer, to: Viewer, text: string): Promise<string> {
  node.clock.advance(SECOND);
  await ask(node.platform, from, sendMessage, { userIds: [String(to.userId)], content: text });
  return (await inboxOf(to)).unread[0]!.msg_id;
}

test('a message goes from unread to read to the trash and back, and the count follows', async () => {
  const [from, to] = [await someone(), await someone()];
  const older = await write(from, to, 'first line\nsecond line');
  const newer = await write(from, to, 'another');
  expect(ids((await inboxOf(to)).unread)).toEqual([newer, older]);
  expect((await ask(node.platform, to, getInfo)).unreadCount).toBe(2);

  const read = await ask(node.platform, to, content, { msg_id: older });
  expect(read).toMatchObject({
    title: 'first line',
    content: 'first line\nsecond line',
    sender: from.account,
  });
  // Reading the list moves nothing. The console reports a message as read after it has shown it.
  expect((await inboxOf(to)).unreadCount).toBe(2);
  expect(await ask(node.platform, to, hasRead, { msg_id: older })).toEqual({ unreadCount: 1 });
  expect(await ask(node.platform, to, hasRead, { msg_id: newer })).toEqual({ unreadCount: 0 });
  node.clock.advance(SECOND);
  await ask(node.platform, to, removeReaded, { msg_id: newer });
  expect(await inboxOf(to)).toMatchObject({ readed: [{ msg_id: older }], trash: [{ msg_id: newer }] });
  // Doing it twice changes nothing more.
  await ask(node.platform, to, removeReaded, { msg_id: newer });
  node.clock.advance(SECOND);
  await ask(node.platform, to, restore, { msg_id: newer });
  expect(ids((await inboxOf(to)).readed)).toEqual([newer, older]);
});

test('an unread message cannot be removed, a stranger finds nothing of another', async () => {
  const [from, to] = [await someone(), await someone()];
  const id = await write(from, to, 'for one');
  expect((await askRefused(node.platform, to, removeReaded, { msg_id: id })).code).toBe('notFound');
  for (const each of [content, hasRead, removeReaded, restore]) {
    expect((await askRefused(node.platform, from, each, { msg_id: id })).code).toBe('notFound');
  }
  expect((await inboxOf(to)).unread).toHaveLength(1);
});

test('a letter to roles reaches each user once, the writer never', async () => {
  const from = await someone('technicalSupport');
  const other = await someone('technicalSupport');
  const input = { userIds: [String(other.userId)], roles: ['technicalSupport'], content: 'to all of us' };
  expect(await ask(node.platform, from, sendMessage, input)).toEqual({ recipients: 1 });
  expect((await inboxOf(other)).unread).toHaveLength(1);
  expect((await inboxOf(from)).unread).toHaveLength(0);
  const nobody = { userIds: [String(from.userId)], content: 'to myself' };
  expect((await askRefused(node.platform, from, sendMessage, nobody)).code).toBe('invalidInput');
});

test("a notification has the reader's language, and is not written when its transaction is not", async () => {
  const reader = await someone();
  const to = { userIds: [reader.userId] };
  const data = { request: 'reversal', subject: '77', reason: 'no proof' } as const;
  await node.platform.db.tx((tx) => notify(node.platform, tx, to, 'requestRefused', data));
  await node.platform.db.tx(async (tx) => {
    await notify(node.platform, tx, to, 'workDone', { work: 'x', done: 1, refused: 0 });
    return refuse('conflict');
  });
  const title = async (locale: Viewer['locale']) =>
    (await inboxOf({ ...reader, locale })).unread.map((message) => message.title);
  expect(await title('en-US')).toEqual(['Your request was refused: Reversal, 77. Note: no proof']);
  expect(await title('zh-CN')).toEqual(['您发起的申请被驳回：冲正，77。备注：no proof']);
});

test('a notification about an order names the order and its list, a letter none', async () => {
  const [from, reader] = [await someone(), await someone()];
  const letter = await write(from, reader, 'order 912');
  node.clock.advance(SECOND);
  await node.platform.db.tx((tx) =>
    notify(node.platform, tx, { userIds: [reader.userId] }, 'endedPayoutDebited', { order: '912', utr: '–' }),
  );
  const [notice] = (await inboxOf(reader)).unread;
  const orderOf = async (id: string) => (await ask(node.platform, reader, content, { msg_id: id })).order;
  expect(await orderOf(notice!.msg_id)).toEqual({ code: '912', area: 'payoutOrders' });
  expect(await orderOf(letter)).toBeNull();
});

test('an alert says what it is about, and its title is whole', async () => {
  const reader = await someone();
  const reason = 'the gateway refused the keys of this account, '.repeat(4).trim();
  await node.platform.db.tx(async (tx) => {
    const to = { userIds: [reader.userId] };
    await notify(node.platform, tx, to, 'gatewayPaused', { account: '9001', reason });
    await notify(node.platform, tx, to, 'alert', {
      alert: 'lowDeposit',
      subject: '7',
      name: 'A',
      balance: '1',
    });
  });
  const read = await Promise.all(
    (await inboxOf(reader)).unread.map(({ msg_id }) => ask(node.platform, reader, content, { msg_id })),
  );
  expect(read.map(({ alert }) => alert)).toEqual(
    expect.arrayContaining([null, { kind: 'lowDeposit', subject: '7' }]),
  );
  for (const { title, content: whole } of read) expect(title).toBe(whole);
});
