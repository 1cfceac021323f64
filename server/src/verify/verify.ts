import { MINUTE, SECOND } from '../platform/clock.ts';
import { type Database, type Sql, type Tx, raw, sql } from '../platform/db/database.ts';
import { BATCH_CHECKS } from './batch-checks.ts';
import { CHAIN_CHECKS } from './chain-checks.ts';
import { type Check, type Folded, type IdRange, type Read, WALKED, type Walked } from './check.ts';
import { CONTRADICTION_CHECKS } from './contradiction-checks.ts';
import { DECISION_CHECKS } from './decision-checks.ts';
import { EVIDENCE_CHECKS } from './evidence-checks.ts';
import { LEDGER_CHECKS } from './ledger-checks.ts';
import { MONEY_CHECKS } from './money-checks.ts';
import { ORDER_CHECKS } from './order-checks.ts';
import { PAYOUT_CHECKS } from './payout-checks.ts';
import { PROOF_CHECKS } from './proof-checks.ts';
import { SAID_CHECKS } from './said-checks.ts';
import { STATISTICS_CHECKS } from './statistics-checks.ts';
import { SEAL_CHECKS } from './seal-checks.ts';
import { SOURCE_CHECKS } from './source-checks.ts';

export const CHECKS: readonly Check[] = [
  ...LEDGER_CHECKS,
  ...MONEY_CHECKS,
  ...PAYOUT_CHECKS,
  ...BATCH_CHECKS,
  ...ORDER_CHECKS,
  ...SOURCE_CHECKS,
  ...EVIDENCE_CHECKS,
  ...PROOF_CHECKS,
  ...CONTRADICTION_CHECKS,
  ...DECISION_CHECKS,
  ...SAID_CHECKS,
  ...CHAIN_CHECKS,
  ...STATISTICS_CHECKS,
  ...SEAL_CHECKS,
];

export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  /** The first row that breaks the check. */
  readonly detail: string | null;
  /** The check ran into its time limit: its result is unknown, and it is not ok. */
  readonly unfinished: boolean;
}

/** Reads one snapshot of the database, for which writers need not wait. */
export type Snapshot = <Result>(read: (tx: Tx) => Promise<Result>) => Promise<Result>;

/** The longest snapshot: while it lasts, PostgreSQL cannot remove dead rows, which slows rows that change often. */
const SNAPSHOT_LIMIT = 10 * SECOND;
/** A whole run ends after this time; checks that have not run yet are unfinished. */
const RUN_LIMIT = 60 * MINUTE;
/** Rows that a check reads in one snapshot. */
const RANGE_ROWS = 20_000;
const MAX_ID = 2n ** 63n - 1n;
/** Ids of a folded check that are checked again alone. More are not needed to see that it is broken. */
const SUSPECTS = 20;
/** A table without planner statistics is analyzed from this many rows on. */
const BLIND_ROWS = 10_000;

/**
 * Snapshots of a database. Tables without statistics (just filled, before autovacuum) are analyzed first: planned without
 * statistics, one check over a million rows took minutes.
 */
export async function snapshotsOf(db: Database): Promise<Snapshot> {
  const unknown = await db.query<{ table: string }>(sql`
    select distinct coalesce(i.inhparent, s.relid)::regclass::text as table
    from pg_stat_user_tables s left join pg_inherits i on i.inhrelid = s.relid
    where s.last_analyze is null and s.last_autoanalyze is null and s.n_mod_since_analyze >= ${BLIND_ROWS}`);
  for (const { table } of unknown) await db.query(sql`analyze ${raw(table)}`);
  return (read) =>
    db.tx(
      async (tx) => {
        await tx.query(sql`set transaction isolation level repeatable read read only`);
        return read(tx);
      },
      SNAPSHOT_LIMIT + 5 * SECOND,
    );
}

/** Runs the checks one after another; answers each result when the caller asks for the next. */
export async function* verify(
  snapshot: Snapshot,
  checks: readonly Check[] = CHECKS,
  { snapshotLimit = SNAPSHOT_LIMIT, runLimit = RUN_LIMIT, rangeRows = RANGE_ROWS } = {},
): AsyncGenerator<CheckResult, void, void> {
  const endsAt = performance.now() + runLimit;
  const ranges = new Map<Walked, Promise<IdRange[]>>();
  const rangesOf = (table: Walked) => {
    const known = ranges.get(table) ?? split(snapshot, table, rangeRows);
    ranges.set(table, known);
    return known;
  };
  for (const check of checks) {
    const read = <Row>(statement: Sql): Promise<Row[]> => {
      if (performance.now() > endsAt) throw new OutOfTime(runLimit);
      return snapshot((tx) => limited<Row>(tx, statement, snapshotLimit));
    };
    yield await run(read, { rangesOf, rangeRows }, check);
  }
}

