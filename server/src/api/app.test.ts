import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoint } from '@sangam/contract/endpoint.ts';
import { getDocument } from '@sangam/contract/endpoints/docs.ts';
import { ENDPOINTS } from '@sangam/contract/endpoints/index.ts';
import { ROLES } from '@sangam/contract/roles.ts';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { refuse } from '../platform/refusal.ts';
import { createBase } from '../platform/public-base.ts';
import { ROUTES } from '../app/routes.ts';
import { call, post } from '../testing/call.ts';
import { createTestUser, signedIn } from '../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../testing/platform.ts';
import { publicRoute } from '../http/route.ts';
import { openApiOf } from './openapi.ts';

let node: TestPlatform;
let folder: string;

beforeAll(async () => {
  node = await createTestPlatform();
  folder = await mkdtemp(join(tmpdir(), 'sangam-pages-'));
  for (const name of ['console', 'phone', 'cashier']) {
    await mkdir(join(folder, name, 'assets'), { recursive: true });
    await writeFile(join(folder, name, 'index.html'), `<html>${name}</html>`);
    await writeFile(join(folder, name, 'assets', 'main-abc123.js'), `/* ${name} */`);
    await writeFile(join(folder, name, 'assets', 'main-abc123.js.br'), `compressed ${name}`);
    await writeFile(join(folder, name, 'mark.svg'), '<svg/>');
  }
});
afterAll(async () => {
  await node.close();
  await rm(folder, { recursive: true });
});

const pages = () =>
  node.app(ROUTES, node.platform, {
    console: join(folder, 'console'),
    phone: join(folder, 'phone'),
    cashier: join(folder, 'cashier'),
  });
const html = { accept: 'text/html,application/xhtml+xml' };

const sample = endpoint({
  method: 'POST',
  path: '/v1.0/sample/:key',
  summary: 'For this test',
  access: 'public',
  input: z.object({
    key: z.string().max(5),
    count: z.int(),
    nested: z.object({ name: z.string().min(2) }).optional(),
  }),
  output: z.object({ list: z.array(z.object({ id: z.string() })) }),
});
const sampleApp = (handle: (count: number) => unknown) =>
  node.app([publicRoute(sample, (_platform, input) => Promise.resolve(handle(input.count) as { list: [] }))]);

test('wrong input names the fields in the caller’s language', async () => {
  const app = await sampleApp(() => ({ list: [] }));
  const input = { count: 'x', nested: { name: 'a' } };
  const english = await post(app, '/v1.0/sample/abc', input);
  expect(english).toMatchObject({ status: 400, code: 400, msg: 'Invalid input: count, nested.name' });
  expect(english.data['fields']).toEqual([
    { path: 'count', message: 'Invalid input: expected number, received string' },
    { path: 'nested.name', message: 'Too small: expected string to have >=2 characters' },
  ]);
  const taiwan = await post(app, '/v1.0/sample/abc', input, { 'accept-language': 'zh-TW,zh;q=0.9' });
  expect(taiwan.msg).toContain('count, nested.name');
  expect((taiwan.data['fields'] as { message: string }[])[0]?.message).toMatch(/[一-鿿]/);
  expect((await post(app, '/v1.0/sample/toolong', { count: 1 })).data['fields']).toMatchObject([
    { path: 'key' },
  ]);
});

test('keys the contract does not name never leave the server', async () => {
  const app = await sampleApp(() => ({ list: [{ id: '1', rate: 9 }], secret: true }));
  expect((await post(app, '/v1.0/sample/abc', { count: 1 })).body).toEqual({
    code: 200,
    msg: 'Success',
    data: { list: [{ id: '1' }] },
  });
});

test('a refusal carries its code, its text with what it names, and its data', async () => {
  const app = await sampleApp(() => refuse('amountOutsideLimits', { min: '1', max: '9' }, { hint: 1 }));
  expect(await post(app, '/v1.0/sample/abc', { count: 1 })).toMatchObject({
    status: 422,
    code: 1104,
    msg: 'Amount outside limits: 1 to 9',
    data: { hint: 1 },
  });
});

