import { afterAll, beforeAll, expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { decide } from '../approvals/decide.ts';
import { startApproval } from '../approvals/start.ts';
import { DAY, HOUR } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { makePartitions } from '../platform/db/partitions.ts';
import { isRefusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { balancesIn } from '../testing/books.ts';
import { deleteUser } from '../parties/delete-user.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeMerchant, makeUser, viewerOf } from '../testing/world.ts';
import { addUser } from './add-user.ts';
import { makePasswordLink, setPasswords } from './password-links.ts';
import { repairUser } from './repair-user.ts';
import { askUserAccess } from './user-access.ts';

let node: TestPlatform;
let merchantId: bigint;
/** Two superAdmins whom nobody made. */
let first: Viewer;
let second: Viewer;
let made = 0;

beforeAll(async () => {
  node = await createTestPlatform();
  await makePartitions({ db: node.owner, clock: node.clock });
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
  const input = { nickname: 'new', account: `made${made}`, access: role };
  const added = await addUser(node.platform, maker, input);
  if (isRefusal(added)) throw new Error(added.code);
  return { ...viewerOf(node.platform, { role, userId: BigInt(added.id) }), account: input.account };
}

/** The result of the decider's answer to a top-up that the starter asked for. */
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

test('whoever makes a user, and knows its passwords, is not its second person', async () => {
  const puppet = await madeBy(first);
  expect(await decided(first, puppet)).toBe('sameHands');
  expect(await decided(puppet, first)).toBe('sameHands');
  expect((await balancesIn(node.platform, 'merchant', merchantId))['available'] ?? 0n).toBe(0n);
  // Everybody may refuse.
  expect(await decided(first, puppet, false)).toBe('refused');
});

test('a new user decides nothing for a day, and after that nothing of its maker’s', async () => {
  const fresh = await madeBy(first);
  expect(await decided(second, fresh)).toBe('freshUser');
  node.clock.advance(DAY + HOUR);
  expect(await decided(second, fresh)).toBe('approved');
  expect(await decided(first, fresh)).toBe('sameHands');
  node.clock.advance(30 * DAY);
  expect(await decided(first, fresh)).toBe('approved');
});

test('two users of one maker count as one person, also through a third user', async () => {
  const [one, middle] = [await madeBy(first), await madeBy(first, 'superAdmin')];
  const other = await madeBy(middle);
  node.clock.advance(2 * DAY);
  expect(await decided(one, other)).toBe('sameHands');
  expect(await decided(first, other)).toBe('sameHands');
  expect(await decided(second, other)).toBe('approved');
});

/** Two people change a user: one asks, the other approves. */
async function agreed(
  asker: Viewer,
  second: Viewer,
  user: Viewer,
  userChange: 'passwords' | 'unbound' | 'googleOff',
): Promise<bigint> {
  const { platform } = node;
  const asked = await askUserAccess(platform, asker, user.userId, { userChange });
  expect(asked.code).toBe('approvalNeeded');
  const id = BigInt((asked.data as { readonly todoId: string }).todoId);
  expect(await decide(platform, APPROVAL_HANDLERS, second, { id, approve: true })).toMatchObject({
    status: 'approved',
  });
  return id;
}

test.each(['passwords', 'unbound', 'googleOff'] as const)(
  'who asked for, and who agreed to, %s of a user could act as it',
  async (userChange) => {
    const user = await own('admin');
    const third = await own('superAdmin');
    expect(await decided(first, user)).toBe('approved');
    await agreed(first, second, user, userChange);
    expect(await decided(first, user)).toBe('sameHands');
    expect(await decided(second, user)).toBe('sameHands');
    expect(await decided(user, second)).toBe('sameHands');
    expect(await decided(third, user)).toBe('freshUser');
  },
);

test('whoever brings a deleted user back could act as it; whoever only renames one could not', async () => {
  const { platform } = node;
  const [user, renamed] = [await own('admin'), await own('admin')];
  await deleteUser(platform, second, user.userId);
  const repair = (who: Viewer) =>
    repairUser(platform, first, { userId: who.userId, newAccountName: `${who.account}again` });
  expect([await repair(user), await repair(renamed)]).toEqual([{}, {}]);
  expect(await decided(first, user)).toBe('sameHands');
  expect(await decided(user, first)).toBe('sameHands');
  expect(await decided(second, user)).toBe('freshUser');
  expect(await decided(first, renamed)).toBe('approved');
});

test('binding an authenticator after a reset makes its user new again, however late', async () => {
  const [user, third] = [await own('admin'), await own('superAdmin')];
  await agreed(first, second, user, 'unbound');
  node.clock.advance(3 * DAY);
  expect(await decided(third, user)).toBe('approved');
  await node.owner.query(
    sql`update users set google_bound_at = ${node.clock.now()} where id = ${user.userId}`,
  );
  expect(await decided(third, user)).toBe('freshUser');
  node.clock.advance(DAY);
  expect(await decided(third, user)).toBe('approved');
});

test('a user decides nothing for a day after its link was used, however late', async () => {
  const { platform } = node;
  const [user, third] = [await own('admin'), await own('superAdmin')];
  const todoId = await agreed(first, second, user, 'passwords');
  node.clock.advance(23 * HOUR);
  const link = await makePasswordLink(platform, second, todoId);
  if (isRefusal(link)) throw new Error(link.code);
  const set = { token: link.token, password: 'Quiet harbour 7', payPassword: 'Loud harbour 8' };
  expect(await setPasswords(platform, set, { ip: '192.0.2.7' })).toEqual({ account: user.account });
  node.clock.advance(2 * HOUR);
  expect(await decided(third, user)).toBe('freshUser');
  node.clock.advance(DAY);
  expect(await decided(third, user)).toBe('approved');
  node.clock.advance(28 * DAY);
  expect(await decided(second, user)).toBe('sameHands');
  node.clock.advance(2 * DAY);
  expect(await decided(second, user)).toBe('approved');
});

test('an authenticator is not taken that its user has bound since somebody asked', async () => {
  const { platform } = node;
  const user = await own('admin');
  const asked = await askUserAccess(platform, first, user.userId, { userChange: 'unbound' });
  node.clock.advance(HOUR);
  await node.owner.query(
    sql`update users set google_bound_at = ${node.clock.now()} where id = ${user.userId}`,
  );
  const id = BigInt((asked.data as { readonly todoId: string }).todoId);
  expect(await decide(platform, APPROVAL_HANDLERS, second, { id, approve: true })).toMatchObject({
    code: 'conflict',
  });
});
