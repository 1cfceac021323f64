import type { Endpoint } from '@sangam/contract/endpoint.ts';
import { endpoint } from '@sangam/contract/endpoint.ts';
import { APPROVAL_KINDS } from '@sangam/contract/approvals.ts';
import { ENDPOINTS } from '@sangam/contract/endpoints/index.ts';
import * as user from '@sangam/contract/endpoints/user.ts';
import { COLLECTION_ACTIONS } from '@sangam/contract/orders.ts';
import { PAYOUT_ACTIONS } from '@sangam/contract/payouts.ts';
import type { MatrixKind } from '@sangam/contract/role-matrix.ts';
import { SCREENS } from '@sangam/contract/screens.ts';
import { ROLES, type Role } from '@sangam/contract/roles.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ROUTES } from '../app/routes.ts';
import { call } from '../testing/call.ts';
import {
  type TestUser,
  createTestMerchant,
  createTestSupplier,
  createTestUser,
  signedIn,
} from '../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../testing/platform.ts';
import { matrixRows } from '../access/role-matrix.ts';
import { viewerRoute } from '../http/route.ts';

let node: TestPlatform;
let app: FastifyInstance;
let users: ReadonlyMap<Role, TestUser>;

beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
  const found = new Map<Role, TestUser>();
  for (const role of ROLES) {
    if (role === 'merchant') found.set(role, (await createTestMerchant(node.platform)).user);
    else if (role === 'supplier') found.set(role, (await createTestSupplier(node.platform)).user);
    else found.set(role, await createTestUser(node.platform, role));
  }
  users = found;
});
afterAll(() => node.close());

/** Paths with a value in place of each parameter. */
const addressOf = (each: Endpoint) => each.path.replace(/:\w+/g, 'AAAAAAAAAAAAAAAAAAAA');
const name = (each: Endpoint) => `${each.method} ${each.path}`;
const matrix = new Map(matrixRows().map((row) => [row.name, row]));
const routed = new Set(ROUTES.map((route) => name(route.endpoint)));
const forSessions = ENDPOINTS.filter(
  ({ access }) => access === 'anyUser' || access === 'binding' || typeof access !== 'string',
);

/** The calls that technicalMaintenance may POST. They are written out here, so that a change of the code cannot add one unnoticed. */
const OWN_MATTERS = [
  ...[
    'login2',
    'getInfo',
    'logout',
    'getSessions',
    'tellScreens',
    'bindUser',
    'confirmBind',
    'bindUserForProfile',
    'confirmBindForProfile',
  ].map((call) => `/v1.0/user/${call}`),
  ...['begin', 'add', 'remove', 'beginStepUp'].map((call) => `/v1.0/passkey/${call}`),
  ...['beginLink', 'link', 'unlink'].map((call) => `/v1.0/companySignIn/${call}`),
  ...['has_read', 'remove_readed', 'restore'].map((call) => `/v1.0/message/${call}`),
  '/v1.0/save_error_logger',
  '/save_error_logger',
];

test('every endpoint of the contract has a route, and every route is of the contract', () => {
  const named = new Set(ENDPOINTS.map(name));
  expect([...named].filter((each) => !routed.has(each))).toEqual([]);
  expect([...routed].filter((each) => !named.has(each))).toEqual([]);
});

test('each endpoint is answered by the kind of caller its access names', () => {
  for (const { kind, endpoint: each } of ROUTES) {
    const expected = ['public', 'merchant', 'monitor', 'webhook'].includes(each.access as string)
      ? each.access
      : 'viewer';
    expect([each.path, kind]).toEqual([each.path, expected]);
  }
});

