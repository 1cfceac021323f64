import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { sql } from '../platform/db/database.ts';
import { brokenChecks } from './books.ts';
import { makeShop, type Shop } from './payments.ts';
import { createTestPlatform, type TestPlatform } from './platform.ts';

/**
 * The hooks of a test file about payments to one account. All tests share one platform, whose books must be right at the end. Each test
 * gets its own shop, and only that shop's account is open. `world` and `shop` receive what was made.
 */
export function eachShop(take: {
  readonly world: (made: TestPlatform) => void | Promise<void>;
  readonly shop: (made: Shop) => void | Promise<void>;
}): void {
  let world: TestPlatform;
  beforeAll(async () => {
    world = await createTestPlatform();
    await take.world(world);
  });
  afterAll(async () => {
    expect(await brokenChecks(world.platform)).toEqual([]);
    await world.close();
  });
  beforeEach(async () => {
    await world.platform.db.query(sql`update resources set state = 1`);
    await take.shop(await makeShop(world.platform));
  });
}
