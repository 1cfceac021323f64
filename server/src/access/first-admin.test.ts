import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { createFirstAdmin } from './first-admin.ts';
import { passwordMatches } from './password.ts';
import { findUserByAccount } from './store.ts';

let world: TestPlatform;
beforeAll(async () => {
  world = await createTestPlatform();
});
afterAll(() => world.close());

test('of two first admins at once there is one, and its passwords are those shown', async () => {
  const { platform } = world;
  const made = await Promise.all(['boss', 'chief'].map((name) => createFirstAdmin(platform, name)));
  const users = await Promise.all(['boss', 'chief'].map((name) => findUserByAccount(platform.db, name)));
  expect(made.filter(Boolean)).toHaveLength(1);
  const first = made.findIndex(Boolean);
  expect(users[1 - first]).toBeUndefined();
  const user = users[first]!;
  expect(user.role).toBe('superAdmin');
  expect(await passwordMatches(made[first]!.password, user.passwordHash)).toBe(true);
  expect(await passwordMatches(made[first]!.payPassword, user.payPasswordHash)).toBe(true);
});
