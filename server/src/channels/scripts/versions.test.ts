import {
  checkPayScript,
  createPayScript,
  getPayScript,
  getPayScriptCall,
  getPayScriptCallList,
  getPayScriptList,
  releasePayScript,
  savePayScript,
  tryPayScript,
} from '@sangam/contract/endpoints/pay-script.ts';
import { decide, getMine } from '@sangam/contract/endpoints/todo.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '../../platform/clock.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { makeScripters } from '../../testing/pay-script.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { sweepCalls } from './sweep-calls.ts';

let world: TestPlatform;
let [author, checker]: Viewer[] = [];
const origins = ['https://kosh.test'];
const code = (state: string) =>
  `async function query(order, config) {
  const answer = await fetch('https://kosh.test/q', { form: { key: config.keySecret } });
  console.log('asked', order.orderCode);
  return { state: answer.json().state ?? '${state}' };
}`;

beforeAll(async () => {
  world = await createTestPlatform();
  [author, checker] = (await makeScripters(world.platform)) as [Viewer, Viewer];
});
afterAll(() => world.close());

const tryQuery = (id: string, version: number, more: object = {}) =>
  ask(world.platform, author!, tryPayScript, {
    id,
    version,
    function: 'query',
    input: '{"orderCode":"7"}',
    config: '{"keySecret":"made-up"}',
    answers: [{ status: 200, body: '{}' }],
    ...more,
  });
const releaseOf = (by: Viewer, id: string, version: number) =>
  askRefused(world.platform, by, releasePayScript, { id, version, reason: 'because' });

test('a version goes live after a try and with a second person; an older version comes back the same way', async () => {
  const { platform } = world;
  const { id } = await ask(platform, author!, createPayScript, {
    name: 'Kosh',
    code: code('pending'),
    origins,
  });
  expect(await releaseOf(author!, id, 1)).toMatchObject({ code: 'conflict', data: { reason: 'untried' } });
  expect(await tryQuery(id, 1)).toMatchObject({
    output: { state: 'pending' },
    problem: null,
    logs: ['asked 7'],
  });

  const go = async (version: number) => {
    const { data } = await releaseOf(author!, id, version);
    const { todoId } = data as { todoId: string };
    expect((await ask(platform, author!, getPayScript, { id })).asked).toMatchObject({ version, todoId });
    expect((await askRefused(platform, author!, decide, { id: todoId, approve: true })).code).toBe(
      'forbidden',
    );
    expect((await ask(platform, checker!, getMine)).list).toMatchObject([
      { subjectName: 'Kosh', payload: { version } },
    ]);
    await ask(platform, checker!, decide, { id: todoId, approve: true });
    expect((await ask(platform, author!, getPayScript, { id })).liveVersion).toBe(version);
  };
  await go(1);
  expect(await ask(platform, author!, savePayScript, { id, code: code('unknown'), origins })).toEqual({
    version: 2,
  });
  expect((await releaseOf(author!, id, 2)).data).toEqual({ reason: 'untried' });
  await tryQuery(id, 2);
  await go(2);
  await go(1);
  const { versions } = await ask(platform, author!, getPayScript, { id });
  expect(versions.map(({ version, code: text }) => [version, text])).toEqual([
    [2, code('unknown')],
    [1, code('pending')],
  ]);
  expect((await ask(platform, author!, getPayScriptList)).list).toMatchObject([
    { name: 'Kosh', liveVersion: 1, newestVersion: 2, callsToday: 0 },
  ]);
});

test('a try sends nothing: answers come from the request, and only for hosts on the list', async () => {
  const { id } = await ask(world.platform, author!, createPayScript, {
    name: 'Dry',
    code: code('x'),
    origins,
  });
  expect((await tryQuery(id, 1, { answers: [] })).problem?.message).toMatch(/no answer/);
  const { id: other } = await ask(world.platform, author!, createPayScript, {
    name: 'Other',
    code: code('x'),
    origins: [],
  });
  expect((await tryQuery(other, 1)).problem?.message).toMatch(/not on the script's list/);
  expect((await releaseOf(author!, other, 1)).data).toEqual({ reason: 'untried' });
});

test('a try whose answer has the wrong shape has failed', async () => {
  const { id } = await ask(world.platform, author!, createPayScript, {
    name: 'Shape',
    code: code('done'),
    origins,
  });
  expect((await tryQuery(id, 1)).problem).toMatchObject({
    kind: 'shape',
    message: expect.stringMatching(/state/) as string,
  });
  expect(
    (await tryQuery(id, 1, { answers: [{ status: 200, body: '{"state":"paid"}' }] })).problem?.kind,
  ).toBe('shape');
  expect(
    (
      await askRefused(world.platform, author!, tryPayScript, {
        id,
        version: 1,
        function: 'query',
        input: 'x',
      })
    ).code,
  ).toBe('invalidInput');
});

test('checking a script shows where it does not parse, or which functions it has', async () => {
  const check = (text: string) => ask(world.platform, author!, checkPayScript, { code: text });
  expect(await check('const a = 1;\nfunction query( {')).toMatchObject({
    problem: { kind: 'syntax', line: 2 },
    functions: [],
  });
  expect(await check(code('x'))).toEqual({ problem: null, functions: ['query'] });
  const spoiled = "Object.defineProperty(Object.prototype, 'toJSON', { value() {} }); fetch('x')";
  expect(await check(spoiled)).toMatchObject({ problem: { kind: 'shape' }, functions: [] });
});

test('a name belongs to one script, and an origin has no path', async () => {
  const draft = { name: 'Twice', code: '1', origins };
  await ask(world.platform, author!, createPayScript, draft);
  expect(await askRefused(world.platform, author!, createPayScript, draft)).toMatchObject({
    code: 'conflict',
  });
  for (const bad of ['ftp://x', 'https://x/path', 'https://a:b@x', 'x'])
    expect(() => createPayScript.input.parse({ ...draft, origins: [bad] })).toThrow();
});

test('records are found by script, function, order and outcome, and swept after a month', async () => {
  const { platform, clock } = world;
  const { id } = await ask(platform, author!, createPayScript, {
    name: 'Records',
    code: code('pending'),
    origins,
  });
  await tryQuery(id, 1);
  await tryQuery(id, 1, { answers: [] });
  const listed = async (filters: object) =>
    (await ask(platform, author!, getPayScriptCallList, { scriptId: id, ...filters })).list;
  expect(await listed({})).toHaveLength(2);
  const [failed] = await listed({ failed: 'true' });
  expect(failed).toMatchObject({ failure: 'thrown', isTry: true, function: 'query', fetches: 1 });
  expect(await listed({ isTry: 'false' })).toEqual([]);
  expect(await ask(platform, author!, getPayScriptCall, { id: failed!.id })).toMatchObject({
    input: { orderCode: '7' },
    output: null,
    problem: { kind: 'thrown', line: 2 },
    fetches: [{ method: 'POST', url: 'https://kosh.test/q', body: 'key=made-up', status: null }],
  });
  clock.advance(31 * DAY);
  await sweepCalls(platform);
  expect(await listed({ startTime: '2026-11-01 00:00:00' })).toEqual([]);
});
