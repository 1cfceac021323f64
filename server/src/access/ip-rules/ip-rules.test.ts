import * as contract from '@sangam/contract/endpoints/ip-rule.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sql } from '../../platform/db/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { call, post } from '../../testing/call.ts';
import { createTestUser, PASSWORD, signedIn } from '../../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../../testing/platform.ts';
import { SEED } from '../../testing/seed.ts';
import { viewerOf } from '../../testing/world.ts';
import { ipRules } from './ip-rules.ts';
import { pointOf, rangeOf } from './ranges.ts';
import type { IpRule } from './rule.ts';
import { allows, letsInMore, ruleAt, sightOf } from './sight.ts';

let node: TestPlatform;
let app: FastifyInstance;
let boss: Viewer;
let second: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
  const { platform } = node;
  const { id } = await createTestUser(platform, 'superAdmin');
  boss = { ...viewerOf(platform, { role: 'superAdmin', userId: id }), ip: '198.51.100.1' };
  const { id: other } = await createTestUser(platform, 'admin');
  second = viewerOf(platform, { role: 'admin', userId: other });
});
afterEach(async () => {
  await node.platform.db.query(sql`delete from ip_rules`);
  await node.platform.db.query(sql`delete from sessions`);
  await ipRules(node.platform).refresh();
});
afterAll(() => node.close());

const rule = (fields: object) => ({
  door: 'payPage',
  effect: 'deny',
  subject: 'anyone',
  network: '203.0.113.0/24',
  reason: 'test',
  ...fields,
});
const save = (fields: object) => ask(node.platform, boss, contract.saveIpRule, rule(fields));
const refused = (fields: object) => askRefused(node.platform, boss, contract.saveIpRule, rule(fields));
const lets = (...args: Parameters<ReturnType<typeof ipRules>['lets']>) =>
  ipRules(node.platform).lets(...args);
const agree = (todoId: unknown) => ask(node.platform, second, decide, { id: todoId, approve: true });

test('networks of both families; IPv4 written as IPv6 is IPv4', () => {
  expect(rangeOf('203.0.113.9/24')!.text).toBe('203.0.113.0/24');
  expect(rangeOf('::ffff:203.0.113.9')!.text).toBe('203.0.113.9/32');
  expect(rangeOf('::ffff:203.0.113.0/120')!.text).toBe('203.0.113.0/24');
  expect(rangeOf('::ffff:203.0.113.0/90')).toBeUndefined();
  expect(rangeOf('2001:DB8::1/32')!.text).toBe('2001:db8::/32');
  expect(rangeOf('0.0.0.0/0')!.last - rangeOf('0.0.0.0/0')!.first).toBe(2n ** 32n - 1n);
  for (const text of [
    'rubbish',
    '2147483648',
    '10.1',
    '0x7f.1',
    '203.0.113.0/',
    '203.0.113.0/8/8',
    '203.0.113.0/1e1',
  ])
    expect(rangeOf(text), text).toBeUndefined();
  expect(pointOf('2147483648')).toBeUndefined();
  expect(pointOf('::ffff:203.0.113.9')).toBe(pointOf('203.0.113.9'));
});

interface Made {
  readonly id: bigint;
  readonly effect: 'allow' | 'deny';
  readonly network: readonly [string, number];
  readonly as: string;
}

