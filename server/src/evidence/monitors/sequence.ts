import { type Queryable, hot, sql } from '../../platform/db/database.ts';
import type { IdMaker } from '../../platform/db/ids.ts';

export interface MonitorCredentials {
  readonly id: bigint;
  readonly supplierId: bigint;
  /** Sealed by the vault. */
  readonly secret: Buffer;
}

export async function findMonitor(db: Queryable, monitorId: bigint): Promise<MonitorCredentials | undefined> {
  const rows = await db.query<MonitorCredentials>(
    hot(
      'find monitor',
      sql`select id, supplier_id as "supplierId", secret from monitors where id = ${monitorId} and enabled`,
    ),
  );
  return rows[0];
}

export interface SequenceUse {
  readonly monitorId: bigint;
  readonly sequence: bigint;
  readonly now: Date;
}

/**
 * Advances a monitor's sequence number to this call's and returns the number before. A repeat advances nothing. A repeat or a hole is
 * written to the monitor's log before anything of the call is parsed.
 */
export async function advanceSequence(
  db: Queryable,
  ids: IdMaker,
  use: SequenceUse,
): Promise<{ readonly advanced: boolean; readonly last: bigint }> {
  const { monitorId, sequence, now } = use;
  // One statement, which is a transaction of its own, because every report of every device begins with it.
  const [row] = await db.query<{ last: bigint; advanced: boolean }>(
    hot(
      'monitor sequence',
      sql`
    with before as (
      select id, last_sequence as last, last_sequence < ${sequence} as advanced from monitors where id = ${monitorId} for update
    ), advance as (
      update monitors m set last_sequence = ${sequence}, last_seen_at = ${now}
      from before where m.id = before.id and before.advanced
    ), logged as (
      insert into monitor_log (id, monitor_id, phase, detail, created_at)
      select ${ids.next()}, id, case when advanced then 'received' else 'failed' end, case when advanced
        then jsonb_build_object('sequenceHole', jsonb_build_array((last + 1)::text, (${sequence}::bigint - 1)::text))
        else jsonb_build_object('reason', 'sequenceRepeated', 'sequence', ${sequence}::bigint::text, 'last', last::text) end, ${now}
      from before where last <> ${sequence}::bigint - 1
    )
    select last, advanced from before`,
    ),
  );
  return row!;
}
