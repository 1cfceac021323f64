import { getList } from '@sangam/contract/endpoints/order.ts';
import { exportList } from '@sangam/contract/endpoints/list.ts';
import { init } from '@sangam/contract/endpoints/message.ts';
import { getFundRecordList, getMerchantList, getResourceList } from '@sangam/contract/endpoints/party.ts';
import { getUserProductList } from '@sangam/contract/endpoints/terms.ts';
import type { FastifyInstance } from 'fastify';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sql } from '../../platform/db/database.ts';
import { TableFile } from '../../http/table-file.ts';
import type { Route, ViewerRoute } from '../../http/route.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { ROUTES } from '../../app/routes.ts';
import { ask } from '../../testing/ask.ts';
import { createTestMerchant, createTestUser, signedIn, type TestUser } from '../../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeShop, type Shop } from '../../testing/payments.ts';
import { makeAccount, makeSupplier, viewerOf } from '../../testing/world.ts';
import { exportList as exportRows } from './export-list.ts';

const ORDERS = 2_340;
const DANGEROUS = '=HYPERLINK("http://x.example","pay")';

let world: TestPlatform;
let app: FastifyInstance;
let shop: Shop;
let staff: TestUser;

beforeAll(async () => {
  world = await createTestPlatform();
  app = await world.app();
  await app.listen({ host: '127.0.0.1', port: 0 });
  shop = await makeShop(world.platform);
  staff = await createTestUser(world.platform, 'admin');
  // The limit of rows with personal data has its own test (many-persons.test.ts).
  await world.platform.settings.write('PersonalRowsPerDay', 10_000, null);
  // Rows of the past, inserted directly, because this test is about reading them.
  const { platform } = world;
  const ids = Array.from({ length: ORDERS }, () => platform.ids.next());
  await platform.db.query(sql`
    insert into collection_orders (id, merchant_id, mch_order_no, product_id, currency, amount, status, identify_code,
      notify_url, merchant_rate_ppm, merchant_fixed_fee, user_name, created_at)
    select id, ${shop.merchantId}, 'X' || id, 1010, 'INR', 100000 + n, case when n % 3 = 0 then 2 else 5 end, 'C' || n,
      'http://127.0.0.1:9/', 0, 0, case when n = 7 then ${DANGEROUS} else 'Asha Rao' end, ${platform.clock.now()}
    from unnest(${ids}::bigint[]) with ordinality as v (id, n)`);
});
afterAll(() => world.close());

interface Exported {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

async function exported(user: TestUser, query: Record<string, unknown>): Promise<Exported> {
  const { token } = await signedIn(world.platform, user);
  const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  const answer = await app.inject({
    method: 'GET',
    url: exportList.path,
    headers: { token, 'accept-language': 'en' },
    query: Object.fromEntries(Object.entries(query).map(([key, value]) => [key, asText(value)])),
  });
  const [header = [], ...rows] = parse(answer.body.replace(/^\uFEFF/, ''));
  return { status: answer.statusCode, headers: answer.headers, text: answer.body, header, rows };
}

/** An own reader of RFC 4180, so that it does not share a mistake with the writer. */
function parse(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const match of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n"]*))(,|\r\n|$)/g)) {
    rows.at(-1)!.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '\r\n') rows.push([]);
    if (match[3] === '') break;
  }
  return rows.filter((row) => row.length > 1);
}

test('every row that matches, over many pages, in the order of the list and none twice', async () => {
  const filters = { orderStatusId: '2', merchantId: String(shop.merchantId) };
  const columns = [
    { field: 'orderCode' },
    { field: 'orderStatusId', title: 'Status', words: { 2: 'Timed out' } },
  ];
  const { rows, header, headers } = await exported(staff, { list: getList.path, filters, columns });
  expect(header).toEqual(['orderCode', 'Status', 'systemFlag']);
  expect(headers['x-total-rows']).toBe(String(ORDERS / 3));
  expect(headers['content-disposition']).toMatch(/filename="main-order-\d{8}-\d{6}\.csv"/);
  const codes = rows.map(([code]) => code);
  const wanted = await world.platform.db.query<{ id: bigint }>(
    sql`select id from collection_orders where status = 2 order by id desc`,
  );
  // Numbers of eighteen digits are written as text, because a spreadsheet would round them.
  expect(codes).toEqual(wanted.map(({ id }) => `="${id}"`));
  expect(new Set(rows.map(([, status]) => status))).toEqual(new Set(['Timed out']));
});

