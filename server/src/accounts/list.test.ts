import {
  getResourceDetailInfo,
  getResourceList,
  getResourceStaticInfo,
} from '@sangam/contract/endpoints/party.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeAccount, makeMonitor, makeSupplier, viewerOf } from '../testing/world.ts';
import type { Viewer } from '../platform/viewer.ts';
import { changeLoad } from './load.ts';

let node: TestPlatform;
let north: { supplierId: bigint; accountIds: bigint[] };
let south: { supplierId: bigint; accountIds: bigint[] };
const staff = () => viewerOf(node.platform, { role: 'admin' });
const supplierOf = (side: { supplierId: bigint }) =>
  viewerOf(node.platform, { role: 'supplier', supplierId: side.supplierId });

beforeAll(async () => {
  node = await createTestPlatform();
  const { platform } = node;
  const open = async (banks: string[]) => {
    const { supplierId } = await makeSupplier(platform);
    const { monitorId } = await makeMonitor(platform, { supplierId });
    const accountIds: bigint[] = [];
    for (const bank of banks)
      accountIds.push((await makeAccount(platform, { supplierId, monitorId, bank })).accountId);
    return { supplierId, accountIds };
  };
  north = await open(['HDFC', 'ICIC', 'SBIN']);
  south = await open(['UTIB']);
  await makeAccount(platform, {
    supplierId: south.supplierId,
    monitorId: null,
    bank: 'KKBK',
    vpa: null,
    state: 1,
    products: [1012],
  });
  await platform.db.tx(async (tx) =>
    changeLoad(
      tx,
      [
        {
          accountId: north.accountIds[0]!,
          day: businessDay(node.clock.now()),
          waiting: 2,
          waitingAmount: 700_00n,
          counted: 3,
          countedAmount: 900_00n,
        },
      ],
      node.clock.now(),
    ),
  );
});
afterAll(() => node.close());

const list = (viewer: Viewer, query: Record<string, unknown> = {}) =>
  ask(node.platform, viewer, getResourceList, query);

test('a supplier sees its own accounts, staff all, a merchant none', async () => {
  expect((await list(staff())).total).toBe(5);
  const own = await list(supplierOf(north));
  expect(own.total).toBe(3);
  expect(new Set(own.list.map((row) => row.supplierId))).toEqual(new Set([String(north.supplierId)]));
  expect((await list(supplierOf(north), { supplierId: String(south.supplierId) })).list).toEqual([]);
  expect((await list(viewerOf(node.platform, { role: 'merchant', merchantId: 1n }))).list).toEqual([]);
});

test('account number and VPA are whole for their owner and masked for everybody else', async () => {
  const query = { bank: 'utib', productId: 1010 };
  const [own] = (await list(supplierOf(south), query)).list;
  expect(own?.accountNumber).toMatch(/^\d{14}$/);
  expect(own?.vpa).toMatch(/^payee\d+@utibbank$/);
  for (const role of ['superAdmin', 'admin', 'customerService', 'technicalMaintenance'] as const) {
    const [row] = (await list(viewerOf(node.platform, { role }), query)).list;
    expect(row?.accountNumber).toBe(`**** ${own!.accountNumber.slice(-4)}`);
    expect(row?.vpa).toBe('p***@utibbank');
    expect(row?.mayToggle).toBe(role !== 'technicalMaintenance');
  }
});

test('the search does not reveal what is masked', async () => {
  const { accountNumber } = (await list(supplierOf(south), { bank: 'UTIB' })).list[0]!;
  const found = async (account: string) => (await list(staff(), { account })).total;
  expect(await found(accountNumber)).toBe(1);
  expect(await found(accountNumber.slice(-4))).toBe(1);
  expect(await found(accountNumber.slice(-6))).toBe(0);
  expect(await found(accountNumber.slice(0, 4))).toBe(0);
});

test('the list shows waiting orders and what counts today', async () => {
  expect((await list(staff(), { bank: 'HDFC' })).list).toMatchObject([
    { processingOrderCount: 2, processingOrderAmount: 700_00, todayCount: 3, todayAmount: 900_00 },
  ]);
});