test(`the sorted ranges give the same answer as a check of every rule (seed ${SEED})`, () => {
  const address = fc.oneof(
    fc.ipV4().map((ip) => ip.replace(/^\d+\.\d+/, '10.0')),
    fc.ipV6().map((ip) => (ipaddr.isValid(ip) ? ip : '::1')),
  );
  const made = fc.record({
    id: fc.bigInt(1n, 99_999n),
    effect: fc.constantFrom('allow' as const, 'deny' as const),
    network: fc.tuple(address, fc.integer({ min: 0, max: 32 })),
    as: fc.constantFrom('anyone', 'role:admin', 'user:7'),
  });
  const rules = fc.uniqueArray(made, { maxLength: 30, selector: ({ id }) => id });
  const asRules = (some: readonly Made[]): IpRule[] =>
    some.flatMap(({ id, effect, network: [ip, bits], as }) => {
      const range = rangeOf(`${ip}/${ip.includes(':') ? bits * 4 : bits}`);
      const subject =
        as === 'anyone'
          ? ({ kind: 'anyone' } as const)
          : as === 'user:7'
            ? ({ kind: 'user', id: 7n } as const)
            : ({ kind: 'role', role: 'admin' } as const);
      return range
        ? [{ id, door: 'console', effect, subject, subjectText: as, range, note: '', expiresAt: null }]
        : [];
    });
  const now = new Date();
  fc.assert(
    fc.property(rules, rules, fc.array(address, { minLength: 1 }), (some, others, addresses) => {
      const comer = { role: 'admin', userId: 7n } as const;
      const [before, after] = [asRules(some), asRules(others)];
      const sight = sightOf(before, 'console', comer, now);
      const close = { anyone: 0, role: 1, user: 2, merchant: 2 };
      for (const ip of addresses) {
        const point = pointOf(ip)!;
        const [best] = before
          .filter(({ range }) => range.first <= point && point <= range.last)
          .sort(
            (a, b) =>
              Number(a.range.last - a.range.first > b.range.last - b.range.first) -
                Number(a.range.last - a.range.first < b.range.last - b.range.first) ||
              close[b.subject.kind] - close[a.subject.kind] ||
              Number(a.effect === 'allow') - Number(b.effect === 'allow'),
          );
        expect(ruleAt(sight, point)?.effect).toBe(best?.effect);
        expect(ruleAt(sight, point)?.range.text).toBe(best?.range.text);
        const next = sightOf(after, 'console', comer, now);
        if (!allows(sight, point) && allows(next, point)) expect(letsInMore(sight, next)).toBe(true);
      }
      expect(letsInMore(sight, sight)).toBe(false);
    }),
    { seed: SEED, numRuns: 150 },
  );
});

test('a denied network is refused at the payer’s page, an allowed address within it is not; both are counted', async () => {
  const denied = await save({});
  const told = await refused({ effect: 'allow', network: '203.0.113.7' });
  expect(told.code).toBe('approvalNeeded');
  await agree((told.data as { todoId: string }).todoId);
  expect(await lets('payPage', '203.0.113.8')).toBe(false);
  expect(await lets('payPage', '::ffff:203.0.113.8')).toBe(false);
  expect(await lets('payPage', '203.0.113.7')).toBe(true);
  // An allowing rule closes the door to callers that no rule names.
  expect(await lets('payPage', '198.51.100.1')).toBe(false);
  expect(await lets('monitorApi', '203.0.113.8')).toBe(true);
  await ipRules(node.platform).flush();
  const { list } = await ask(node.platform, boss, contract.getIpRules, { network: '203.0.113.8' });
  expect(list).toMatchObject([{ id: denied.id, hits: 2, network: '203.0.113.0/24' }]);
  // A part of the text, not the address that a C library would read from it.
  for (const [network, total] of [
    ['113', 2],
    ['2147483648', 0],
    ['fe80::1%eth0', 0],
  ] as const)
    expect(await ask(node.platform, boss, contract.getIpRules, { network })).toMatchObject({ total });
});

test('a change that lets in more waits for a second person: not a first deny, but its removal and its narrowing', async () => {
  const { id } = await save({});
  for (const change of [
    { network: '203.0.113.0/25' },
    { effect: 'allow', network: '203.0.113.0/24' },
    { expiresTime: '2099-01-01 00:00:00' },
  ]) {
    expect((await refused({ id, ...change })).code).toBe('approvalNeeded');
    await node.owner.query(sql`delete from approvals`);
  }
  const taken = await askRefused(node.platform, boss, contract.removeIpRule, { id, reason: 'x' });
  expect(taken.code).toBe('approvalNeeded');
  expect(await lets('payPage', '203.0.113.8')).toBe(false);
  await agree((taken.data as { todoId: string }).todoId);
  expect(await lets('payPage', '203.0.113.8')).toBe(true);
  // A wider network, and a note, are changed at once.
  const other = await save({ network: '198.51.100.0/24' });
  await save({ id: other.id, network: '198.51.0.0/16', note: 'wider' });
  expect(await lets('payPage', '198.51.7.7')).toBe(false);
});

