import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { beforeAll, expect, test, vi } from 'vitest';
import { MINUTE } from '../../../platform/clock.ts';
import { LIMITS } from './limits.ts';
import { runScript, type ScriptRun } from './sandbox.ts';
import type { FetchAnswer } from './wire.ts';

/** Runs a script that nobody would release. Whatever it does, its call ends with an error, and the next call is answered. */
const run = (
  body: string,
  fetch: () => Promise<FetchAnswer> = () => Promise.resolve({ error: 'none' }),
  wholeMs?: number,
  of = 'an account',
) =>
  runScript(
    { of, code: `async function query(order, config) { ${body} }`, call: 'query', args: [{}, {}], fetch },
    wholeMs,
  );

const threads: Worker[] = [];
process.on('worker', (thread) => threads.push(thread));

/** A call that waits for an answer until its time is over, while the other tests run. */
let waiting: Promise<ScriptRun>;
beforeAll(() => {
  waiting = run("return fetch('x')", () => new Promise(() => {}));
});

/** Checks that the process goes on: its own timers run while the script misbehaves. */
async function contained(body: string, wholeMs?: number): Promise<string | undefined> {
  let beats = 0;
  const heart = setInterval(() => (beats += 1), 20);
  const { error, durationMs } = await run(body, undefined, wholeMs);
  clearInterval(heart);
  if (durationMs > 500) expect(beats).toBeGreaterThan(5);
  expect((await run('return 1')).output).toBe(1);
  return error?.kind;
}

const DEEP = 'const f = () => JSON.stringify({ toJSON: () => f() }); return f()';

test.each([
  ['a loop', 'for (;;);'],
  ['jobs that make jobs', 'const f = () => void Promise.resolve().then(f); f(); return 1'],
  ['a pattern that backtracks', "return /(a+)+$/.test('a'.repeat(64) + 'b')"],
  ['an error whose message never ends', 'throw { get message() { for (;;); } }'],
])(
  '%s is stopped when its processor time is used up',
  async (_, body) => expect(await contained(body, MINUTE)).toBe('cpu'),
  2 * MINUTE,
);

test.each([
  ['arrays', 'const all = []; for (;;) all.push(new Uint8Array(1 << 20))'],
  ['strings', "let all = 'x'.repeat(1 << 20); const kept = []; for (;;) kept.push(all += 'y')"],
  ['one buffer', 'return new ArrayBuffer(1 << 30).byteLength'],
])(
  'memory taken as %s has its limit',
  async (_, body) => {
    const before = process.memoryUsage().rss;
    expect(['memory', 'thrown', 'cpu']).toContain(await contained(body, MINUTE));
    expect(process.memoryUsage().rss - before).toBeLessThan(600_000_000);
  },
  2 * MINUTE,
);

test.each([
  ['plain', 'const f = () => f() + 1; return f()'],
  ['through our own functions', DEEP],
  [
    'in data',
    'let all = []; for (let i = 0; i < 3e5; i += 1) all = [all]; return JSON.stringify(all).length',
  ],
])(
  'recursion, %s, ends as an error of the script',
  async (_, body) => expect(['thrown', 'memory', 'crashed', 'cpu']).toContain(await contained(body, MINUTE)),
  2 * MINUTE,
);

test('a script reaches nothing of the host', async () => {
  const seen = await run(`
    const outer = fetch.constructor('return this')();
    const names = ['process', 'require', 'module', 'Buffer', 'Worker', 'WebAssembly', 'Deno', 'std', 'os', 'XMLHttpRequest',
      'setTimeout', 'setInterval', 'postMessage', 'parentPort', 'performance', 'navigator'];
    return {
      global: names.filter((name) => name in globalThis),
      outer: names.filter((name) => outer !== undefined && name in outer),
      helper: names.filter((name) => name in crypto.md5.constructor('return globalThis')()),
      thrown: await fetch('x').catch((error) => names.filter((name) => name in error.constructor.constructor('return globalThis')())),
    }`);
  expect(seen.output).toEqual({ global: [], outer: [], helper: [], thrown: [] });
  expect((await run("return import('node:fs')")).error?.kind).toBe('thrown');
});

test('a script that changes prototypes changes only its own', async () => {
  const spoiled = await run(`
    Object.prototype.isAdmin = true; Array.prototype.push = () => { throw 1 };
    Promise.prototype.then = undefined; JSON.parse = () => ({ spoiled: true });
    return JSON.parse === undefined ? 0 : { __proto__: { a: 1 }, ['__proto__']: { isAdmin: true }, constructor: 1 }`);
  expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
  expect(spoiled.error === null || spoiled.error.kind === 'pending').toBe(true);
  expect((await run('return [({}).isAdmin ?? null, typeof JSON.parse("1")]')).output).toEqual([
    null,
    'number',
  ]);
});

/** The script's own engine writes the JSON of a fetch request, so the script can put anything into it. */
const WRITES = (what: string) =>
  `Object.defineProperty(Object.prototype, 'toJSON', { value() { return 'url' in this ? ${what} : this; } });`;