test('an exception, or an answer that breaks the contract, is logged whole and answered in one sentence', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
  const handle = (count: number) => {
    if (count === 1) throw new Error('secret detail', { cause: new Error('the cause') });
    return { list: 'wrong' };
  };
  const route = publicRoute(sample, async (_platform, input) => handle(input.count) as never);
  const app = await node.app([route], { ...node.platform, log });
  for (const count of [1, 2]) {
    const answer = await post(app, '/v1.0/sample/abc', { count });
    expect(answer).toMatchObject({
      status: 500,
      body: { code: 500, msg: 'Server error; it has been recorded' },
    });
    expect(Object.keys(answer.body)).toEqual(['code', 'msg']);
  }
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('secret detail');
  expect(lines[0]).toContain('the cause');
  expect(lines[1]).toContain('does not fit its contract');
  expect(lines.join()).toContain('/v1.0/sample/:key');
  expect(lines.join()).not.toContain('abc');
});

test('bodies that cannot be read', async () => {
  const app = await sampleApp(() => ({ list: [] }));
  const send = async (payload: string, type: string) => {
    const response = await app.inject({
      method: 'POST',
      url: '/v1.0/sample/abc',
      payload,
      headers: { 'content-type': type },
    });
    return [response.statusCode, response.json<{ code: number }>().code];
  };
  expect(await send('{', 'application/json')).toEqual([400, 400]);
  expect(await send('[]', 'application/json')).toEqual([400, 400]);
  expect(await send('{"__proto__":{"count":1}}', 'application/json')).toEqual([400, 400]);
  expect(await send('{"count":1,"nested":{"name":"a\\u0000b"}}', 'application/json')).toEqual([400, 400]);
  expect(await send('count=1', 'text/plain')).toEqual([415, 400]);
  expect(await send(JSON.stringify({ x: 'x'.repeat(1_100_000) }), 'application/json')).toEqual([413, 400]);
  expect((await app.inject({ method: 'GET', url: '/v1.0/x?a=%00' })).json()).toMatchObject({ code: 400 });
});

test('unknown paths of the API are an envelope, whatever is accepted', async () => {
  const app = await pages();
  for (const url of [
    '/v1.0/nothing',
    '/v1.0',
    '/api/order/nothing',
    '/docs/nothing',
    '/pay',
    '/assets/none.js',
  ]) {
    const response = await app.inject({ method: 'GET', url, headers: html });
    expect([url, response.statusCode, response.json()]).toEqual([url, 404, { code: 404, msg: 'Not found' }]);
  }
  expect(await call(app, 'POST', '/order/list')).toMatchObject({ status: 404, code: 404 });
});

test('the console is served at its own addresses, uncached, with its own policy', async () => {
  const app = await pages();
  for (const url of ['/', '/login', '/order/list?orderCode=1', '/payProxyOrder/list']) {
    const response = await app.inject({ method: 'GET', url, headers: html });
    expect([url, response.statusCode, response.body]).toEqual([url, 200, '<html>console</html>']);
    expect(response.headers['cache-control']).toBe('no-store');
    const policy = response.headers['content-security-policy'];
    expect(policy).toContain("script-src 'self';style-src 'self' 'unsafe-inline'");
    expect(policy).not.toContain('unsafe-eval');
  }
});

test('only the console’s page may call ApiUrl, once the console’s origin is known', async () => {
  const app = await pages();
  const callsOf = async (at: typeof app, url: string) => {
    const { headers } = await at.inject({ method: 'GET', url, headers: html });
    return /connect-src ([^;]*);/.exec(String(headers['content-security-policy']))![1];
  };
  expect(await callsOf(app, '/order/list')).toBe("'self'");
  await node.platform.settings.write('ApiUrl', 'https://pay.example.com:8443/api/', null);
  try {
    for (const url of ['/', '/order/list'])
      expect(await callsOf(app, url)).toBe("'self' https://pay.example.com:8443");
    for (const url of ['/m/', '/pay/abcdefghijklmnopqrst']) expect(await callsOf(app, url)).toBe("'self'");
    const unnamed = { ...node.platform, config: { ...node.platform.config, consoleOrigin: undefined } };
    expect(await createBase(unnamed)).toBe('');
  } finally {
    await node.platform.settings.write('ApiUrl', '', null);
  }
});