test('more than a page keeps its order and ends where the list ends', async () => {
  const { rows } = await exported(staff, { list: getList.path, columns: [{ field: 'orderCode' }] });
  expect(rows).toHaveLength(ORDERS);
  expect(new Set(rows.map(([code]) => code)).size).toBe(ORDERS);
});

test('money in decimals beside its currency, times in ISO 8601, the flag of the site on each row', async () => {
  const filters = { amount: 1000.01 + 0.0001 };
  const columns = [{ field: 'amount', title: 'Amount' }, { field: 'createTime' }];
  const { header, rows } = await exported(staff, { list: getList.path, filters, columns });
  expect(header).toEqual(['Amount', 'createTime', 'currency', 'systemFlag']);
  expect(rows).toEqual([
    ['1000.01', expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:30$/), 'INR', 'main'],
  ]);
});

test('a bounded amount is money as well, and a field within a field has a column of its own', async () => {
  const terms = { ownerKind: 'merchant', ownerId: String(shop.merchantId), productId: 1010 };
  const limits = await exported(staff, {
    list: getUserProductList.path,
    filters: terms,
    columns: [{ field: 'maxAmount', title: 'Largest' }],
  });
  expect(limits.header).toEqual(['Largest', 'currency', 'systemFlag']);
  expect(limits.rows).toEqual([[expect.stringMatching(/^\d+\.\d\d$/), 'INR', 'main']]);

  const columns = [
    { field: 'health.todayPaid', title: 'Paid', words: { 0: 'none' } },
    { field: 'health.none' },
  ];
  const accounts = await exported(staff, { list: getResourceList.path, columns });
  expect(accounts.header).toEqual(['Paid', 'systemFlag']);
  expect(accounts.rows[0]).toEqual(['none', 'main']);
});

test('an account with three products is one line, with each of them in its cells, whichever it is found by', async () => {
  const { supplierId } = await makeSupplier(world.platform);
  const products = [1010, 1012, 1021];
  await makeAccount(world.platform, { supplierId, monitorId: null, bank: 'YESB', products });
  await world.platform.db.query(sql`
    update resources r set state = 1, max_amount = 50000 from accounts a
    where a.id = r.account_id and a.supplier_id = ${supplierId} and r.product_id = 1012`);
  const columns = [
    { field: 'bank' },
    { field: 'products.productName' },
    { field: 'products.state', words: { 0: 'Open', 1: 'Closed' } },
    { field: 'products.maxAmount' },
    { field: 'products.none' },
  ];
  for (const productId of [undefined, ...products]) {
    const filters = { supplierId: String(supplierId), ...(productId && { productId }) };
    const { header, rows } = await exported(staff, { list: getResourceList.path, filters, columns });
    expect(header.slice(1)).toEqual([
      'products.productName',
      'products.state',
      'products.maxAmount',
      'currency',
      'systemFlag',
    ]);
    expect(rows).toEqual([
      [
        'YESB',
        'UPI; Bank transfer; PhonePe',
        'Open; Closed; Open',
        '1000000.00; 500.00; 1000000.00',
        'INR',
        'main',
      ],
    ]);
  }
});

test('a formula is written as text', async () => {
  const columns = [{ field: 'userName', title: '@title' }];
  const { header, rows } = await exported(staff, {
    list: getList.path,
    filters: { userName: 'HYPERLINK' },
    columns,
  });
  expect(header[0]).toBe("'@title");
  expect(rows).toEqual([[`'${DANGEROUS}`, 'main']]);
});

test('the flag of the site is text as well', async () => {
  const flag = '=1+"1"';
  const { settings } = world.platform;
  vi.spyOn(settings, 'all').mockResolvedValue({ ...(await settings.all()), SysFlag: flag });
  const filters = { userName: 'HYPERLINK' };
  const { rows, text } = await exported(staff, {
    list: getList.path,
    filters,
    columns: [{ field: 'userName' }],
  });
  expect(rows).toEqual([[`'${DANGEROUS}`, `'${flag}`]]);
  expect(text).toContain(`,"'=1+""1"""`);
});