test.each(['undefined', 'null', '1', '{}', "{ method: 'GET', headers: {}, body: null }"])(
  'a fetch written as %s is refused to the script, and the node goes on',
  async (what) => {
    const unheard: unknown[] = [];
    const hear = (reason: unknown) => void unheard.push(reason);
    process.on('unhandledRejection', hear);
    let fetched = 0;
    const { error } = await run(`${WRITES(what)} await fetch('x'); return 1`, () => {
      fetched += 1;
      return Promise.resolve({ error: 'none' });
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    process.off('unhandledRejection', hear);
    expect({ unheard, fetched, kind: error?.kind }).toEqual({ unheard: [], fetched: 0, kind: 'thrown' });
    expect(error?.message).toMatch(/cannot be fetched/);
    expect((await run('return 1')).output).toBe(1);
  },
);

test('an error of the host during a fetch fails the fetch', async () => {
  const { error } = await run("await fetch('x')", () => Promise.reject(new Error('of the host')));
  expect([error?.kind, error?.message]).toEqual(['thrown', 'what it asks for cannot be fetched']);
});

test('an answer that comes after its call has ended is not given to the next call', async () => {
  let late: (answer: FetchAnswer) => void = () => {};
  await run("fetch('x'); return 1", () => new Promise((resolve) => (late = resolve)));
  const own: FetchAnswer = { status: 200, headers: {}, body: 'own' };
  const next = await run("return (await fetch('x')).text", () => {
    late({ status: 200, headers: {}, body: 'of another call' });
    return new Promise((resolve) => setTimeout(() => resolve(own), 100));
  });
  expect(next.output).toBe('own');
});

test.each(['crypto', 'fetch', 'form', 'base64', 'console'])('%s cannot be replaced', async (name) => {
  expect((await run(`globalThis.${name} = 1`)).error?.kind).toBe('thrown');
});

test('a promise that nothing can settle ends at once; one that waits for an answer ends at the time limit', async () => {
  expect((await run('return new Promise(() => {})')).error?.kind).toBe('pending');
  expect((await run('return { then() {} }')).error?.kind).toBe('pending');
  const slow = await waiting;
  expect(slow.error?.kind).toBe('time');
  expect(slow.durationMs).toBeGreaterThanOrEqual(LIMITS.wholeMs);
});

test('answers, logs and fetches have their limits', async () => {
  expect((await run(`return 'x'.repeat(${LIMITS.outputBytes})`)).error?.kind).toBe('output');
  const { logs, error } = await run("for (let i = 0; i < 300; i += 1) console.log('y'.repeat(5000))");
  expect(error).toBeNull();
  expect(logs).toHaveLength(LIMITS.logLines);
  expect(Math.max(...logs.map((line) => line.length))).toBe(LIMITS.logChars);
  let fetched = 0;
  const many = await run("for (;;) await fetch('x')", () => {
    fetched += 1;
    return Promise.resolve({ status: 200, headers: {}, body: '' });
  });
  expect(many.error?.message).toMatch(/more than 10 fetches/);
  expect(fetched).toBe(LIMITS.fetches);
});

test.each([
  'null',
  'undefined',
  '1n',
  "Symbol('x')",
  '() => 1',
  '{ toString() { throw 1 } }',
  'new Proxy({}, { get() { throw 2 }, getPrototypeOf() { throw 3 } })',
  'Object.create(null)',
])('throwing %s is an error like any other', async (value) => {
  expect((await run(`throw ${value}`)).error?.kind).toBe('thrown');
  expect((await run(`await Promise.reject(${value})`)).error?.kind).toBe('thrown');
});

test('an error names its line and column, wherever it is in the script', async () => {
  const at = async (code: string) => {
    const { error } = await runScript({
      of: 'an account',
      code,
      call: 'query',
      args: [],
      fetch: () => Promise.resolve({ error: '' }),
    });
    return [error?.kind, error?.line];
  };
  expect(await at('const a = 1;\nlet b = ;')).toEqual(['syntax', 2]);
  expect(await at('\n\nnull.x')).toEqual(['thrown', 3]);
  expect(
    await at('function query() {\n  return deeper();\n}\nfunction deeper() {\n  throw new Error("x");\n}'),
  ).toEqual(['thrown', 5]);
  expect(await at('const other = 1')).toEqual(['missing', null]);
});

test('many calls at once each get their own answer', async () => {
  const runs = await Promise.all(Array.from({ length: 40 }, (_, index) => run(`return ${index}`)));
  expect(runs.map(({ output }) => output)).toEqual(Array.from({ length: 40 }, (_, index) => index));
});

test('an account whose gateway never answers keeps no thread from another account', async () => {
  let answer = (_: FetchAnswer): void => {};
  const late = new Promise<FetchAnswer>((resolve) => (answer = resolve));
  let ended = 0;
  const stalled = Array.from({ length: 70 }, async () => {
    const { error } = await run("return fetch('x')", () => late, 5 * MINUTE, 'stalled');
    ended += 1;
    return error?.kind;
  });
  expect((await run('return 1', undefined, undefined, 'other')).output).toBe(1);
  expect(ended, 'three run, 64 wait, the others are refused').toBe(3);
  answer({ error: 'late' });
  expect((await Promise.all(stalled)).filter((kind) => kind === 'busy')).toHaveLength(3);
}, 60_000);

test('threads that nobody has used for a minute end, and the next call has another', async () => {
  await waiting;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    // After this every idle thread has had a call, and its rest begins.
    await Promise.all(
      Array.from({ length: 8 }, (_, of) => run('return 1', undefined, undefined, String(of))),
    );
    const living = threads.filter(({ threadId }) => threadId !== -1);
    expect(living.length).toBeGreaterThan(0);
    const ended = Promise.all(living.map((thread) => once(thread, 'exit')));
    vi.advanceTimersByTime(61_000);
    await ended;
  } finally {
    vi.useRealTimers();
  }
  expect((await run('return 1')).output).toBe(1);
});
