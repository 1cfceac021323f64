import { type Queryable, sql, type Tx } from '../../platform/db/database.ts';

export interface ErrorEntry {
  readonly id: bigint;
  readonly userId: bigint;
  readonly day: string;
  readonly kind: 'script' | 'ajax';
  readonly code: number;
  readonly message: string;
  readonly url: string;
  readonly stack: string | null;
  readonly userAgent: string;
  readonly fingerprint: Buffer;
  readonly at: Date;
}

/** Counts up the row if the user had the same error on the same day. Otherwise adds a row, up to `most` a day. */
export async function upsertError(tx: Tx, entry: ErrorEntry, most: number): Promise<void> {
  await tx.query(sql`
    insert into error_log
      (id, user_id, day, kind, code, message, url, stack, user_agent, fingerprint, first_at, last_at)
    select ${entry.id}::bigint, ${entry.userId}::bigint, ${entry.day}::date, ${entry.kind}::text, ${entry.code}::int,
      ${entry.message}::text, ${entry.url}::text, ${entry.stack}::text, ${entry.userAgent}::text,
      ${entry.fingerprint}::bytea, ${entry.at}::timestamptz, ${entry.at}::timestamptz
    where (select count(*) from error_log where user_id = ${entry.userId} and day = ${entry.day}) < ${most}
      or exists (select 1 from error_log
        where user_id = ${entry.userId} and day = ${entry.day} and fingerprint = ${entry.fingerprint})
    on conflict (user_id, day, fingerprint) do update
    set count = error_log.count + 1, last_at = excluded.last_at, url = excluded.url`);
}

/** Deletes errors last seen before a moment. Answers how many, at most `limit`. */
export async function deleteErrorsBefore(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query(sql`
    delete from error_log where id in (select id from error_log where last_at < ${before} limit ${limit})
    returning id`);
  return rows.length;
}
