import { getErrorList, saveErrorLogger } from '@sangam/contract/endpoints/error-log.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, MINUTE } from '../../platform/clock.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { sweepErrors } from './sweep-errors.ts';

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
});
afterAll(() => node.close());

async function someone(role: 'customerService' | 'superAdmin'): Promise<Viewer> {
  const { id, account } = await makeUser(node.platform, { role });
  return { ...viewerOf(node.platform, { role }), userId: id, account };
}

const failure = { type: 'script', code: 0, mes: 'x is not a function', url: '/order/list' };
const save = (viewer: Viewer, fields: object = {}) =>
  ask(node.platform, viewer, saveErrorLogger, { ...failure, ...fields });
const listOf = async (viewer: Viewer) => (await ask(node.platform, viewer, getErrorList)).list;

test('the same error counts up, also with other digits; another error is a new row', async () => {
  const viewer = await someone('customerService');
  await save(viewer, { mes: 'order 17 broke' });
  await save(viewer, { mes: 'order 23 broke', url: '/home?secret=1' });
  await save(viewer, { mes: 'another' });
  const rows = await listOf(viewer);
  expect(rows.map(({ mes, count }) => [mes, count])).toEqual([
    ['another', 1],
    ['order 17 broke', 2],
  ]);
  expect(rows[1]!.url).toBe('/home');
});

test('everybody sees their own errors, superAdmin sees all', async () => {
  const [one, two, top] = [
    await someone('customerService'),
    await someone('customerService'),
    await someone('superAdmin'),
  ];
  await save(one, { mes: 'of one' });
  expect((await listOf(two)).map(({ mes }) => mes)).toEqual([]);
  expect((await listOf(top)).map(({ mes, account }) => [mes, account])).toContainEqual([
    'of one',
    one.account,
  ]);
});

test('tokens, card numbers, phones and VPAs are not kept', async () => {
  const viewer = await someone('customerService');
  const token = 'kJ8hQ2mZp4xW7vR1tY6uB3nC9sD5fG0aEiOlKqXzVwM';
  await save(viewer, { mes: `bad ${token} 4111111111111111 ravi@okaxis 9876543210`, stack: `at ${token}` });
  const [row] = await listOf(viewer);
  expect(row!.mes).toBe('bad *** ***1111 r***@okaxis *******210');
  expect(row!.stack).toBe('at ***');
});

test('a console that fails in a loop is asked to stop, and may go on a minute later', async () => {
  const viewer = await someone('customerService');
  for (let n = 0; n < 30; n += 1) await save(viewer);
  expect((await askRefused(node.platform, viewer, saveErrorLogger, failure)).code).toBe('tooMany');
  node.clock.advance(MINUTE);
  await save(viewer);
  expect((await listOf(viewer))[0]!.count).toBe(31);
});

test('an error is deleted after a month', async () => {
  const viewer = await someone('customerService');
  await save(viewer);
  node.clock.advance(29 * DAY);
  await sweepErrors(node.platform);
  expect(await listOf(viewer)).toHaveLength(1);
  node.clock.advance(2 * DAY);
  await sweepErrors(node.platform);
  expect((await ask(node.platform, viewer, getErrorList, { startTime: '2026-01-01 00:00:00' })).list).toEqual(
    [],
  );
});
