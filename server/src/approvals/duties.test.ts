import { afterAll, beforeAll, expect, test } from 'vitest';
import { getDuties } from '@sangam/contract/endpoints/todo.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { noteControlChange } from '../access/control-changes.ts';
import { DAY } from '../platform/clock.ts';
import { isRefusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask } from '../testing/ask.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeMerchant, makeUser, viewerOf } from '../testing/world.ts';
import { decide } from './decide.ts';
import { countOwnWord } from './own-word.ts';
import { startApproval } from './start.ts';

let node: TestPlatform;
let merchantId: bigint;
let [a, b, c]: Viewer[] = [];

beforeAll(async () => {
  node = await createTestPlatform();
  ({ merchantId } = await makeMerchant(node.platform));
  [a, b, c] = await Promise.all(['anna', 'bela', 'chand'].map(person));
});
afterAll(() => node.close());

async function person(account: string): Promise<Viewer> {
  const { id } = await makeUser(node.platform, { role: 'admin', account });
  return { ...viewerOf(node.platform, { role: 'admin', userId: id }), account };
}

async function decided(starter: Viewer, decider: Viewer, approve = true): Promise<void> {
  const { platform } = node;
  const started = await platform.db.tx((tx) =>
    startApproval(platform, tx, starter, {
      kind: 'topUp',
      subjectKind: 'merchant',
      subjectId: merchantId,
      payload: { currency: 'INR', bucket: 'available', amount: 100 },
      reason: 'seen by the bank',
      sole: false,
    }),
  );
  if (isRefusal(started)) throw new Error(started.code);
  const answer = await decide(platform, APPROVAL_HANDLERS, decider, { id: started.todoId, approve });
  if (isRefusal(answer)) throw new Error(answer.code);
}

test('the list shows who decides for whom in both directions, who controls whom, and what users moved alone', async () => {
  const { platform, clock } = node;
  await decided(a!, b!);
  await decided(a!, b!);
  await decided(b!, a!);
  await decided(a!, c!, false);
  await platform.db.tx(async (tx) => {
    await noteControlChange(platform, tx, { userId: c!.userId, by: a!.userId, change: 'created' });
    await noteControlChange(platform, tx, { userId: c!.userId, by: a!.userId, change: 'link' });
    expect(await countOwnWord(platform, tx, [b!.userId], { currency: 'INR', amount: 500n })).toBe(true);
  });
  const rows = async (input: Readonly<Record<string, unknown>> = {}) =>
    (await ask(platform, a!, getDuties, input)).list.map(({ id: _id, ...row }) => row);
  const none = { approved: 0, refused: 0, approvedBack: 0, sharePercent: 0, changes: [] };
  const noMoney = { currency: null, amount: null };
  const listed = await rows();
  expect(
    listed.slice(0, 2).map(({ account, approvedBack, approved }) => [account, approved + approvedBack]),
  ).toEqual(
    expect.arrayContaining([
      ['anna', 3],
      ['bela', 3],
    ]),
  );
  expect(listed).toHaveLength(5);
  expect(listed).toEqual(
    expect.arrayContaining([
      { ...none, account: 'anna', other: 'bela', approved: 2, approvedBack: 1, sharePercent: 66, ...noMoney },
      {
        ...none,
        account: 'bela',
        other: 'anna',
        approved: 1,
        approvedBack: 2,
        sharePercent: 100,
        ...noMoney,
      },
      { ...none, account: 'anna', other: 'chand', refused: 1, sharePercent: 33, ...noMoney },
      { ...none, account: 'chand', other: 'anna', changes: ['created', 'link'], ...noMoney },
      { ...none, account: 'bela', other: null, currency: 'INR', amount: 500 },
    ]),
  );
  expect(await rows({ account: 'chan' })).toHaveLength(2);
  expect(await rows({ pageIndex: 2, pageNum: 3 })).toHaveLength(2);
  expect(
    await rows({
      startTime: formatTime(new Date(clock.now().getTime() + 2 * DAY)),
      endTime: formatTime(new Date(clock.now().getTime() + 3 * DAY)),
    }),
  ).toEqual([]);
  clock.advance(31 * DAY);
  expect(await rows()).toEqual([]);
});
