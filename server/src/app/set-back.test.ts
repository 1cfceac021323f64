import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealBlock } from '../audit/seal.ts';
import { restored } from '../maintenance/restored.ts';
import { audit } from '../platform/audit/record.ts';
import { HOUR, SECOND } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import { configOf } from '../testing/config.ts';
import { copyDatabase, createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { type Node, type StartOptions, startNode } from './start.ts';

const databases: TestDatabase[] = [];
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sangam-set-back-'));
});
afterAll(async () => {
  for (const each of databases) await each.drop();
  await rm(folder, { recursive: true });
});

const kept = async (making: Promise<TestDatabase>) => {
  const made = await making;
  databases.push(made);
  return made;
};
const fail = (error: unknown) => {
  throw error;
};
function start(
  on: TestDatabase,
  onLost: (error: unknown) => void = fail,
  options: StartOptions = {},
): Promise<Node> {
  const config = {
    ...configOf(on.url),
    role: 'api',
    dataDir: folder,
    masterKey: Buffer.alloc(32, 7),
    auditSigningKey: Buffer.alloc(32, 8),
  } as const;
  return startNode(config, createLog('silent'), onLost, options);
}
/** A node works on the database for a while. */
async function work(on: TestDatabase): Promise<void> {
  const node = await start(on);
  const { platform } = node;
  const entry = { userId: null, action: 'maintenance.end', subject: 'system', ip: null };
  await platform.db.tx((tx) => audit(platform, tx, entry));
  await sealBlock(platform);
  await node.stop();
}

test('no node starts on an older database until it was made safe; another database is none of its business', async () => {
  const database = await kept(createTestDatabase());
  await work(database);
  const old = await kept(copyDatabase(database));
  await work(database);
  await work(database);
  await expect(start(old)).rejects.toThrow('npm run restored');
  const node = await start(old, fail, { isRestoring: true });
  await restored(node.platform, new Date(Date.now() - HOUR));
  await node.stop();
  await work(old);
  await work(await kept(createTestDatabase()));
}, 90_000);

test('a node ends when its database is set back under it', async () => {
  const database = await kept(createTestDatabase());
  await work(database);
  const lost: string[] = [];
  const node = await start(database, (error) => lost.push(String(error)));
  const file = join(folder, 'newest-block.json');
  const noted = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...noted, block: '1000' }));
  await expect
    .poll(() => lost, { timeout: 20 * SECOND })
    .toEqual([expect.stringContaining('npm run restored')]);
  await node.stop();
}, 60_000);
