import { randomBytes } from 'node:crypto';
import { type Queryable, type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';

/** Creates the monitor of a rail that the platform watches itself. Nobody is shown its secret. Returns its id. */
export async function insertMonitor(
  platform: Pick<Platform, 'vault'>,
  tx: Tx,
  monitor: { readonly supplierId: bigint; readonly name: string },
): Promise<bigint> {
  const [row] = await tx.query<{ id: bigint }>(sql`
    insert into monitors (supplier_id, name, secret) values (${monitor.supplierId}, ${monitor.name}, '') returning id`);
  const { id } = row!;
  await setMonitorSecret(platform, tx, id, newMonitorSecret());
  return id;
}

/** 64 hex digits. */
export const newMonitorSecret = (): string => randomBytes(32).toString('hex');

/** Stores a secret, sealed for its row. False: there is no such monitor. */
export async function setMonitorSecret(
  { vault }: Pick<Platform, 'vault'>,
  tx: Tx,
  id: bigint,
  secret: string,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update monitors set secret = ${vault.seal(secret, ['monitors.secret', id])} where id = ${id} returning 1`);
  return rows.length > 0;
}

/** Notes that the monitor is online. */
export async function noteSeen(db: Queryable, monitorId: bigint, at: Date): Promise<void> {
  await db.query(sql`update monitors set last_seen_at = ${at} where id = ${monitorId}`);
}
