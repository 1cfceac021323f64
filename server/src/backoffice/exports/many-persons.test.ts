import { exportList } from '@sangam/contract/endpoints/list.ts';
import { getList } from '@sangam/contract/endpoints/order.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../../app/approval-kinds.ts';
import { ROUTES } from '../../app/routes.ts';
import { decide } from '../../approvals/decide.ts';
import { DAY } from '../../platform/clock.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { sql } from '../../platform/db/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { createOne, makeShop, type Shop } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import { exportList as exportRows } from './export-list.ts';
import { beginExport } from './many-persons.ts';

const ORDERS = 12;

let node: TestPlatform;
let shop: Shop;
beforeAll(async () => {
  node = await createTestPlatform();
  shop = await makeShop(node.platform);
  for (let n = 0; n < ORDERS; n += 1)
    await createOne(node.platform, shop.merchantId, { userName: 'Asha Rao' });
  await node.platform.settings.write('PersonalRowsPerDay', 20, null);
});
afterAll(() => node.close());

async function person(role: Role): Promise<Viewer> {
  const { id } = await makeUser(node.platform, { role });
  return viewerOf(node.platform, { role, userId: id, merchantId: shop.merchantId });
}

/** The number of rows in the file, or the refusal and the waiting request. */
async function rowsOf(viewer: Viewer, query: Readonly<Record<string, unknown>> = {}) {
  const caller = {
    ip: '127.0.0.1',
    userAgent: 'test',
    locale: 'en-US',
    isBrowser: false,
    setSessionCookie: () => undefined,
  };
  const input = exportList.input.parse({ list: getList.path, ...query });
  const answer = await exportRows(node.platform, viewer, ROUTES, input, caller as never);
  if (isRefusal(answer)) return { code: answer.code, ...(answer.data as { todoId?: string }) };
  const rows = await Array.fromAsync(answer.parts.rows);
  answer.parts.closed();
  return rows.length - 1;
}

const DATES = JSON.stringify([{ field: 'orderCode' }, { field: 'createTime' }]);

test('exports of many persons in a day need a second person, also in parts; then the same export may be made for a day', async () => {
  const admin = await person('admin');
  expect(await rowsOf(admin)).toBe(ORDERS);
  const waiting = await rowsOf(admin);
  expect(waiting).toMatchObject({ code: 'approvalNeeded' });
  expect(await rowsOf(admin)).toEqual(waiting);
  // Rows without personal data do not count.
  expect(await rowsOf(admin, { columns: DATES })).toBe(ORDERS);

  const { todoId } = waiting as { todoId: string };
  const decided = { id: BigInt(todoId), approve: true };
  expect(await decide(node.platform, APPROVAL_HANDLERS, admin, decided)).toMatchObject({
    code: 'forbidden',
  });
  expect(await decide(node.platform, APPROVAL_HANDLERS, await person('superAdmin'), decided)).toMatchObject({
    status: 'approved',
  });
  expect(await rowsOf(admin)).toBe(ORDERS);
  expect(await rowsOf(admin, { filters: JSON.stringify({ orderStatusId: 1 }) })).toMatchObject({
    code: 'approvalNeeded',
  });
  expect(await rowsOf(await person('admin'))).toBe(ORDERS);
  node.clock.advance(DAY);
  await rowsOf(admin);
  expect(await rowsOf(admin)).toMatchObject({ code: 'approvalNeeded' });
});

test('exports that begin at once, on two nodes, are counted one after the other', async () => {
  const admin = await person('admin');
  const other = node.anotherNode();
  const columns = [{ field: 'userName' }];
  const begun = await Promise.all(
    [0, 1, 2, 3, 4, 5].map((n) =>
      beginExport(n % 2 === 0 ? node.platform : other, admin, {
        list: getList.path,
        filters: { orderMark: n },
        columns,
        rows: ORDERS,
        isMore: false,
      }),
    ),
  );
  expect(begun.filter((refusal) => refusal === undefined)).toHaveLength(1);
});

test('who decides reads that there are more rows than were counted', async () => {
  const asked = await beginExport(node.platform, await person('admin'), {
    list: getList.path,
    filters: {},
    columns: [{ field: 'userName' }],
    rows: 10_001,
    isMore: true,
  });
  const [row] = await node.platform.db.query<{ payload: object }>(
    sql`select payload from approvals where id = ${(asked!.data as { todoId: string }).todoId}`,
  );
  expect(row!.payload).toMatchObject({ rows: 10_001, isMore: true });
});

test('rows whose personal data is masked for the viewer need no second person', async () => {
  await node.platform.settings.write('PersonalRowsPerDay', 0, null);
  expect(await rowsOf(await person('technicalMaintenance'))).toBe(ORDERS);
  expect(await rowsOf(await person('merchant'))).toBe(ORDERS);
  expect(await rowsOf(await person('customerService'))).toMatchObject({ code: 'approvalNeeded' });
});
