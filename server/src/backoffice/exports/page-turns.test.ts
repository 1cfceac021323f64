import { setImmediate as turn } from 'node:timers/promises';
import { getList } from '@sangam/contract/endpoints/order.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../app/routes.ts';
import { TableFile } from '../../http/table-file.ts';
import type { Route, ViewerRoute } from '../../http/route.ts';
import { createTestUser } from '../../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { viewerOf } from '../../testing/world.ts';
import { exportList } from './export-list.ts';

const EXPORTS = 5;
const PAGES = 4;

let world: TestPlatform;
beforeAll(async () => {
  world = await createTestPlatform();
});
afterAll(() => world.close());

test('exports of a node read one page at a time, in turns, and leave the loop between them', async () => {
  const { platform } = world;
  const sizes = new Set<unknown>();
  const order: bigint[] = [];
  let atOnce = 0;
  let mostAtOnce = 0;
  // A list whose pages are ready at once, so that only the export itself lets others run.
  const handle: ViewerRoute['handle'] = async (_platform, viewer, input) => {
    const { cursor, pageSize } = input as unknown as { cursor?: string; pageSize: number };
    sizes.add(pageSize);
    order.push(viewer.userId);
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    await Promise.resolve();
    atOnce -= 1;
    const page = Number(cursor ?? 0) + 1;
    return {
      list: [],
      total: 0,
      totalCapped: false,
      pageIndex: 1,
      pageSize,
      nextCursor: page === PAGES ? null : String(page),
    } as never;
  };
  const routes = ROUTES.map((route) =>
    route.endpoint === getList ? ({ ...route, handle } as Route) : route,
  );
  let turns = 0;
  let isOver = false;
  const others = (async () => {
    for (; !isOver; turns += 1) await turn();
  })();
  const users = await Promise.all(Array.from({ length: EXPORTS }, () => createTestUser(platform, 'admin')));
  const turnsBefore = turns;
  const read = async ({ id }: { id: bigint }) => {
    const viewer = viewerOf(platform, { role: 'admin', userId: id });
    const caller = {
      ip: '',
      userAgent: '',
      locale: viewer.locale,
      isBrowser: false,
      setSessionCookie: () => undefined,
    };
    const csv = await exportList(platform, viewer, routes, { list: getList.path, format: 'csv' }, caller);
    if (!(csv instanceof TableFile)) throw new Error('refused');
    await Array.fromAsync(csv.parts.rows);
    csv.parts.closed();
  };
  await Promise.all(users.map(read));
  isOver = true;
  await others;

  expect(mostAtOnce).toBe(1);
  expect(order).toHaveLength(EXPORTS * PAGES);
  expect([...sizes]).toEqual([200]);
  expect(turns - turnsBefore).toBeGreaterThanOrEqual(EXPORTS * PAGES);
  // No export gets its second page before all exports got their first.
  expect(new Set(order.slice(0, EXPORTS)).size).toBe(EXPORTS);
});
