import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../platform/db/embedded.ts';
import { openDatabase } from '../platform/db/database.ts';
import { migrate } from '../platform/db/migrate.ts';
import { DAY } from '../platform/clock.ts';
import { ensurePartitions } from '../platform/db/partitions.ts';
import { APPLICATION_ROLE, ensureApplicationRole, grantRights } from '../platform/db/rights.ts';
import { FakeClock } from './clock.ts';
import { databaseUrl, runOn } from './database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    testServer: { url: string; applicationUrl: string; template: string };
  }
}

/** Nothing here must survive a power cut. Autovacuum is off, because it may be connected to the template while a test file clones it. */
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' };

const MEMORY = '/dev/shm';
/** Several times what a run needs there. */
const ROOM_BYTES = 4e9;

/**
 * In memory when there is room. On ext4 a clone took 60 ms, and 400 to 1,400 ms after other databases had been dropped, because the file
 * system skips their inodes one by one for some time.
 */
async function parentFolder(): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => undefined);
  return memory && memory.bavail * memory.bsize > ROOM_BYTES ? MEMORY : tmpdir();
}

/** One PostgreSQL for a run (or the server of TEST_DATABASE_URL), with a migrated template that test files clone. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer();
  const template = `sangam_template_${randomBytes(4).toString('hex')}`;
  const tearDown = async (): Promise<void> => {
    await runOn(server.url, `drop database if exists ${template} with (force)`);
    await server.stop();
  };
  try {
    await runOn(server.url, `create database ${template}`);
    await migrate(databaseUrl(server.url, template));
    await partition(databaseUrl(server.url, template));
    await grantRights(databaseUrl(server.url, template), APPLICATION_ROLE);
  } catch (error) {
    await tearDown();
    throw error;
  }
  const { url, applicationUrl } = server;
  project.provide('testServer', { url, applicationUrl, template });
  return tearDown;
}

/**
 * Makes partitions in the template for the month in which tests begin and the next one. Made by each test file, they took most of the time
 * of its database. With all six that a node makes, statements take an eighth longer, because planning opens each. A test that goes further
 * calls `makePartitions`.
 */
async function partition(url: string): Promise<void> {
  const db = openDatabase(url);
  const now = new FakeClock().now();
  try {
    await ensurePartitions(db, now, new Date(now.getTime() + 31 * DAY));
  } finally {
    await db.close();
  }
}

interface Server {
  readonly url: string;
  readonly applicationUrl: string;
  stop(): Promise<void>;
}

async function startServer(): Promise<Server> {
  const url = process.env['TEST_DATABASE_URL'];
  if (url) return { url, applicationUrl: await applicationUrlOf(url), stop: () => Promise.resolve() };
  const dataDir = await mkdtemp(join(await parentFolder(), 'sangam-test-'));
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const server = await startEmbedded({ dataDir, log: () => undefined, settings: FAST });
    const stop = () => server.stop().then(remove);
    return { url: server.url, applicationUrl: server.applicationUrl, stop };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function applicationUrlOf(ownerUrl: string): Promise<string> {
  const password = randomBytes(12).toString('hex');
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await ensureApplicationRole(client, password);
  } finally {
    await client.end();
  }
  const url = new URL(ownerUrl);
  [url.username, url.password] = [APPLICATION_ROLE, password];
  return url.href;
}
