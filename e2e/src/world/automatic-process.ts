import { readFileSync } from 'node:fs';
import { inDataDir } from './demo.ts';
import { openDatabase, sql } from '../../../server/src/db/database.ts';

/**
 * The payout is held as a batch or a gateway's dispatch holds it. No call does just this: it is what a process leaves behind
 * that has stopped half-way.
 */
export async function holdByProcess(orderCode: string): Promise<void> {
  const file = inDataDir('postgres.json');
  const { password, port } = JSON.parse(readFileSync(file, 'utf8')) as { password: string; port: number };
  const db = openDatabase(`postgres://sangam:${password}@127.0.0.1:${port}/sangam`, { maxConnections: 1 });
  await db.query(sql`
    update payout_orders set locked_by = 'batch/1', locked_at = now() where id = ${BigInt(orderCode)}`);
  await db.close();
}
