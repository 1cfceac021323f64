import { deleteBotGroup, getBotGroups, PLAIN_GROUP, saveBotGroup } from '@sangam/contract/endpoints/bot.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { giveGroup, type GroupInput, groupNow } from '../testing/bot-group.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeMerchant, makeUser, viewerOf } from '../testing/world.ts';

let node: TestPlatform;
let platform: Platform;
beforeAll(async () => {
  node = await createTestPlatform();
  ({ platform } = node);
});
afterEach(() => platform.db.query(sql`delete from bot_groups`));
afterAll(() => node.close());

const boss = async (): Promise<Viewer> => {
  const { id, account } = await makeUser(platform, { role: 'superAdmin' });
  return { ...viewerOf(platform, { role: 'superAdmin' }), userId: id, account };
};

test('bad groups are refused with the field that is wrong; a group can be taken off', async () => {
  const viewer = await boss();
  const id = await giveGroup(platform, { kinds: ['backupOld'] });
  const gone = { id: String(id), reason: 'closed' };
  const input: GroupInput = { ...PLAIN_GROUP, bot: 'transfer', chatId: '-5', title: 'T', reason: 'new' };
  expect(await askRefused(platform, viewer, saveBotGroup, input)).toMatchObject({ code: 'invalidInput' });
  expect(
    await askRefused(platform, viewer, saveBotGroup, { ...input, bot: 'alert', chatId: '-1' }),
  ).toMatchObject({ code: 'conflict' });
  expect(await askRefused(platform, viewer, deleteBotGroup, gone)).toMatchObject({
    code: 'conflict',
    data: { reason: 'groupIsTold' },
  });
  await platform.db.query(sql`update bot_groups set enabled = false where id = ${id}`);
  await ask(platform, viewer, deleteBotGroup, gone);
  expect(await askRefused(platform, viewer, deleteBotGroup, gone)).toMatchObject({
    code: 'notFound',
  });
});

test('letting a chat read or say more, or stopping its alerts, needs two people; other restrictions need one', async () => {
  const viewer = await boss();
  const id = String(await giveGroup(platform, { kinds: ['backupOld'], senders: ['7', '8'] }));
  const now = await groupNow(platform, viewer);
  const { merchantId } = await makeMerchant(platform);
  const more: Partial<GroupInput>[] = [
    { chatId: '-77' },
    { kinds: ['backupOld', 'nameHit'] },
    { ownerKind: 'merchant', ownerId: String(merchantId) },
    { senders: ['7', '9'] },
    { senders: [] },
    { kinds: [] },
    { enabled: false },
  ];
  for (const change of more) {
    expect(await askRefused(platform, viewer, saveBotGroup, { ...now, ...change })).toMatchObject({
      code: 'approvalNeeded',
    });
    await node.owner.query(sql`delete from approvals`);
    expect(await groupNow(platform, viewer)).toEqual(now);
  }
  const less = { ...now, title: 'Quiet', senders: ['7'], perMinute: 5 };
  expect(await ask(platform, viewer, saveBotGroup, less)).toEqual({ id });
});

test('a request about a group that was changed meanwhile is not executed', async () => {
  const viewer = await boss();
  const id = String(await giveGroup(platform, { kinds: ['backupOld'] }));
  const now = await groupNow(platform, viewer);
  const asked = await askRefused(platform, viewer, saveBotGroup, { ...now, kinds: ['backupOld', 'nameHit'] });
  await ask(platform, viewer, saveBotGroup, { ...now, title: 'Other' });
  const { todoId } = asked.data as { readonly todoId: string };
  const [request] = await platform.db.query(sql`select reason, payload from approvals where id = ${todoId}`);
  expect(request).toMatchObject({
    reason: now.reason,
    payload: expect.not.objectContaining({ reason: now.reason }),
  });
  expect(await askRefused(platform, await boss(), decide, { id: todoId, approve: true })).toMatchObject({
    code: 'conflict',
  });
  expect((await ask(platform, viewer, getBotGroups, {})).list[0]).toMatchObject({ id, kinds: ['backupOld'] });
});
