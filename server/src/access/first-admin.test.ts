import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { createUser } from './create-user.ts';
import { createFirstAdmin } from './first-admin.ts';
import { setPasswords } from './password-links.ts';
import { passwordMatches } from './password.ts';
import { findUserByAccount } from './store.ts';

let world: TestPlatform;
beforeAll(async () => {
  world = await createTestPlatform();
});
afterAll(() => world.close());

test('three commands at once make two first admins, and each sets its passwords by the link shown', async () => {
  const { platform } = world;
  const names = ['boss', 'chief', 'third'];
  const made = await Promise.all(names.map((name) => createFirstAdmin(platform, name)));
  const users = await Promise.all(names.map((name) => findUserByAccount(platform.db, name)));
  expect(made.filter(Boolean)).toHaveLength(2);
  for (const [at, shown] of made.entries()) {
    const user = users[at];
    expect(user === undefined).toBe(shown === undefined);
    if (!user || !shown) continue;
    expect(user.role).toBe('superAdmin');
    expect([user.passwordHash, user.payPasswordHash]).toEqual([null, null]);
    const passwords = { password: 'Quiet harbour 7', payPassword: 'Loud harbour 8' };
    expect(await setPasswords(platform, { token: shown, ...passwords }, { ip: '192.0.2.7' })).toEqual({
      account: user.account,
    });
    const { passwordHash, payPasswordHash } = (await findUserByAccount(platform.db, user.account))!;
    expect(await passwordMatches(passwords.password, passwordHash)).toBe(true);
    expect(await passwordMatches(passwords.payPassword, payPasswordHash)).toBe(true);
  }
});

test('a superAdmin whom another user made does not count as one of the two', async () => {
  const other = await createTestPlatform();
  const { platform } = other;
  const before = await createFirstAdmin(platform, 'boss');
  const boss = await findUserByAccount(platform.db, 'boss');
  await platform.db.tx((tx) =>
    createUser(platform, tx, {
      account: 'puppet',
      nickname: 'puppet',
      role: 'superAdmin',
      password: 'Long enough 7',
      createdBy: boss!.id,
    }),
  );
  expect(await createFirstAdmin(platform, 'chief')).toBeDefined();
  expect(await createFirstAdmin(platform, 'third')).toBeUndefined();
  // A first admin without passwords can get another link; the earlier link ends.
  const link = await createFirstAdmin(platform, 'boss');
  const passwords = { password: 'Quiet harbour 7', payPassword: 'Loud harbour 8' };
  const set = (token: string) => setPasswords(platform, { token, ...passwords }, { ip: '192.0.2.7' });
  expect(await set(before!)).toMatchObject({ code: 'notFound' });
  expect(await set(link!)).toEqual({ account: 'boss' });
  await expect(createFirstAdmin(platform, 'boss')).resolves.toBeUndefined();
  await other.close();
});