test('a merchant gets its own rows, masked as its list is, and no field it may not see', async () => {
  const owner = { id: shop.merchantId, user: await ownerOf(shop.merchantId) };
  const stranger = await createTestMerchant(world.platform);
  const columns = [{ field: 'userName' }, { field: 'supplierName' }, { field: 'noSuchField' }];
  const own = await exported(owner.user, { list: getList.path, columns });
  expect(own.header).toEqual(['userName', 'supplierName', 'systemFlag']);
  expect(own.rows).toHaveLength(ORDERS);
  expect(own.rows.at(-1)!.slice(0, 2)).toEqual(['A*** R***', '']);
  expect((await exported(stranger.user, { list: getList.path, columns })).rows).toEqual([]);
  const refused = await exported(owner.user, { list: getMerchantList.path });
  expect(refused.status).toBe(403);
});

async function ownerOf(merchantId: bigint): Promise<TestUser> {
  const [row] = await world.platform.db.query<{ id: bigint; account: string }>(sql`
    select u.id, u.account from users u join merchants m on m.user_id = u.id where m.id = ${merchantId}`);
  return { ...row!, role: 'merchant', googleSecret: '' };
}

test('any list can be exported; other calls, and filters that the list refuses, are refused', async () => {
  const merchants = await exported(staff, { list: getMerchantList.path });
  const { list } = await ask(world.platform, viewerOf(world.platform, { role: 'admin' }), getMerchantList);
  expect(merchants.rows).toHaveLength(list.length);
  expect(merchants.header).toContain('balances');
  expect((await exported(staff, { list: getFundRecordList.path })).status).toBe(200);
  expect((await exported(staff, { list: '/v1.0/order/getDetail' })).status).toBe(404);
  expect((await exported(staff, { list: getList.path, filters: { startTime: 'soon' } })).status).toBe(400);
  expect((await exported(staff, { list: getList.path, filters: '{' })).status).toBe(400);
});

test('who exported what, and whether it was whole, is on record', async () => {
  await exported(staff, { list: getList.path, filters: { orderMark: 2 }, columns: [{ field: 'utr' }] });
  const audited = await world.platform.db.query<{ action: string; after: object }>(sql`
    select action, after from audit_log where subject = ${`list:${getList.path}`} order by id desc limit 2`);
  expect(audited).toEqual([
    { action: 'list.exported', after: { rows: 0, complete: true } },
    { action: 'list.export', after: { filters: { orderMark: 2 }, columns: ['utr'], personalRows: 0 } },
  ]);
});

test('a long export ends in the message centre, a short one does not', async () => {
  const reader = await createTestUser(world.platform, 'admin');
  const viewer = viewerOf(world.platform, { role: 'admin', userId: reader.id });
  const titles = async () => (await ask(world.platform, viewer, init)).unread.map(({ title }) => title);
  await exported(reader, { list: getList.path, filters: { orderStatusId: '2' } });
  expect(await titles()).toEqual([]);
  await exported(reader, { list: getList.path });
  expect(await titles()).toEqual([
    expect.stringMatching(/^Finished: main-order-\d{8}-\d{6}\.csv\. Done: 2340, refused: 0$/),
  ]);
});

test('an export that breaks off says so', async () => {
  const reader = await createTestUser(world.platform, 'admin');
  const viewer = viewerOf(world.platform, { role: 'admin', userId: reader.id });
  const breaking = ROUTES.map((route) =>
    route.endpoint === getList
      ? ({
          ...route,
          handle: (...[platform, who, input, caller]: Parameters<ViewerRoute['handle']>) =>
            (input as { cursor?: string }).cursor === undefined
              ? (route as ViewerRoute).handle(platform, who, input, caller)
              : Promise.reject(new Error('the database is gone')),
        } as Route)
      : route,
  );
  const caller = {
    ip: '',
    userAgent: '',
    locale: viewer.locale,
    isBrowser: false,
    setSessionCookie: () => undefined,
  };
  const csv = await exportRows(
    world.platform,
    viewer,
    breaking,
    { list: getList.path, format: 'csv' },
    caller,
  );
  if (!(csv instanceof TableFile)) throw new Error('refused');
  await expect(Array.fromAsync(csv.parts.rows)).rejects.toThrow('the database is gone');
  const { unread } = await ask(world.platform, viewer, init);
  expect(unread.map(({ title }) => title)).toEqual([expect.stringMatching(/^Failed: main-order-/)]);
});

test('a caller that hangs up ends the reading', async () => {
  const { token } = await signedIn(world.platform, staff);
  const { port } = app.server.address() as { port: number };
  const stop = new AbortController();
  const response = await fetch(
    `http://127.0.0.1:${port}${exportList.path}?list=${encodeURIComponent(getList.path)}`,
    { headers: { token }, signal: stop.signal },
  );
  await response.body!.getReader().read();
  stop.abort();
  await expect
    .poll(async () => {
      const [row] = await world.platform.db.query<{ after: object }>(sql`
        select after from audit_log where action = 'list.exported' order by id desc limit 1`);
      return row?.after;
    })
    .toMatchObject({ complete: false });
});

