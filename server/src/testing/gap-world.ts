import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { readOrder } from '../collection/read.ts';
import type { PatchRequest } from '../evidence/chain-patches/apply.ts';
import { checkLeaks } from '../evidence/chain-patches/leak-check.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { heartbeat } from '../evidence/monitors/heartbeat.ts';
import { MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { brokenChecks } from './books.ts';
import { createOne, makeShop, newReference, type Shop, statedSms } from './payments.ts';
import { createTestPlatform, type TestPlatform } from './platform.ts';
import { makeUser, viewerOf } from './world.ts';

interface State {
  node: TestPlatform;
  shop: Shop;
  /** The balance of the shop's account at its bank. */
  balance: bigint;
  boss: bigint;
}

/**
 * For tests of gaps in a chain. Before each test it makes a shop whose account has reported six payments; after each test it resets the
 * settings and checks the books. Call it once, at the top of a test file.
 */
export function gapWorld() {
  const world = {} as State;
  beforeAll(async () => {
    world.node = await createTestPlatform();
    world.boss = (await makeUser(world.node.platform, { role: 'superAdmin' })).id;
  });
  beforeEach(async () => {
    await world.node.platform.db.query(sql`update resources set state = 1`);
    world.shop = await makeShop(world.node.platform);
    world.balance = 1_000_00n;
    await world.node.platform.db.query(sql`delete from inbox_messages`);
    await world.node.platform.db.query(sql`delete from chain_leak_checks`);
    // Gaps that the test before left open must not count in this test.
    await world.node.platform.db.query(sql`
      update chain_gaps set state = 'closed', closed_at = ${world.node.clock.now()} where state = 'open'`);
    for (let n = 0; n < 6; n += 1) await tell(100_00n);
  });
  afterEach(async () => {
    await world.node.platform.db.query(sql`delete from settings`);
    await world.node.platform.settings.refresh();
    expect(await brokenChecks(world.node.platform)).toEqual([]);
  });
  afterAll(() => world.node.close());

  const beat = async () => {
    world.node.clock.advance(MINUTE);
    await heartbeat(world.node.platform, world.shop.monitor, { scriptVersion: '1' });
  };

  /**
   * A minute later the account moves by `amount`. Its bank reports it, unless the message is lost. `isSilent`: the message has no balance.
   */
  async function tell(amount: bigint, { isLost = false, isSilent = false, reference = newReference() } = {}) {
    await beat();
    world.balance += amount;
    const stated = statedSms(world.node.platform, world.shop, { amount, balance: world.balance, reference });
    const message = isSilent ? { ...stated, text: stated.text.replace(/ Avl bal.*/, '') } : stated;
    if (isLost) return message;
    await receiveMessages(world.node.platform, world.shop.monitor, [message]);
    return message;
  }

  const gaps = () =>
    world.node.platform.db.query<{ id: bigint; delta: bigint; state: string }>(sql`
      select id, delta, state from chain_gaps where account_id = ${world.shop.accountId} order by id`);

  return Object.assign(world, {
    beat,
    tell,
    gaps,
    order: (amount: bigint) => createOne(world.node.platform, world.shop.merchantId, { amount }),
    viewer: () => viewerOf(world.node.platform, { role: 'superAdmin', userId: world.boss }),
    status: async ({ id }: { id: bigint }) => (await readOrder(world.node.platform.db, id))!.status,
    patches: () =>
      world.node.platform.db.query<{ id: bigint; kind: string; state: string; orderIds: string[] }>(sql`
        select id, kind, state, order_ids::text[] as "orderIds" from chain_patches where account_id = ${world.shop.accountId} order by id`),
    notices: async () => {
      const rows = await world.node.platform.db.query<{ kind: string }>(
        sql`select kind from inbox_messages where user_id = ${world.boss}`,
      );
      return rows.map(({ kind }) => kind);
    },
    /** Runs the leak check that is due each minute. */
    check: async (minutes = 1) => {
      world.node.clock.advance(minutes * MINUTE);
      await checkLeaks(world.node.platform);
    },
    openGap: async (): Promise<PatchRequest> => {
      const [gap] = (await gaps()).filter(({ state }) => state === 'open');
      return { gapId: gap!.id, kind: 'operator', reason: 'bank statement', evidence: null, orders: [] };
    },
  });
}
