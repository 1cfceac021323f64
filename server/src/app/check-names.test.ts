import { afterAll, beforeAll, expect, test } from 'vitest';
import { getAlerts } from '@sangam/contract/endpoints/alert.ts';
import { getVerifyRuns } from '@sangam/contract/endpoints/fund.ts';
import { getSystemState } from '@sangam/contract/endpoints/maintenance.ts';
import names from '@sangam/contract/locales/checks.json' with { type: 'json' };
import { raiseAlert } from '../alerts/raise.ts';
import { sql } from '../platform/db/database.ts';
import { ask } from '../testing/ask.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import { recentChecks } from '../verify/recent-checks.ts';
import { CHECKS } from '../verify/verify.ts';

let world: TestPlatform;
beforeAll(async () => (world = await createTestPlatform()));
afterAll(() => world.close());

test('every check has its name in Chinese, and no other has', () => {
  const checks = [...CHECKS, ...recentChecks(0n)].map(({ name }) => name);
  expect(Object.keys(names).toSorted()).toEqual([...new Set(checks)].toSorted());
});

test('a Chinese reader gets broken checks and broken seals in Chinese', async () => {
  const { platform } = world;
  const check = 'the balances of every currency sum to zero';
  const { id: userId } = await makeUser(platform, { role: 'superAdmin' });
  const detail = 'INR: 5';
  await raiseAlert(platform, { kind: 'verifyFailed', subject: check, data: { check } });
  const data = { sealed: 'audit', row: '7', fault: 'changed' };
  await raiseAlert(platform, { kind: 'auditChainBroken', subject: 'audit:7', data });
  await platform.db.query(sql`
    insert into verify_runs (id, scope, checks, broken, started_at, duration_ms)
    values (1, 'whole', 1, ${JSON.stringify([{ name: check, detail }])}, ${platform.clock.now()}, 1)`);
  await platform.db.query(sql`
    insert into job_runs (id, job, started_by, started_at, ended_at, result)
    values (1, 'verify', ${userId}, ${platform.clock.now()}, ${platform.clock.now()}, ${JSON.stringify({ broken: [check] })})`);

  const viewer = { ...viewerOf(platform, { role: 'superAdmin', userId }), locale: 'zh-CN' as const };
  const { list } = await ask(platform, viewer, getAlerts, {});
  expect(new Set(list.map(({ text, subject }) => `${subject}: ${text}`))).toEqual(
    new Set([
      'audit:7: 审计封存校验不通过：审计记录 7 被修改',
      '每种货币的余额之和为零: 核对项“每种货币的余额之和为零”不成立，首个异常记录见“账目核对”',
    ]),
  );
  const runs = await ask(platform, viewer, getVerifyRuns, {});
  expect(runs.list[0]!.broken).toEqual([{ name: '每种货币的余额之和为零', detail }]);
  const { jobs } = await ask(platform, viewer, getSystemState, {});
  expect(jobs.find(({ job }) => job === 'verify')!.result).toEqual({ broken: ['每种货币的余额之和为零'] });
});
