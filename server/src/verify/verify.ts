import { MINUTE, SECOND } from '../platform/clock.ts';
import { type Database, type Tx, raw, sql } from '../platform/db/database.ts';
import { BATCH_CHECKS } from './batch-checks.ts';
import { CHAIN_CHECKS } from './chain-checks.ts';
import type { Check } from './check.ts';
import { EVIDENCE_CHECKS } from './evidence-checks.ts';
import { LEDGER_CHECKS } from './ledger-checks.ts';
import { MONEY_CHECKS } from './money-checks.ts';
import { ORDER_CHECKS } from './order-checks.ts';
import { PAYOUT_CHECKS } from './payout-checks.ts';

export const CHECKS: readonly Check[] = [
  ...LEDGER_CHECKS,
  ...MONEY_CHECKS,
  ...PAYOUT_CHECKS,
  ...BATCH_CHECKS,
  ...ORDER_CHECKS,
  ...EVIDENCE_CHECKS,
  ...CHAIN_CHECKS,
];

export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  /** The first row that does not hold. */
  readonly detail: string | null;
  /** It ran into its limit: nothing is known of it, and it is not ok. */
  readonly unfinished: boolean;
}

/** A check that takes longer is broken off: its snapshot keeps every dead row of the database from being cleared away. */
const CHECK_LIMIT = 5 * MINUTE;
/** Rows of a table that has none of the planner's statistics yet, from which on it is not left to guess. */
const BLIND_ROWS = 10_000;

/**
 * Runs checks on one moment of the database, which writers need not wait for. Tables of which nothing is known (filled at
 * once, and autovacuum has not come by yet) are analyzed first: planned blindly, one check over a million such rows took minutes.
 */
export async function atOneMoment<Result>(db: Database, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const unknown = await db.query<{ table: string }>(sql`
    select distinct coalesce(i.inhparent, s.relid)::regclass::text as table
    from pg_stat_user_tables s left join pg_inherits i on i.inhrelid = s.relid
    where s.last_analyze is null and s.last_autoanalyze is null and s.n_mod_since_analyze >= ${BLIND_ROWS}`);
  for (const { table } of unknown) await db.query(sql`analyze ${raw(table)}`);
  return db.tx(
    async (tx) => {
      await tx.query(sql`set transaction isolation level repeatable read read only`);
      return work(tx);
    },
    CHECK_LIMIT + 5 * SECOND,
  );
}

/**
 * Runs one check after the other, each answering when it is asked for; see atOneMoment for its transaction.
 */
export async function* verify(tx: Tx): AsyncGenerator<CheckResult, void, void> {
  for (const check of CHECKS) {
    yield await runCheck(tx, check);
  }
}

const CANCELED = '57014';

/** What comes of one check. Broken off at its limit (ms), the transaction goes on as if it had not been asked. */
export async function runCheck(
  tx: Tx,
  { name, statement }: Check,
  limit: number = CHECK_LIMIT,
): Promise<CheckResult> {
  tx.send(sql`savepoint verify_check`);
  tx.send(sql`select set_config('statement_timeout', ${String(limit)}, true)`);
  try {
    // Materialized: with a bare limit 1 the planner hopes to meet a broken row early and loops (measured: 33 s for 0.1 s).
    const [broken] = await tx.query<{ detail: string }>(sql`
      with broken as materialized (${statement}) select detail from broken limit 1`);
    await tx.query(sql`release savepoint verify_check`);
    return { name, ok: broken === undefined, detail: broken?.detail ?? null, unfinished: false };
  } catch (error) {
    if ((error as { code?: unknown }).code !== CANCELED) throw error;
    await tx.query(sql`rollback to savepoint verify_check`);
    const detail = `not finished within ${limit / SECOND} s`;
    return { name, ok: false, detail, unfinished: true };
  }
}
