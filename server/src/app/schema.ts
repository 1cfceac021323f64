import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../platform/db/embedded.ts';
import { migrate } from '../platform/db/migrate.ts';
import { readSchema, SCHEMA_FILE, staleLine } from '../platform/db/schema.ts';

/**
 * `npm run schema -- write | check`: writes server/migrations/generated/schema.sql from a new database with all migrations, or ends with 1
 * when the file is out of date.
 */
async function run(action: string | undefined): Promise<void> {
  if (action !== 'write' && action !== 'check') throw new Error('Usage: npm run schema -- write | check');
  const schema = await migratedSchema();
  if (action === 'write') {
    await writeFile(SCHEMA_FILE, schema);
    return;
  }
  const stale = staleLine(await readFile(SCHEMA_FILE, 'utf8'), schema);
  if (stale) throw new Error(stale);
}

async function migratedSchema(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sangam-schema-'));
  try {
    const server = await startEmbedded({ dataDir, log: () => undefined });
    try {
      await migrate(server.url);
      return await readSchema(server.url);
    } finally {
      await server.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

try {
  await run(process.argv[2]);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
