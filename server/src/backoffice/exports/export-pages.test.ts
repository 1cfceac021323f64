import { exportList } from '@sangam/contract/endpoints/list.ts';
import { getList } from '@sangam/contract/endpoints/order.ts';
import { formatMinor } from '@sangam/contract/money.ts';
import { expect, test } from 'vitest';
import { sql } from '../../platform/db/database.ts';
import { createTestUser, signedIn } from '../../testing/people.ts';
import { createTestPlatform } from '../../testing/platform.ts';
import { makeShop } from '../../testing/payments.ts';

/** Many pages of an export. A browser test exports a hundred thousand rows. */
const MATCHING = 20_000;

test('an export of many pages is what the query finds, row by row', { timeout: 60_000 }, async () => {
  const world = await createTestPlatform();
  const { platform } = world;
  const app = await world.app();
  const shop = await makeShop(platform);
  const staff = await createTestUser(platform, 'admin');
  // Every sixth order is another merchant's. The rows are inserted directly, because this test is about reading them.
  const first = platform.ids.next() - 10_000_000n;
  await platform.db.query(sql`
    insert into collection_orders (id, merchant_id, mch_order_no, product_id, currency, amount, status, identify_code,
      notify_url, merchant_rate_ppm, merchant_fixed_fee, created_at)
    select ${first}::bigint + n, ${shop.merchantId}, 'L' || n, 1010, 'INR', 100000 + n * 7, case when n % 6 = 0 then 5 else 2 end,
      'C' || n, 'http://127.0.0.1:9/', 0, 0, ${platform.clock.now()}
    from generate_series(1, ${(MATCHING * 6) / 5}::int) n`);
  await world.owner.query(sql`analyze collection_orders`);

  const { token } = await signedIn(platform, staff);
  const answer = await app.inject({
    method: 'GET',
    url: exportList.path,
    headers: { token, 'accept-language': 'en' },
    query: {
      list: getList.path,
      filters: JSON.stringify({ orderStatusId: '2' }),
      columns: JSON.stringify([{ field: 'orderCode' }, { field: 'amount' }, { field: 'mchOrderNo' }]),
    },
  });
  expect(answer.statusCode).toBe(200);
  const wanted = await platform.db.query<{ id: bigint; amount: bigint; mch_order_no: string }>(
    sql`select id, amount, mch_order_no from collection_orders where status = 2 order by id desc`,
  );
  expect(wanted).toHaveLength(MATCHING);
  const [, ...lines] = answer.body.trimEnd().split('\r\n');
  const wrong = wanted.findIndex(
    ({ id, amount, mch_order_no: number }, at) =>
      !lines[at]?.startsWith(`"=""${id}""",${formatMinor(amount, 'INR')},${number},`),
  );
  expect([lines.length, wrong, lines[wrong]]).toEqual([MATCHING, -1, undefined]);
  await world.close();
});
