import { type Queryable, type Tx, sql } from '../../platform/db/database.ts';

/** Writes a monitor that is no device: a rail that the platform asks by itself. Answers its id. */
export async function insertMonitor(
  tx: Tx,
  monitor: { readonly supplierId: bigint; readonly name: string; readonly secret: Buffer },
): Promise<bigint> {
  const [row] = await tx.query<{ id: bigint }>(sql`
    insert into monitors (supplier_id, name, secret) values (${monitor.supplierId}, ${monitor.name}, ${monitor.secret})
    returning id`);
  return row!.id;
}

/** Something was heard of the monitor: it is online. */
export async function noteSeen(db: Queryable, monitorId: bigint, at: Date): Promise<void> {
  await db.query(sql`update monitors set last_seen_at = ${at} where id = ${monitorId}`);
}
