import { type Database, type Tx, sql } from '../db/database.ts';
import type { IdMaker } from '../db/ids.ts';

export interface MonitorCredentials {
  readonly id: bigint;
  readonly supplierId: bigint;
  /** Sealed by the vault. */
  readonly secret: Buffer;
}

export async function findMonitor(db: Database, monitorId: bigint): Promise<MonitorCredentials | undefined> {
  const rows = await db.query<MonitorCredentials>(
    sql`select id, supplier_id as "supplierId", secret from monitors where id = ${monitorId}`,
  );
  return rows[0];
}

export interface SequenceUse {
  readonly monitorId: bigint;
  readonly sequence: bigint;
  readonly now: Date;
}

/**
 * Advances a monitor to this call's sequence number and answers the one before. A repeat advances nothing; a
 * repeat or a hole is written to the monitor's log, before anything of the call is parsed.
 */
export async function advanceSequence(
  db: Database,
  ids: IdMaker,
  use: SequenceUse,
): Promise<{ readonly advanced: boolean; readonly last: bigint }> {
  const { monitorId, sequence, now } = use;
  return db.tx(async (tx) => {
    const rows = await tx.query<{ last: bigint; advanced: boolean }>(sql`
      with before as (select id, last_sequence from monitors where id = ${monitorId} for update),
      advance as (
        update monitors m set last_sequence = ${sequence}, last_seen_at = ${now}
        from before where m.id = before.id and before.last_sequence < ${sequence}
        returning m.id
      )
      select last_sequence as last, exists (select from advance) as advanced from before`);
    const { last, advanced } = rows[0]!;
    if (!advanced) {
      await log(tx, ids, use, 'failed', {
        reason: 'sequenceRepeated',
        sequence: String(sequence),
        last: String(last),
      });
    } else if (sequence > last + 1n) {
      await log(tx, ids, use, 'received', { sequenceHole: [String(last + 1n), String(sequence - 1n)] });
    }
    return { advanced, last };
  });
}

async function log(
  tx: Tx,
  ids: IdMaker,
  use: SequenceUse,
  phase: 'failed' | 'received',
  detail: object,
): Promise<void> {
  await tx.query(sql`
    insert into monitor_log (id, monitor_id, phase, detail, created_at)
    values (${ids.next()}, ${use.monitorId}, ${phase}, ${JSON.stringify(detail)}, ${use.now})`);
}