test('no change locks out its author or every superAdmin, not even after a rule has expired', async () => {
  const own = { door: 'console', network: '198.51.100.0/24' };
  expect((await refused(own)).data).toMatchObject({ reason: 'ipRuleLocksOutAuthor' });
  expect((await refused({ ...own, effect: 'allow', network: '192.0.2.0/24' })).data).toMatchObject({
    reason: 'ipRuleLocksOutAuthor',
  });
  await save({ ...own, effect: 'allow', expiresTime: '2099-01-01 00:00:00' });
  // Once the first allowing rule has expired, this rule would be the only one.
  const next = await refused({ ...own, effect: 'allow', network: '192.0.2.0/24' });
  expect(next.data).toMatchObject({ reason: 'ipRuleLocksOutAuthor' });
  // The only superAdmin that has signed in has another address.
  await signedIn(node.platform, await createTestUser(node.platform, 'superAdmin'));
  const away = await refused({ door: 'console', subject: 'role:superAdmin', network: '127.0.0.0/8' });
  expect(away.data).toMatchObject({ reason: 'ipRuleLocksOutSuperAdmins' });
});

test('the console refuses with 403, the APIs refuse with 1107', async () => {
  const { platform } = node;
  const clerk = await createTestUser(platform, 'customerService', { enableGoogleVerify: false });
  const headers = await signedIn(platform, clerk);
  const info = () => call(app, 'POST', '/v1.0/user/getInfo', {}, headers);
  expect((await info()).code).toBe(200);
  await save({ door: 'console', subject: `user:${clerk.id}`, network: '127.0.0.0/8' });
  expect(await info()).toMatchObject({ status: 403, code: 1107 });
  const login = { userName: clerk.account, password: PASSWORD };
  expect(await post(app, '/v1.0/user/login', login)).toMatchObject({ status: 403, code: 1107 });
  for (const door of ['monitorApi', 'payPage']) await save({ door, network: '127.0.0.1' });
  expect(await post(app, '/v1.0/monitor/heartbeat', {})).toMatchObject({ code: 1107 });
  expect(await call(app, 'GET', '/v1.0/pay/nothing')).toMatchObject({ code: 1107 });
  const colleague = await signedIn(platform, await createTestUser(platform, 'customerService'));
  expect((await call(app, 'POST', '/v1.0/user/getInfo', {}, colleague)).code).toBe(200);
});

test('every node applies a rule within a second, and rules end at their time', async () => {
  const other = node.anotherNode();
  expect(await ipRules(other).lets('payPage', '203.0.113.8')).toBe(true);
  await save({ expiresTime: '2099-01-01 00:00:00' });
  await expect.poll(() => ipRules(other).lets('payPage', '203.0.113.8'), { timeout: 5_000 }).toBe(false);
  await node.platform.db.query(sql`update ip_rules set expires_at = ${new Date(0)}`);
  await expect.poll(() => ipRules(other).lets('payPage', '203.0.113.8'), { timeout: 5_000 }).toBe(true);
});

test('tryIpAddress answers for the rules as they are and with the rule being written', async () => {
  await save({});
  const tried = await ask(node.platform, boss, contract.tryIpAddress, {
    door: 'payPage',
    address: '::ffff:203.0.113.7',
    draftEffect: 'allow',
    draftNetwork: '203.0.113.0/28',
  });
  expect(tried).toEqual({
    now: {
      allowed: false,
      because: 'rule',
      rule: { effect: 'deny', subject: 'anyone', network: '203.0.113.0/24' },
    },
    withDraft: {
      allowed: true,
      because: 'rule',
      rule: { effect: 'allow', subject: 'anyone', network: '203.0.113.0/28' },
    },
  });
  const wrong = await askRefused(node.platform, boss, contract.tryIpAddress, {
    door: 'payPage',
    address: '203.0.113.7',
    as: 'role:admin',
  });
  expect(wrong.code).toBe('invalidInput');
});