test('the payer’s page allows no inline styles; hashed assets are kept for ever', async () => {
  const app = await pages();
  const page = await app.inject({ method: 'GET', url: '/pay/abcdefghijklmnopqrst', headers: html });
  expect(page.body).toBe('<html>cashier</html>');
  expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  expect(page.headers['content-security-policy']).toContain("style-src 'self';");
  for (const [url, body] of [
    ['/pay-assets/assets/main-abc123.js', 'cashier'],
    ['/m/assets/main-abc123.js', 'phone'],
    ['/assets/main-abc123.js', 'console'],
  ]) {
    const asset = await app.inject({ method: 'GET', url: url! });
    expect(asset.body).toBe(`/* ${body} */`);
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(asset.headers['content-type']).toContain('javascript');
  }
  expect((await app.inject({ method: 'GET', url: '/mark.svg' })).headers['cache-control']).toBe(
    'public, max-age=0',
  );
  expect((await app.inject({ method: 'GET', url: '/index.html' })).statusCode).toBe(404);
  for (const url of [
    '/../cashier/mark.svg',
    '/..%2fcashier%2findex.html',
    '/pay-assets/..%2f..%2fetc/passwd',
  ]) {
    expect((await app.inject({ method: 'GET', url })).statusCode).toBeGreaterThanOrEqual(400);
  }
});

test('the supplier’s phone is served at /m/, uncached, without inline styles', async () => {
  const app = await pages();
  const page = await app.inject({ method: 'GET', url: '/m/?claim=1', headers: html });
  expect([page.statusCode, page.body]).toEqual([200, '<html>phone</html>']);
  expect(page.headers['cache-control']).toBe('no-store');
  expect(page.headers['content-security-policy']).toContain("style-src 'self';");
  expect((await app.inject({ method: 'GET', url: '/m', headers: html })).headers['location']).toBe('/m/');
  for (const url of ['/m/index.html', '/m/none.js', '/m/..%2fcashier%2fmark.svg'])
    expect((await app.inject({ method: 'GET', url, headers: html })).statusCode).toBeGreaterThanOrEqual(400);
});

test('the compressed file beside an asset is sent to callers that accept it', async () => {
  const app = await pages();
  for (const [prefix, name] of [
    ['', 'console'],
    ['/pay-assets', 'cashier'],
  ]) {
    const headers = { 'accept-encoding': 'gzip, deflate, br' };
    const asset = await app.inject({ method: 'GET', url: `${prefix}/assets/main-abc123.js`, headers });
    expect(asset.body).toBe(`compressed ${name}`);
    expect(asset.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
    expect(asset.headers['content-type']).toContain('javascript');
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  }
  const mark = await app.inject({ method: 'GET', url: '/mark.svg', headers: { 'accept-encoding': 'br' } });
  expect(mark.body).toBe('<svg/>');
});

test('pages that are not built say so in a sentence', async () => {
  const app = await node.app(ROUTES, node.platform, {
    console: '/nowhere',
    phone: '/nowhere',
    cashier: '/nowhere',
  });
  const page = await app.inject({ method: 'GET', url: '/pay/abcdefghijklmnopqrst' });
  expect([page.statusCode, page.body]).toEqual([503, 'The cashier is not built yet: npm run build.\n']);
  expect((await app.inject({ method: 'GET', url: '/mark.svg' })).statusCode).toBe(404);
});

test('healthz says whether the database answers, and nothing else', async () => {
  const app = await node.app();
  const response = await app.inject({ method: 'GET', url: '/healthz' });
  expect([response.statusCode, response.json()]).toEqual([200, { status: 'ok' }]);
});

interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Record<string, unknown>>>;
}
/** The whole API description, as staff get it. */
async function staffDocument(app: FastifyInstance): Promise<Document> {
  const user = await createTestUser(node.platform, 'technicalSupport');
  const headers = { ...(await signedIn(node.platform, user)) };
  const answer = await app.inject({ method: 'GET', url: getDocument.path, headers });
  return answer.json<{ data: Document }>().data;
}

