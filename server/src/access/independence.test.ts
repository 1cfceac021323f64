import { afterAll, beforeAll, expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { decide } from '../approvals/decide.ts';
import { startApproval } from '../approvals/start.ts';
import { DAY, HOUR } from '../platform/clock.ts';
import { isRefusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { balancesIn } from '../testing/books.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeMerchant, makeUser, viewerOf } from '../testing/world.ts';
import { addUser } from './add-user.ts';
import { resetPayPassword } from './reset-pay-password.ts';
import { unbind } from './unbind.ts';
import { updateUser } from './update-user.ts';

let node: TestPlatform;
let merchantId: bigint;
/** Two superAdmins whom nobody made. */
let first: Viewer;
let second: Viewer;
let made = 0;

beforeAll(async () => {
  node = await createTestPlatform();
  ({ merchantId } = await makeMerchant(node.platform));
  [first, second] = [await own('superAdmin'), await own('superAdmin')];
});
afterAll(() => node.close());

async function own(role: 'superAdmin' | 'admin'): Promise<Viewer> {
  const { id, account } = await makeUser(node.platform, { role });
  return { ...viewerOf(node.platform, { role, userId: id }), account };
}

async function madeBy(maker: Viewer, role: 'superAdmin' | 'admin' = 'admin'): Promise<Viewer> {
  made += 1;
  const input = { nickname: 'new', account: `made${made}`, password: 'Quiet harbour 7', access: role };
  const added = await addUser(node.platform, maker, input);
  if (isRefusal(added)) throw new Error(added.code);
  return { ...viewerOf(node.platform, { role, userId: BigInt(added.id) }), account: input.account };
}

/** How the decider's word on a top-up that the starter asked for ends. */
async function decided(starter: Viewer, decider: Viewer, approve = true): Promise<string> {
  const { platform } = node;
  const asked = await platform.db.tx((tx) =>
    startApproval(platform, tx, starter, {
      kind: 'topUp',
      subjectKind: 'merchant',
      subjectId: merchantId,
      payload: { currency: 'INR', bucket: 'available', amount: 50_00_000_00 },
      reason: 'seen by the bank',
      sole: false,
    }),
  );
  if (isRefusal(asked)) throw new Error(asked.code);
  const answer = await decide(platform, APPROVAL_HANDLERS, decider, { id: BigInt(asked.todoId), approve });
  return isRefusal(answer)
    ? ((answer.data as { readonly reason?: string } | undefined)?.reason ?? answer.code)
    : answer.status;
}

test('who makes a user, and knows its passwords, is not its second person', async () => {
  const puppet = await madeBy(first);
  expect(await decided(first, puppet)).toBe('sameHands');
  expect(await decided(puppet, first)).toBe('sameHands');
  expect((await balancesIn(node.platform, 'merchant', merchantId))['available'] ?? 0n).toBe(0n);
  // Anybody may say no.
  expect(await decided(first, puppet, false)).toBe('refused');
});

test('a new user decides nothing for a day, then what its maker has no part in', async () => {
  const fresh = await madeBy(first);
  expect(await decided(second, fresh)).toBe('freshUser');
  node.clock.advance(DAY + HOUR);
  expect(await decided(second, fresh)).toBe('approved');
  expect(await decided(first, fresh)).toBe('sameHands');
  node.clock.advance(30 * DAY);
  expect(await decided(first, fresh)).toBe('approved');
});

test('two users of one maker are one person, also through a third', async () => {
  const [one, middle] = [await madeBy(first), await madeBy(first, 'superAdmin')];
  const other = await madeBy(middle);
  node.clock.advance(2 * DAY);
  expect(await decided(one, other)).toBe('sameHands');
  expect(await decided(first, other)).toBe('sameHands');
  expect(await decided(second, other)).toBe('approved');
});

test.each([
  [
    'a new password',
    (user: Viewer) =>
      updateUser(node.platform, first, {
        id: user.userId,
        nickname: 'n',
        account: user.account,
        role: 'admin',
        password: 'Another harbour 8',
      }),
  ],
  ['a new second password', (user: Viewer) => resetPayPassword(node.platform, first, user.userId)],
  ['its authenticator taken', (user: Viewer) => unbind(node.platform, first, user.account)],
] as const)('who gave a user %s could act as it', async (_name, change) => {
  const user = await own('admin');
  expect(await decided(first, user)).toBe('approved');
  expect(isRefusal(await change(user))).toBe(false);
  expect(await decided(first, user)).toBe('sameHands');
  expect(await decided(second, user)).toBe('freshUser');
});
