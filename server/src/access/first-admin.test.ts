import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { createUser } from './create-user.ts';
import { createFirstAdmin } from './first-admin.ts';
import { passwordMatches } from './password.ts';
import { findUserByAccount } from './store.ts';

let world: TestPlatform;
beforeAll(async () => {
  world = await createTestPlatform();
});
afterAll(() => world.close());

test('of three first admins at once there are two, and their passwords are those shown', async () => {
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
    expect(await passwordMatches(shown.password, user.passwordHash)).toBe(true);
    expect(await passwordMatches(shown.payPassword, user.payPasswordHash)).toBe(true);
  }
});

test('whom a superAdmin made does not count as one of the two', async () => {
  const other = await createTestPlatform();
  const { platform } = other;
  await createFirstAdmin(platform, 'boss');
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
  await expect(createFirstAdmin(platform, 'boss')).resolves.toBeUndefined();
  await other.close();
});
