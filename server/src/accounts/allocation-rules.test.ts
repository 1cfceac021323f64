import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lastAllocation } from '../collection/allocation-runs.ts';
import { createOrders } from '../collection/create.ts';
import { parseTime } from '@sangam/contract/time.ts';
import { getResourceList } from '@sangam/contract/endpoints/party.ts';
import { updateAccount } from '@sangam/contract/endpoints/account.ts';
import { sql } from '../platform/db/database.ts';
import { isRefusal } from '../platform/refusal.ts';
import { ask } from '../testing/ask.ts';
import { makeShop, newOrder, type Shop } from '../testing/payments.ts';
import { type TestPlatform, createTestPlatform } from '../testing/platform.ts';
import { makeMerchant, viewerOf } from '../testing/world.ts';

let node: TestPlatform;
let shop: Shop;
beforeAll(async () => {
  node = await createTestPlatform();
});
afterAll(() => node.close());
beforeEach(async () => {
  shop = await makeShop(node.platform);
});

const set = (fields: object) =>
  ask(node.platform, viewerOf(node.platform, { role: 'admin' }), updateAccount, {
    id: String(shop.accountId),
    ...fields,
  });
const limitMode = (value: 'off' | 'warn' | 'enforce') =>
  node.platform.settings.write('LimitMode', value, null);

/** The verdict of allocation on the shop's account. */
async function verdict(fields: Parameters<typeof newOrder>[1] = {}, merchantId = shop.merchantId) {
  const [order] = await createOrders(node.platform, [newOrder(merchantId, fields)]);
  if (!order || isRefusal(order)) throw new Error('refused');
  const run = await lastAllocation(node.platform.db, order.id);
  return run?.candidates.find((each) => each.accountId === String(shop.accountId))?.verdict;
}

/** Moves the clock to this time of the next day; the monitors have just been heard. */
async function at(clock: string): Promise<void> {
  const day = new Date(node.clock.now().getTime() + 24 * 3_600_000).toISOString().slice(0, 10);
  node.clock.set(parseTime(`${day} ${clock}:00`)!);
  await node.platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
}

describe('hours, on the clock of India', () => {
  test.each([
    ['09:00', '21:00', '08:59', 'outsideHours'],
    ['09:00', '21:00', '09:00', 'chosen'],
    ['09:00', '21:00', '20:59', 'chosen'],
    ['09:00', '21:00', '21:00', 'outsideHours'],
    // Over midnight.
    ['22:00', '06:00', '23:30', 'chosen'],
    ['22:00', '06:00', '00:10', 'chosen'],
    ['22:00', '06:00', '06:00', 'outsideHours'],
    ['22:00', '06:00', '12:00', 'outsideHours'],
  ])('%s–%s at %s: %s', async (from, to, clock, expected) => {
    await node.platform.db.query(sql`update resources set weight = 1 where account_id <> ${shop.accountId}`);
    await set({ hours: { from, to } });
    await at(clock);
    expect(await verdict()).toBe(expected);
    const { list } = await ask(node.platform, viewerOf(node.platform, { role: 'admin' }), getResourceList, {
      supplierId: String(shop.supplierId),
    });
    expect(list[0]).toMatchObject({ hours: { from, to }, outsideHours: expected === 'outsideHours' });
  });

  test('without hours, the account is always open', async () => {
    await node.platform.db.query(sql`update resources set weight = 1 where account_id <> ${shop.accountId}`);
    await set({ hours: { from: '09:00', to: '10:00' } });
    await at('12:00');
    expect(await verdict()).toBe('outsideHours');
    await set({ hours: null });
    expect(await verdict()).toBe('chosen');
  });
});

describe('whitelists', () => {
  test('an account with a list of merchants takes only their orders', async () => {
    await node.platform.db.query(sql`update resources set weight = 1 where account_id <> ${shop.accountId}`);
    const stranger = await makeMerchant(node.platform);
    await set({ merchantWhitelist: [String(shop.merchantId)] });
    expect(await verdict()).toBe('chosen');
    expect(await verdict({}, stranger.merchantId)).toBe('notWhitelisted');
  });

  test('an account with a list of payers takes only orders that name one, in any spelling', async () => {
    await node.platform.db.query(sql`update resources set weight = 1 where account_id <> ${shop.accountId}`);
    await set({ payerWhitelist: ['Asha  Rao', 'विमला देवी'] });
    expect(await verdict({ userName: ' ASHA RAO ' })).toBe('chosen');
    expect(await verdict({ userName: 'विमला देवी' })).toBe('chosen');
    expect(await verdict({ userName: 'Asha Raon' })).toBe('notWhitelisted');
    expect(await verdict({ userName: null })).toBe('notWhitelisted');
    await set({ payerWhitelist: null });
    expect(await verdict({ userName: null })).toBe('chosen');
  });
});

describe('LimitMode past a daily limit of the account', () => {
  beforeEach(async () => {
    await node.platform.db.query(sql`update resources set weight = 1 where account_id <> ${shop.accountId}`);
    await limitMode('enforce');
  });

  test.each([
    [{ dailyCountLimit: 1 }, 'dailyCountReached', 'chosenPastCount'],
    [{ dailyAmountLimit: 600_00 }, 'dailyAmountReached', 'chosenPastAmount'],
  ])('%o: enforce refuses, warn allots and says so, off is silent', async (limits, refused, warned) => {
    await set(limits);
    expect(await verdict()).toBe('chosen');
    expect(await verdict()).toBe(refused);
    await limitMode('warn');
    expect(await verdict()).toBe(warned);
    const { list } = await ask(node.platform, viewerOf(node.platform, { role: 'admin' }), getResourceList, {
      supplierId: String(shop.supplierId),
    });
    expect(list[0]?.limitReached).toBe(refused);
    await limitMode('off');
    expect(await verdict()).toBe('chosen');
  });
});
