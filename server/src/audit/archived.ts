import { createHash } from 'node:crypto';
import type { AuditSeal } from '../platform/audit/signing-key.ts';
import { type Queryable, sql } from '../platform/db/database.ts';

/** Bytes of one row in a list of archived history: its id (8), its order (8), the SHA-256 of its text (32). */
export const ARCHIVED_LEAF = 48;

/** The text that is signed for a list. verify-proof.ts makes the same text. */
export function archivedHead(leaves: Buffer): string {
  return JSON.stringify(['sangam-archived-1', createHash('sha256').update(leaves).digest('hex')]);
}

export interface ArchivedList {
  readonly leaves: Buffer;
  readonly keyId: string;
  readonly signature: Buffer;
}

/** The lists that may hold some of the ids. */
export function listsWith(db: Queryable, ids: readonly bigint[]): Promise<ArchivedList[]> {
  return db.query<ArchivedList>(sql`
    select leaves, key_id as "keyId", signature from archived_events e
    where exists (select from unnest(${ids}::bigint[]) i (id) where i.id between e.first_id and e.last_id)`);
}

/**
 * Of history rows that the database lacks: what the signed lists say, as id → SHA-256 of the archived text. Covers only orders that are in
 * the archive now; when an order was restored, all its rows must be in the database again.
 */
export async function archivedHashes(
  db: Queryable,
  seal: AuditSeal,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, Buffer>> {
  const found = new Map<bigint, Buffer>();
  if (ids.length === 0) return found;
  const wanted = new Set(ids);
  const orders = new Map<bigint, bigint>();
  for (const { leaves, keyId, signature } of await listsWith(db, ids)) {
    if (!(await seal.verify(keyId, createHash('sha256').update(archivedHead(leaves)).digest(), signature)))
      continue;
    for (let at = 0; at < leaves.length; at += ARCHIVED_LEAF) {
      const id = leaves.readBigInt64BE(at);
      if (!wanted.has(id)) continue;
      found.set(id, leaves.subarray(at + 16, at + ARCHIVED_LEAF));
      orders.set(id, leaves.readBigInt64BE(at + 8));
    }
  }
  const away = await db.query<{ id: bigint }>(sql`
    select order_id as id from archived_orders where order_id = any(${[...new Set(orders.values())]}::bigint[])`);
  const isAway = new Set(away.map(({ id }) => id));
  for (const [id, order] of orders) if (!isAway.has(order)) found.delete(id);
  return found;
}