test('the public description has the merchant API, and no calls of staff, phones and outside services', async () => {
  const app = await node.app();
  const text = (await app.inject({ method: 'GET', url: '/docs/openapi.json' })).body;
  const { paths } = JSON.parse(text) as Document;
  const merchants = ROUTES.filter(({ kind }) => kind === 'merchant').map(({ endpoint }) => endpoint.path);
  expect(Object.keys(paths).toSorted((a, b) => a.localeCompare(b))).toEqual(
    [...new Set(merchants)].toSorted((a, b) => a.localeCompare(b)),
  );
  for (const word of ['superAdmin', 'token2', 'monitor', 'admin/', 'c2b']) expect(text).not.toContain(word);
});

test.each(ROLES)(
  'what staff, phones and outside services call is described to %s as its role says',
  async (role) => {
    const app = await node.app();
    const headers = { ...(await signedIn(node.platform, await createTestUser(node.platform, role))) };
    const answer = await app.inject({ method: 'GET', url: getDocument.path, headers });
    const reads = ['superAdmin', 'technicalSupport', 'technicalMaintenance'].includes(role);
    expect([role, answer.statusCode]).toEqual([role, reads ? 200 : 403]);
    expect((await app.inject({ method: 'GET', url: getDocument.path })).statusCode).toBe(401);
  },
);

test('the OpenAPI document describes the routes that exist, and only those', async () => {
  const document = await staffDocument(await node.app());
  expect(document.openapi).toBe('3.1.0');
  const described = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  expect(described.toSorted()).toEqual(
    ['GET /v1.0/ws', ...ROUTES.map(({ endpoint: { method, path } }) => `${method} ${path}`)].toSorted(),
  );
});

test('the document describes both directions of the realtime channel', async () => {
  const { paths } = await staffDocument(await node.app());
  const told = JSON.stringify(paths['/v1.0/ws']!['get']!['x-websocket']);
  for (const word of ['ack', 'heartbeat', 'requestId', 'orderChanged', 'newOrder', 'config'])
    expect(told).toContain(`"${word}"`);
});

test('no operation id comes twice, also where a path answers GET and POST', async () => {
  const { paths } = await staffDocument(await node.app());
  const ids = Object.values(paths).flatMap((item) => Object.values(item).map((each) => each['operationId']));
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('amounts of the merchant API are described in its own unit', async () => {
  const text = (await (await node.app()).inject({ method: 'GET', url: '/docs/openapi.json' })).body;
  const { paths } = JSON.parse(text) as Document;
  for (const call of ['create', 'createBatch', 'query', 'queryUtr', 'queryMerchantBalance', 'cancel'])
    expect(JSON.stringify(paths[`/v1.0/api/order/${call}`])).toContain('1/10,000 USDT');
  // The payable amount is the only amount in minor units.
  expect(text.split('1/1,000,000').length).toBe(2);
});

test('every endpoint of the contract can be described', async () => {
  const { paths } = openApiOf(ENDPOINTS.map((each) => publicRoute(each, () => Promise.resolve({}))));
  expect(Object.keys(paths as object)).toHaveLength(new Set(ENDPOINTS.map(({ path }) => path)).size);
});

test('the documentation page is served from here, under a policy that loads nothing from elsewhere', async () => {
  const app = await node.app();
  expect((await app.inject({ method: 'GET', url: '/docs' })).headers.location).toBe('/docs/');
  const page = await app.inject({ method: 'GET', url: '/docs/' });
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toMatch(/script-src 'self' 'sha256-[^']+';/);
  expect(policy).not.toMatch(/https?:|unsafe-eval/);
  for (const [, source] of page.body.matchAll(/(?:src|href)="([^"]+)"/g)) expect(source).toMatch(/^\//);
  const script = await app.inject({ method: 'GET', url: '/docs/js/scalar.js' });
  expect(script.headers['content-type']).toContain('javascript');
});
