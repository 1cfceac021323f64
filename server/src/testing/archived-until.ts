import { type Database, sql } from '../platform/db/database.ts';

/** Writes an archive as if the orders of days up to this one had left the database. `owner`: the owner of the tables. */
export async function archivedUntil(owner: Database, day: string): Promise<void> {
  await owner.query(sql`
    insert into archives (id, table_name, month, part, until, state, file, hash, key_id, signature, started_at, checked_at, ended_at)
    values (1, 'collection_orders', date_trunc('month', ${day}::date)::date, 1, ${day}::date, 'removed', 'orders', sha256('x'), 'x',
      sha256('x') || sha256('y'), now(), now(), now())`);
}
