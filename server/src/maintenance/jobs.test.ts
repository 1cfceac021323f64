import * as contract from '@sangam/contract/endpoints/maintenance.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { makePartitions } from '../platform/db/partitions.ts';
import { loopRounds } from '../platform/loop-watch.ts';
import type { Platform } from '../platform/platform.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import { verifyWhole } from '../verify/job.ts';
import { ASKED_JOBS, runAsked, runScheduled } from './jobs.ts';
import { reportNode } from './report-node.ts';

let node: TestPlatform;
let boss: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  await makePartitions({ db: node.owner, clock: node.clock });
  const { id, account } = await makeUser(node.platform, { role: 'superAdmin' });
  boss = { ...viewerOf(node.platform, { role: 'superAdmin' }), userId: id, account };
});
afterAll(() => node.close());

const jobOf = async (name: (typeof contract.JOBS)[number]) =>
  (await ask(node.platform, boss, contract.getSystemState)).jobs.find(({ job }) => job === name)!;
const jobsWaiting = async () =>
  (await ask(node.platform, boss, contract.getSystemState)).queues.find(({ kind }) => kind === 'jobs');

test('a run by schedule is shown like one that somebody started, and so is when it last went wrong', async () => {
  const { platform } = node;
  const started: string[] = [];
  for (let n = 0; n < 30; n += 1) {
    await runScheduled(platform, 'partitions');
    started.push((await jobOf('partitions')).startTime!);
    node.clock.advance(MINUTE);
  }
  expect(await jobOf('partitions')).toMatchObject({ account: null, failure: null, failedTime: null });
  expect((await jobOf('partitions')).endTime).toBe(started.at(-1));
  const rows = await platform.db.query(sql`select from job_runs`);
  expect(rows).toHaveLength(20);
  await platform.settings.write('DataClearCycle', 400, null);
  // Another node works on the archive.
  await platform.db.query(sql`
    insert into job_leases (name, token, leased_until) values ('archive', ${randomUUID()}, ${new Date(node.clock.now().getTime() + MINUTE)})`);
  await expect(runScheduled(platform, 'archive')).rejects.toThrow('another node');
  const failed = await jobOf('archive');
  expect(failed).toMatchObject({
    failure: 'Error: another node works on the archive',
    failedTime: failed.startTime,
  });
  await platform.db.query(sql`delete from job_leases where name = 'archive'`);
  node.clock.advance(MINUTE);
  await runScheduled(platform, 'archive');
  expect(await jobOf('archive')).toMatchObject({ failure: null, failedTime: failed.startTime });
});

test('checks of the books by schedule are shown without a row for each', async () => {
  const { platform } = node;
  await verifyWhole(platform);
  const first = await jobOf('verify');
  expect(first).toMatchObject({ account: null, running: false, result: { broken: [] }, failedTime: null });
  node.clock.advance(MINUTE);
  await verifyWhole(platform);
  await platform.db.query(sql`
    update verify_runs set broken = '[{"name": "a check", "detail": "a row"}]' where id = (select max(id) from verify_runs)`);
  const broken = await jobOf('verify');
  expect(broken).toMatchObject({ result: { broken: ['a check'] }, failedTime: broken.startTime });
  node.clock.advance(HOUR);
  await verifyWhole(platform);
  expect(await jobOf('verify')).toMatchObject({ result: { broken: [] }, failedTime: broken.startTime });
  expect(await platform.db.query(sql`select from job_runs where job = 'verify'`)).toEqual([]);
});

test('a job for the owner’s connection waits for a node that has it, and is refused when there is none', async () => {
  const { platform } = node;
  const other: Platform = { ...node.anotherNode(), owner: undefined };
  expect((await askRefused(other, boss, contract.runJob, { job: 'partitions' })).code).toBe(
    'ownerNodeMissing',
  );
  expect(await jobsWaiting()).toMatchObject({ count: 0 });

  loopRounds(platform).set(ASKED_JOBS, {
    name: ASKED_JOBS,
    everyMs: 1,
    ranAt: null,
    ms: null,
    failure: null,
  });
  const stop = await reportNode(platform, 7);
  await expect
    .poll(async () => (await ask(platform, boss, contract.getNodes)).list, { timeout: 5_000 })
    .toHaveLength(1);
  await ask(other, boss, contract.runJob, { job: 'partitions' });
  expect((await askRefused(other, boss, contract.runJob, { job: 'partitions' })).code).toBe('conflict');
  node.clock.advance(5 * SECOND);
  expect(await jobsWaiting()).toMatchObject({ count: 1, oldestSeconds: 5 });
  expect(await jobOf('partitions')).toMatchObject({ running: true, account: boss.account });
  await runAsked(platform);
  expect(await jobOf('partitions')).toMatchObject({ running: false, failure: null, account: boss.account });
  expect(await jobsWaiting()).toMatchObject({ count: 0 });

  // Nobody took it for an hour.
  await ask(other, boss, contract.runJob, { job: 'archive' });
  node.clock.advance(2 * HOUR);
  await runAsked(platform);
  expect(await jobOf('archive')).toMatchObject({ running: false, endTime: null });
  await stop();
});
