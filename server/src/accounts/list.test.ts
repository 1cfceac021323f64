import {
  getResourceDetailInfo,
  getResourceList,
  getResourceStaticInfo,
} from '@sangam/contract/endpoints/party.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE } from '../platform/clock.ts';
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
  expect((await list(staff())).total).toBe(9);
  const own = await list(supplierOf(north));
  expect(own.total).toBe(6);
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

test('the search does not spell out what is masked', async () => {
  const { accountNumber } = (await list(supplierOf(south), { bank: 'UTIB' })).list[0]!;
  const found = async (account: string) => (await list(staff(), { account })).total;
  expect(await found(accountNumber)).toBe(2);
  expect(await found(accountNumber.slice(-4))).toBe(2);
  expect(await found(accountNumber.slice(-6))).toBe(0);
  expect(await found(accountNumber.slice(0, 4))).toBe(0);
});

test('shows what waits and what counts today', async () => {
  const rows = (await list(staff(), { bank: 'HDFC' })).list;
  expect(rows).toHaveLength(2);
  for (const row of rows) {
    expect(row).toMatchObject({
      processingOrderCount: 2,
      processingOrderAmount: 700_00,
      todayCount: 3,
      todayAmount: 900_00,
    });
  }
});

test('pages split the products of one account without losing a row', async () => {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof list>> = await list(staff(), { pageSize: 5, cursor });
    seen.push(...page.list.map((row) => `${row.id}/${row.productId}`));
    cursor = page.nextCursor;
  } while (cursor);
  const byIndex = await Promise.all([1, 2].map((pageIndex) => list(staff(), { pageSize: 5, pageIndex })));
  expect(byIndex.flatMap((page) => page.list).map((row) => `${row.id}/${row.productId}`)).toEqual(seen);
  expect(new Set(seen).size).toBe(9);
});

test('a monitor counts as online for MonitorLiveTime', async () => {
  const online = async (value: string) => (await list(staff(), { online: value })).total;
  expect([await online('true'), await online('false')]).toEqual([8, 1]);
  node.clock.advance(2 * MINUTE);
  expect([await online('true'), await online('false')]).toEqual([0, 9]);
  node.clock.advance(-2 * MINUTE);
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