interface Ranges {
  readonly rangesOf: (table: Walked) => Promise<IdRange[]>;
  readonly rangeRows: number;
}

async function run(read: Read, ranges: Ranges, check: Check): Promise<CheckResult> {
  const { name } = check;
  try {
    const detail = await firstBroken(read, ranges, check);
    return { name, ok: detail === null, detail, unfinished: false };
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    return { name, ok: false, detail: error.message, unfinished: true };
  }
}

async function firstBroken(
  read: Read,
  { rangesOf, rangeRows }: Ranges,
  check: Check,
): Promise<string | null> {
  if ('part' in check) return foldBroken(read, await rangesOf(check.walks), check);
  const statements =
    'walks' in check
      ? (await rangesOf(check.walks)).map(check.statement)
      : 'statements' in check
        ? await check.statements(read, rangeRows)
        : [check.statement];
  for (const statement of statements) {
    const [broken] = await first(read, statement);
    if (broken) return broken.detail;
  }
  return null;
}

// Materialized: with a bare limit 1 the planner expects a broken row soon and uses nested loops (measured: 33 s instead of 0.1
// s).
const first = (read: Read, statement: Sql) =>
  read<{ detail: string }>(sql`with broken as materialized (${statement}) select detail from broken limit 1`);

interface Sum {
  readonly id: bigint;
  readonly value: string;
}

async function foldBroken(read: Read, ranges: readonly IdRange[], check: Folded): Promise<string | null> {
  const sums = new Map<bigint, bigint>();
  const add = ({ id, value }: Sum, sign: 1n | -1n) =>
    sums.set(id, (sums.get(id) ?? 0n) + sign * BigInt(value));
  for (const range of ranges.slice(0, -1)) for (const sum of await read<Sum>(check.part(range))) add(sum, 1n);
  // In one snapshot: the last range, into which rows still come, and what all parts must add up to.
  const last = await read<Sum & { readonly isPart: boolean }>(sql`
    select id, value, true as "isPart" from (${check.part(ranges.at(-1)!)}) p
    union all select id, value, false from (${check.whole}) w`);
  for (const sum of last) add(sum, sum.isPart ? 1n : -1n);
  const suspects = [...sums].filter(([, off]) => off !== 0n).map(([id]) => id);
  for (const id of suspects.toSorted((a, b) => (a < b ? -1 : 1)).slice(0, SUSPECTS)) {
    const [broken] = await first(read, check.exact(id));
    if (broken) return broken.detail;
  }
  return null;
}

/** Ranges of so many rows each. The last one is open, for rows that come meanwhile. */
async function split(snapshot: Snapshot, table: Walked, rows: number): Promise<IdRange[]> {
  const ranges: IdRange[] = [];
  for (let from = 0n; ;) {
    const [next] = await snapshot((tx) =>
      tx.query<{ id: bigint }>(sql`
        select id from ${WALKED[table]} where id >= ${from} order by id offset ${rows} limit 1`),
    );
    ranges.push({ from, below: next?.id ?? MAX_ID });
    if (!next) return ranges;
    from = next.id;
  }
}

class OutOfTime extends Error {
  constructor(limit: number) {
    super(`not finished within ${limit / SECOND} s`);
  }
}

const CANCELED = '57014';

/** Runs a statement with a limit in ms. At the limit it throws OutOfTime, and the transaction goes on as before the statement. */
async function limited<Row>(tx: Tx, statement: Sql, limit: number): Promise<Row[]> {
  tx.send(sql`savepoint verify_check`);
  tx.send(sql`select set_config('statement_timeout', ${String(limit)}, true)`);
  try {
    const rows = await tx.query<Row>(statement);
    await tx.query(sql`release savepoint verify_check`);
    return rows;
  } catch (error) {
    if ((error as { code?: unknown }).code !== CANCELED) throw error;
    await tx.query(sql`rollback to savepoint verify_check`);
    throw new OutOfTime(limit);
  }
}
