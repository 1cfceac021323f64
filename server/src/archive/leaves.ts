import { textOf } from '../audit/leaves.ts';
import { archivedHead, ARCHIVED_LEAF } from '../audit/archived.ts';
import type { AuditSeal } from '../platform/audit/signing-key.ts';
import { type Queryable, type Sql, sql } from '../platform/db/database.ts';
import { sha256 } from './file.ts';

/** Sealed rows that leave the database, by id, as audit/archived.ts reads them. */
export type LeafList = Buffer;

const ROWS = 20_000;

/** The sealed history among the rows `o` of `from`, as it is now. */
export async function eventLeaves(db: Queryable, from: Sql): Promise<LeafList[]> {
  const lists = await db.query<{ leaves: Buffer }>(sql`
    select string_agg(int8send(id) || int8send(order_id) || sha256(convert_to(${textOf('event')}, 'UTF8')), '' order by id) as leaves
    from (select o.*, row_number() over (order by o.id) as place from ${from}) o group by (place - 1) / ${ROWS} order by min(place)`);
  return lists.map(({ leaves }) => leaves);
}

export async function insertLeaves(
  db: Queryable,
  seal: AuditSeal,
  archiveId: bigint,
  lists: readonly LeafList[],
): Promise<void> {
  await db.query(sql`delete from archived_events where archive_id = ${archiveId}`);
  for (const [number, leaves] of lists.entries()) {
    const signature = seal.sign(sha256(archivedHead(leaves)));
    await db.query(sql`
      insert into archived_events (archive_id, number, first_id, last_id, leaves, key_id, signature)
      values (${archiveId}, ${number}, ${leaves.readBigInt64BE(0)}, ${leaves.readBigInt64BE(leaves.length - ARCHIVED_LEAF)},
        ${leaves}, ${seal.keyId}, ${signature})`);
  }
}
