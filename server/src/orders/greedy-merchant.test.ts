import { createOrder } from '@sangam/contract/endpoints/outside.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../platform/refusal.ts';
import { sql } from '../platform/db/database.ts';
import { makeShop, type Shop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { merchantApiRoutes } from './merchant-routes.ts';

/** Orders for four batches, and more than may wait. */
const MANY = 512;
const TOO_MANY = 2_300;

let node: TestPlatform;
let greedy: Shop;
let other: Shop;
beforeAll(async () => {
  node = await createTestPlatform();
  [greedy, other] = [await makeShop(node.platform), await makeShop(node.platform)];
});
afterAll(() => node.close());

const route = merchantApiRoutes.find(({ endpoint }) => endpoint === createOrder)!;
let made = 0;
async function create({ merchantId }: Shop): Promise<string> {
  made += 1;
  const input = createOrder.input.parse({
    mchId: String(merchantId),
    productId: '1010',
    mchOrderNo: `order-${made}`,
    amount: '50000',
    notifyUrl: 'https://shop.example/notify',
    sign: 'checked before',
  });
  const merchant = { id: merchantId, fields: {}, signType: 'md5', mayCancel: false } as const;
  const caller = {
    ip: '203.0.113.9',
    userAgent: 'test',
    locale: 'en-US',
    isBrowser: false,
    setSessionCookie: () => undefined,
  } as const;
  if (route.kind !== 'merchant') throw new Error('createOrder is a merchant route');
  const answer = await route.handle(node.platform, merchant, input as never, caller);
  return isRefusal(answer) ? answer.code : 'created';
}

test('a merchant with very many orders waits for its own orders only; another merchant is served next', async () => {
  let served = 0;
  const many = Array.from({ length: MANY }, () => create(greedy).finally(() => (served += 1)));
  await create(other);
  expect(served).toBeLessThan(MANY / 2);
  await Promise.all(many);
});

test('orders beyond those that may wait are answered 429 and are not made', async () => {
  const before = await orders();
  const answers = await Promise.all(Array.from({ length: TOO_MANY }, () => create(greedy)));
  const refused = answers.filter((answer) => answer === 'tooMany');
  expect(refused).toHaveLength(TOO_MANY - 2_000);
  expect((await orders()) - before).toBe(2_000);
});

async function orders(): Promise<number> {
  const [row] = await node.platform.db.query<{ count: number }>(
    sql`select count(*)::int as count from collection_orders`,
  );
  return row!.count;
}
