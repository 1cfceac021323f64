import { type Queryable, type Tx, sql } from '../platform/db/database.ts';

export async function findLock(
  db: Queryable,
  account: string,
  source: string,
  now: Date,
): Promise<Date | undefined> {
  const rows = await db.query<{ lockedUntil: Date }>(sql`
    select locked_until as "lockedUntil" from sign_in_failures
    where account = ${account} and ip = ${source} and locked_until > ${now}`);
  return rows[0]?.lockedUntil;
}

export interface FailureCount {
  readonly account: string;
  /** Stored in column `ip` (net/source.ts). */
  readonly source: string;
  readonly now: Date;
  /** Failures before this time no longer count. */
  readonly forgottenBefore: Date;
  readonly most: number;
  readonly lockedUntil: Date;
}

/** Counts one failure and locks at the last allowed one; answers how many count now. */
export async function countFailure(tx: Tx, count: FailureCount): Promise<number> {
  const stale = sql`(sign_in_failures.last_at <= ${count.forgottenBefore} or sign_in_failures.locked_until <= ${count.now})`;
  const rows = await tx.query<{ failures: number }>(sql`
    insert into sign_in_failures (account, ip, failures, locked_until, last_at)
    values (${count.account}, ${count.source}, 1, null, ${count.now})
    on conflict (account, ip) do update set
      failures = case when ${stale} then 1 else sign_in_failures.failures + 1 end,
      locked_until = case
        when ${stale} then null
        when sign_in_failures.failures + 1 >= ${count.most} then ${count.lockedUntil}::timestamptz
        else sign_in_failures.locked_until end,
      last_at = ${count.now}
    returning failures`);
  return rows[0]?.failures ?? 0;
}

export async function forgetFailures(tx: Tx, account: string, source: string): Promise<void> {
  await tx.query(sql`delete from sign_in_failures where account = ${account} and ip = ${source}`);
}

export async function deleteFailuresBefore(tx: Tx, moment: Date, now: Date): Promise<void> {
  await tx.query(sql`
    delete from sign_in_failures where last_at < ${moment} and (locked_until is null or locked_until <= ${now})`);
}