describe('an account with three products', () => {
  const MANY = [1010, 1012, 1021];
  let manyId: string;
  beforeAll(async () => {
    const { supplierId } = await makeSupplier(node.platform);
    const { accountId } = await makeAccount(node.platform, {
      supplierId,
      monitorId: null,
      bank: 'YESB',
      products: MANY,
    });
    await node.platform.db.query(sql`
      update resources set state = 1, weight = 7, max_amount = 50000 where account_id = ${accountId} and product_id = 1012`);
    manyId = String(accountId);
  });
  afterAll(async () => {
    await node.platform.db.query(sql`delete from resources where account_id = ${BigInt(manyId)}`);
    await node.platform.db.query(sql`delete from account_load where account_id = ${BigInt(manyId)}`);
    await node.platform.db.query(sql`delete from accounts where id = ${BigInt(manyId)}`);
  });
  const found = async (query: object) =>
    (await list(staff(), { bank: 'YESB', ...query })).list.map((row) => [
      row.id,
      row.products.map(({ productId }) => productId),
    ]);

  test('is one row that shows the values of each product', async () => {
    const { list: rows, total } = await list(staff(), { bank: 'YESB' });
    expect(total).toBe(1);
    expect(rows).toHaveLength(1);
    expect(rows[0]!.products).toMatchObject([
      { productId: 1010, state: 0, weight: 100 },
      { productId: 1012, state: 1, weight: 7, minAmount: 1_00, maxAmount: 500_00 },
      { productId: 1021, state: 0, weight: 100 },
    ]);
  });

  test('is found once by each of its products, and all of them are shown', async () => {
    for (const productId of MANY) expect(await found({ productId })).toEqual([[manyId, MANY]]);
    expect(await found({ productId: 1045 })).toEqual([]);
  });

  test('is found by the state of any product, or of the one asked for', async () => {
    expect(await found({ state: 0 })).toEqual([[manyId, MANY]]);
    expect(await found({ state: 1 })).toEqual([[manyId, MANY]]);
    expect(await found({ state: 1, productId: 1012 })).toEqual([[manyId, MANY]]);
    expect(await found({ state: 1, productId: 1010 })).toEqual([]);
  });
});

test('pages count accounts, and lose none', async () => {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof list>> = await list(staff(), { pageSize: 2, cursor });
    expect(page.total).toBe(5);
    seen.push(...page.list.map((row) => row.id));
    cursor = page.nextCursor;
  } while (cursor);
  const byIndex = await Promise.all([1, 2, 3].map((pageIndex) => list(staff(), { pageSize: 2, pageIndex })));
  expect(byIndex.flatMap((page) => page.list).map((row) => row.id)).toEqual(seen);
  expect(new Set(seen).size).toBe(5);
  expect(seen).toEqual(seen.toSorted((a, b) => Number(b) - Number(a)));
});

test('a monitor counts as online for MonitorLiveTime', async () => {
  const countsOn = async (platform: Platform) => {
    const count = async (online: string) => (await ask(platform, staff(), getResourceList, { online })).total;
    return [await count('true'), await count('false')];
  };
  expect(await countsOn(node.platform)).toEqual([4, 1]);
  expect(await countsOn(node.anotherNode(2 * MINUTE))).toEqual([0, 5]);
});

test('counts accounts, not their products', async () => {
  const counts = (viewer: Viewer, query = {}) => ask(node.platform, viewer, getResourceStaticInfo, query);
  expect(await counts(staff())).toEqual({
    total: 5,
    enabled: 4,
    online: 4,
    processingOrderCount: 2,
    processingOrderAmount: 700_00,
  });
  expect(await counts(staff(), { productId: 1010 })).toMatchObject({ total: 4 });
  expect(await counts(supplierOf(south))).toEqual({
    total: 2,
    enabled: 1,
    online: 1,
    processingOrderCount: 0,
    processingOrderAmount: 0,
  });
  expect(await counts(supplierOf(south), { supplierId: String(north.supplierId) })).toMatchObject({
    total: 0,
  });
});

test('one account comes with its QR: the UPI link, or number and IFSC where there is no VPA', async () => {
  const resourceId = String(south.accountIds[0]);
  const detail = await ask(node.platform, supplierOf(south), getResourceDetailInfo, {
    resourceId,
    productId: 1010,
  });
  expect(detail.link).toMatch(/^upi:\/\/pay\?pa=payee\d+@utibbank&pn=Owner%20\d+&cu=INR$/);
  expect(detail.qrCode).toMatch(/^data:image\/png;base64,/);
  expect(detail.masked).toBe(false);
  const staffDetail = await ask(node.platform, staff(), getResourceDetailInfo, {
    resourceId,
    productId: 1010,
  });
  expect(staffDetail).toMatchObject({ masked: true, link: expect.stringContaining('pa=p***@utibbank&') });
  expect(staffDetail.qrCode).not.toBe(detail.qrCode);
  const [withoutVpa] = (await list(staff(), { bank: 'KKBK' })).list;
  const plain = await ask(node.platform, staff(), getResourceDetailInfo, {
    resourceId: withoutVpa!.id,
    productId: 1012,
  });
  expect(plain).toMatchObject({ link: null, jumpLink: null, state: 1 });
  expect(plain.qrCode).toMatch(/^data:image\/png;base64,/);
});

test("another's account, or one not bound to the product, is not found", async () => {
  const resourceId = String(south.accountIds[0]);
  const refused = (viewer: Viewer, query: object) =>
    askRefused(node.platform, viewer, getResourceDetailInfo, { ...query });
  expect((await refused(supplierOf(north), { resourceId, productId: 1010 })).code).toBe('notFound');
  expect((await refused(staff(), { resourceId, productId: 1045 })).code).toBe('notFound');
  expect((await refused(staff(), { resourceId, productId: 2 ** 40 })).code).toBe('notFound');
});
