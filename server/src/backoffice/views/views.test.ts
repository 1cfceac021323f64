import {
  chooseForList,
  deleteListView,
  getListViews,
  saveListView,
} from '@sangam/contract/endpoints/list.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../platform/db/database.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { createTestSupplier, createTestUser } from '../../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { viewerOf } from '../../testing/world.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { VIEWS_PER_LIST } from './save-view.ts';

let node: TestPlatform;
let admin: Viewer;
let service: Viewer;
let supplier: Viewer;

beforeAll(async () => {
  node = await createTestPlatform();
  const { platform } = node;
  const as = async (role: 'admin' | 'customerService') => ({
    ...viewerOf(platform, { role }),
    userId: (await createTestUser(platform, role)).id,
  });
  admin = await as('admin');
  service = await as('customerService');
  const made = await createTestSupplier(platform);
  supplier = { ...viewerOf(platform, { role: 'supplier', supplierId: made.id }), userId: made.user.id };
});
afterAll(() => node.close());

const view = (name: string, fields: object = {}) => ({
  list: 'collectionOrders',
  name,
  filters: { orderStatusId: '2' },
  arrangement: { columns: ['orderCode', 'amount'], density: 'middle' },
  ...fields,
});
const viewsOf = async (viewer: Viewer, list = 'collectionOrders') =>
  (await ask(node.platform, viewer, getListViews, { list })).views;

test('a view is kept, renamed, shared with a role, seen by it, and gone for both when deleted', async () => {
  const { platform } = node;
  const { id } = await ask(platform, admin, saveListView, view('Timed out'));
  expect(await viewsOf(admin)).toMatchObject([
    { id, name: 'Timed out', mine: true, filters: { orderStatusId: '2' }, sharedRoles: [] },
  ]);
  expect(await viewsOf(service)).toEqual([]);

  await ask(platform, admin, saveListView, view('Late', { id, sharedRoles: ['customerService'] }));
  expect(await viewsOf(service)).toMatchObject([
    { id, name: 'Late', mine: false, arrangement: { columns: ['orderCode', 'amount'], density: 'middle' } },
  ]);
  expect(await viewsOf(supplier)).toEqual([]);
  expect(await viewsOf(service, 'payoutOrders')).toEqual([]);

  await ask(platform, service, chooseForList, {
    list: 'collectionOrders',
    arrangement: {},
    defaultViewId: id,
  });
  const chosen = async () => (await ask(platform, service, getListViews, {})).choices;
  expect(await chosen()).toEqual([{ list: 'collectionOrders', arrangement: {}, defaultViewId: id }]);
  await ask(platform, admin, deleteListView, { id });
  expect(await viewsOf(service)).toEqual([]);
  expect(await chosen()).toEqual([{ list: 'collectionOrders', arrangement: {}, defaultViewId: null }]);
});

test("another's view can be neither changed nor deleted nor chosen unseen", async () => {
  const { platform } = node;
  const { id } = await ask(platform, admin, saveListView, view('Mine', { sharedRoles: ['customerService'] }));
  expect(await askRefused(platform, service, saveListView, view('Yours', { id }))).toMatchObject({
    code: 'notFound',
  });
  expect(await askRefused(platform, service, deleteListView, { id })).toMatchObject({ code: 'notFound' });
  const wanted = { list: 'collectionOrders', arrangement: {}, defaultViewId: id };
  expect(await askRefused(platform, supplier, chooseForList, wanted)).toMatchObject({ code: 'notFound' });
});

test('parties keep views of their own and share none; staff share with staff', async () => {
  const { platform } = node;
  await ask(platform, supplier, saveListView, view('Own'));
  const shared = view('Told', { sharedRoles: ['supplier'] });
  for (const viewer of [supplier, admin])
    expect(await askRefused(platform, viewer, saveListView, shared)).toMatchObject({ code: 'invalidInput' });
});

test('a name once per list, whatever its case, and no more views than one can readAllocationPool', async () => {
  const { platform } = node;
  const save = (name: string, list: string) => ask(platform, service, saveListView, { ...view(name), list });
  await save('Today', 'payoutOrders');
  expect(
    await askRefused(platform, service, saveListView, { ...view('today'), list: 'payoutOrders' }),
  ).toMatchObject({ code: 'invalidInput', params: { fields: 'name' } });
  for (let made = 1; made < VIEWS_PER_LIST; made += 1) await save(`View ${made}`, 'payoutOrders');
  expect(
    await askRefused(platform, service, saveListView, { ...view('Too many'), list: 'payoutOrders' }),
  ).toMatchObject({ code: 'invalidInput' });
  await save('Today', 'collectionOrders');
});

test('how a list was arranged comes back, the last change counts, and a view leaves its trace', async () => {
  const { platform } = node;
  const choose = (density: string) =>
    ask(platform, supplier, chooseForList, { list: 'suppliers', arrangement: { density, pageSize: 100 } });
  await choose('middle');
  await choose('small');
  const { choices } = await ask(platform, supplier, getListViews, { list: 'suppliers' });
  expect(choices).toMatchObject([{ arrangement: { density: 'small', pageSize: 100 } }]);
  const actions = await platform.db.query<{ action: string }>(
    sql`select action from audit_log where user_id = ${admin.userId} order by id`,
  );
  expect(actions.map(({ action }) => action)).toContain('listView.delete');
});