test('callers that hang up before the first row free their place', async () => {
  const { token } = await signedIn(world.platform, await createTestUser(world.platform, 'admin'));
  const url = `${exportList.path}?list=${encodeURIComponent(getList.path)}`;
  const { port } = app.server.address() as { port: number };
  // The first page waits for a lock, as it would for a wide filter on much data.
  const lock = await world.platform.db.pool.connect();
  await lock.query('begin; lock table collection_orders in access exclusive mode');
  for (let calls = 0; calls < 3; calls += 1) {
    const stop = new AbortController();
    const asked = fetch(`http://127.0.0.1:${port}${url}`, { headers: { token }, signal: stop.signal });
    await new Promise((resolve) => setTimeout(resolve, 150));
    stop.abort();
    await expect(asked).rejects.toThrow('aborted');
  }
  await lock.query('rollback');
  lock.release();
  await new Promise((resolve) => setTimeout(resolve, 500));
  const answer = await app.inject({ method: 'GET', url, headers: { token } });
  expect(answer.statusCode).toBe(200);
});

test('a user has two exports at a time, however many it asks for at once', async () => {
  const reader = await createTestUser(world.platform, 'admin');
  const viewer = viewerOf(world.platform, { role: 'admin', userId: reader.id });
  const caller = {
    ip: '',
    userAgent: '',
    locale: viewer.locale,
    isBrowser: false,
    setSessionCookie: () => undefined,
  };
  const askFour = async () => {
    const one = () =>
      exportRows(world.platform, viewer, ROUTES, { list: getList.path, format: 'csv' }, caller);
    const answers = await Promise.all([one(), one(), one(), one()]);
    return {
      begun: answers.filter((each) => each instanceof TableFile),
      refused: answers.filter((each) => isRefusal(each)).map(({ code }) => code),
    };
  };
  const { begun, refused } = await askFour();
  expect([begun.length, refused]).toEqual([2, ['tooMany', 'tooMany']]);
  begun[0]!.parts.closed();
  expect((await askFour()).begun).toHaveLength(1);
});

/** Path in a ZIP file → text, by the file's table of contents. */
function unzipped(file: Buffer): Map<string, string> {
  const end = file.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const files = new Map<string, string>();
  for (let at = file.readUInt32LE(end + 16), left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [packed, length, start] = [
      file.readUInt32LE(at + 20),
      file.readUInt16LE(at + 28),
      file.readUInt32LE(at + 42),
    ];
    const content = start + 30 + file.readUInt16LE(start + 26);
    files.set(
      file.toString('utf8', at + 46, at + 46 + length),
      inflateRawSync(file.subarray(content, content + packed)).toString(),
    );
    at += 46 + length;
  }
  return files;
}

test('a workbook has codes as texts, amounts as numbers, and every row', async () => {
  const { token } = await signedIn(world.platform, staff);
  const columns = JSON.stringify([{ field: 'orderCode', title: 'Code <&>' }, { field: 'amount' }]);
  const answer = await app.inject({
    method: 'GET',
    url: exportList.path,
    headers: { token },
    query: { list: getList.path, format: 'xlsx', columns, filters: JSON.stringify({ orderStatusId: '2' }) },
  });
  expect(answer.headers['content-disposition']).toMatch(/\.xlsx"$/);
  const files = unzipped(answer.rawPayload);
  expect([...files.keys()]).toEqual([
    'xl/worksheets/sheet1.xml',
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/workbook.xml',
    'xl/_rels/workbook.xml.rels',
  ]);
  const rows = files.get('xl/worksheets/sheet1.xml')!.match(/<row>.*?<\/row>/g)!;
  expect(rows).toHaveLength(ORDERS / 3 + 1);
  const text = (value: string) => `<c t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`;
  expect(rows[0]).toBe(
    `<row>${['Code &lt;&amp;&gt;', 'amount', 'currency', 'systemFlag'].map(text).join('')}</row>`,
  );
  expect(rows[1]).toMatch(
    /^<row><c t="inlineStr"><is><t xml:space="preserve">\d{18}<\/t><\/is><\/c><c><v>\d+\.\d\d<\/v>/,
  );
});
