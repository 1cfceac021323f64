import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Role } from '@sangam/contract/roles.ts';
import { sql } from '../platform/db/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { brokenChecks } from './books.ts';
import { makeShop, type Shop } from './payments.ts';
import { createTestPlatform, type TestPlatform } from './platform.ts';
import { shopCalls } from './shop-calls.ts';
import { makeUser, viewerOf } from './world.ts';

/** What the tests of a file share, and the shop of the running test. Read its fields within a test or a hook. A test may take another shop. */
export interface EachShop {
  world: TestPlatform;
  shop: Shop;
  calls: ReturnType<typeof shopCalls>;
  /** A superAdmin. */
  boss: Viewer;
  /** Customer service. */
  desk: Viewer;
  admin: Viewer;
}

/**
 * The hooks of a test file about payments to one account. All tests share one platform, whose books must be right at the end. Each test
 * gets its own shop, and only that shop's account is open.
 */
export function eachShop(): EachShop {
  // The hooks fill it before anybody reads it.
  const here = {} as EachShop;
  beforeAll(async () => {
    here.world = await createTestPlatform();
    const { platform } = here.world;
    here.calls = shopCalls(here.world, () => here.shop);
    const person = async (role: Role) =>
      viewerOf(platform, { role, userId: (await makeUser(platform, { role })).id });
    here.boss = await person('superAdmin');
    here.desk = await person('customerService');
    here.admin = await person('admin');
  });
  afterAll(async () => {
    expect(await brokenChecks(here.world.platform)).toEqual([]);
    await here.world.close();
  });
  beforeEach(async () => {
    await here.world.platform.db.query(sql`update resources set state = 1`);
    here.shop = await makeShop(here.world.platform);
  });
  return here;
}