describe.each(forSessions.filter((each) => routed.has(name(each))))('$method $path', (each) => {
  test.each(ROLES)('%s', async (role) => {
    const headers = await signedIn(node.platform, users.get(role)!);
    const answer = await call(app, each.method, addressOf(each), {}, { ...headers });
    const listed = typeof each.access === 'string' || each.access.includes(role);
    const changes = (each.writes ?? each.method === 'POST') && !OWN_MATTERS.includes(each.path);
    const allowed = listed && !(role === 'technicalMaintenance' && changes);
    // The role matrix must show what the server really does.
    expect(matrix.get(name(each))?.[role]).toBe(allowed ? 'yes' : 'no');
    if (allowed) expect([403, 1003, 1006, 1024, 1025, 500]).not.toContain(answer.code);
    else expect(answer).toMatchObject({ status: 403, code: 403 });
  });

  test('without a session', async () => {
    expect(await call(app, each.method, addressOf(each))).toMatchObject({ status: 401, code: 1003 });
  });

  test.runIf(each.sensitive)('without the second-level token', async () => {
    const allowed = ROLES.find((role) => each.access === 'anyUser' || each.access.includes(role))!;
    const { token } = await signedIn(node.platform, users.get(allowed)!);
    expect(await call(app, each.method, addressOf(each), {}, { token })).toMatchObject({
      status: 403,
      code: 1024,
    });
  });
});

test.each(
  ROUTES.filter((route) => route.kind === 'merchant' || route.kind === 'monitor').map((r) => r.endpoint),
)('a console session does not open $path', async (each) => {
  const headers = await signedIn(node.platform, users.get('superAdmin')!);
  expect((await call(app, each.method, addressOf(each), {}, { ...headers })).code).toBe(1102);
});

test('the role matrix has every screen, action, request and call, and shows where a role only reads', () => {
  const rows = matrixRows();
  const of = (kind: MatrixKind) => rows.filter((each) => each.kind === kind).map(({ name: title }) => title);
  expect(of('screen')).toEqual(SCREENS.filter(({ roles }) => roles !== 'public').map(({ path }) => path));
  expect(of('action')).toHaveLength(COLLECTION_ACTIONS.length + PAYOUT_ACTIONS.length);
  expect(of('request')).toHaveLength(2 * APPROVAL_KINDS.length);
  expect(of('call').toSorted()).toEqual([...new Set(forSessions.map(name))].toSorted());
  expect(matrix.get('/setting/users/readonly')).toMatchObject({
    technicalMaintenance: 'reads',
    superAdmin: 'no',
  });
  expect(matrix.get('collection reverse')).toMatchObject({
    superAdmin: 'yes',
    admin: 'yes',
    customerService: 'no',
  });
  expect(matrix.get('payout claim')).toMatchObject({ supplier: 'yes', superAdmin: 'no' });
  expect(matrix.get('decide reversal')).toMatchObject({ superAdmin: 'yes', admin: 'no' });
});

test('technicalMaintenance changes nothing even where a role list names it', async () => {
  const careless = endpoint({
    method: 'POST',
    path: '/v1.0/careless',
    summary: 'A list that should not name technicalMaintenance',
    access: ['superAdmin', 'technicalMaintenance'],
    input: z.object({}),
    output: z.object({ done: z.boolean() }),
  });
  const done = () => Promise.resolve({ done: true });
  const writingGet = endpoint({ ...careless, method: 'GET', writes: true });
  const own = await node.app([viewerRoute(careless, done), viewerRoute(writingGet, done)]);
  for (const { method, path } of [careless, writingGet]) {
    const codeFor = async (role: Role) =>
      (await call(own, method, path, {}, { ...(await signedIn(node.platform, users.get(role)!)) })).code;
    expect(await codeFor('technicalMaintenance')).toBe(403);
    expect(await codeFor('superAdmin')).toBe(200);
  }
});

test('no writing endpoint of the contract lists technicalMaintenance', () => {
  const listing = ENDPOINTS.filter(
    ({ method, writes, access }) => (writes ?? method === 'POST') && access.includes('technicalMaintenance'),
  );
  expect(listing.map(name)).toEqual([]);
});

test('an endpoint closed to a role is closed before its input is looked at', async () => {
  const headers = await signedIn(node.platform, users.get('merchant')!);
  expect((await call(app, 'POST', user.unbind.path, { nonsense: true }, { ...headers })).code).toBe(403);
});
