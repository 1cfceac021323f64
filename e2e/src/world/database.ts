import { readFileSync } from 'node:fs';
import { type Database, openDatabase } from '@sangam/server/platform/db/database.ts';
import { inDataDir } from './demo.ts';

/** Works directly in the world's database, for what no call can do. */
export async function inDatabase<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
  const file = inDataDir('postgres.json');
  const { password, port } = JSON.parse(readFileSync(file, 'utf8')) as { password: string; port: number };
  const db = openDatabase(`postgres://sangam:${password}@127.0.0.1:${port}/sangam`, { maxConnections: 1 });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}
