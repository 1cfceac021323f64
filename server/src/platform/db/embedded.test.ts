import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { isAlive } from './embedded-owner.ts';
import { joinEmbedded, startEmbedded } from './embedded.ts';

// One data folder for all tests, like the life of one server: making a cluster takes most of a test's time.
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sangam-embedded-'));
});
afterAll(() => rm(dataDir, { recursive: true }));

const quiet = () => ({ dataDir, log: () => undefined });

async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Row>(sql);
  await client.end();
  return rows;
}

const postmaster = () =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);

/** Another node process on the same folder. It never stops its database itself. */
async function startNode(): Promise<{ node: ChildProcess; url: string }> {
  const module = new URL('./embedded.ts', import.meta.url).href;
  const script = `import { startEmbedded } from ${JSON.stringify(module)};
    console.log((await startEmbedded({ dataDir: process.argv[1], log() {} })).url);
    process.stdin.on('end', () => process.exit(0)).resume();`;
  const args = [
    '--input-type=module-typescript',
    '--disable-warning=ExperimentalWarning',
    '-e',
    script,
    dataDir,
  ];
  const node = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [url] = (await once(createInterface(node.stdout), 'line')) as [string];
  return { node, url };
}

test('data, address and password survive a restart, and the folder tells nobody the password', async () => {
  const first = await startEmbedded(quiet());
  await query(first.url, 'create table kept (x int); insert into kept values (1)');
  const pid = postmaster();
  await Promise.all([first.stop(), first.stop()]);
  expect(isAlive(pid)).toBe(false);

  const second = await startEmbedded(quiet());
  expect(second.url).toBe(first.url);
  expect(await query(second.url, 'select x from kept')).toEqual([{ x: 1 }]);
  expect(await query(second.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
  for (const file of ['postgres.json', 'postgres.log']) {
    expect((await stat(join(dataDir, file))).mode & 0o077).toBe(0);
  }
  const command = await readFile(`/proc/${postmaster()}/cmdline`, 'utf8').catch(() => '');
  expect(command).not.toContain(new URL(second.url).password);
  await second.stop();
});

test('a second server on the folder is told who has it, and a command beside it joins', async () => {
  const { node, url } = await startNode();
  await expect(startEmbedded(quiet())).rejects.toThrow(
    `Another server (process ${node.pid}) is already running on the data folder ${dataDir}: `,
  );
  const joined = await joinEmbedded(quiet());
  expect(joined.url).toBe(url);
  await joined.stop();
  expect(await query(url, 'select x from kept')).toEqual([{ x: 1 }]);
  node.stdin?.end();
  await once(node, 'exit');
});

test('the database ends with a node that never stopped it', async () => {
  const { node } = await startNode();
  const pid = postmaster();
  node.stdin?.end();
  await once(node, 'exit');
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 5000);
});

test('after kill -9 of the node the next start has everything that was committed', async () => {
  const { node, url } = await startNode();
  await query(url, 'insert into kept values (2)');
  node.kill('SIGKILL');
  await once(node, 'exit');
  const next = await startEmbedded(quiet());
  expect(await query(next.url, 'select x from kept order by x')).toEqual([{ x: 1 }, { x: 2 }]);
  await next.stop();
});

test('a database that outlived even its watcher is stopped by the next start', async () => {
  const { node } = await startNode();
  const orphan = postmaster();
  process.kill(orphan, 'SIGSTOP'); // it cannot act on the watcher's signal, as if the watcher had been killed
  node.kill('SIGKILL');
  await once(node, 'exit');
  const lines: string[] = [];
  const starting = startEmbedded({ dataDir, log: (line) => lines.push(line) });
  await vi.waitFor(() => expect(lines).toHaveLength(1), 5000);
  process.kill(orphan, 'SIGCONT');
  const next = await starting;
  expect(lines).toEqual(['Stopping the database left running by a server that was killed ...']);
  expect(postmaster()).not.toBe(orphan);
  await next.stop();
});

test('after kill -9 of the database as well it recovers', async () => {
  const { node, url } = await startNode();
  await query(url, 'insert into kept values (3)');
  process.kill(postmaster(), 'SIGKILL');
  node.kill('SIGKILL');
  await once(node, 'exit');
  const next = await startEmbedded(quiet());
  expect(await query(next.url, 'select count(*)::int as n from kept')).toEqual([{ n: 3 }]);
  await next.stop();
});

test('a process id left in the folder and given to another program since does not block', async () => {
  await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), `${process.pid}\n`);
  await writeFile(join(dataDir, 'postgres.owner'), `${process.pid} 1\n`);
  const next = await startEmbedded(quiet());
  await next.stop();
});
