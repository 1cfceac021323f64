import type { Currency } from '@sangam/contract/money.ts';
import { empty, type Queryable, type Sql, type Tx, sql } from '../../platform/db/database.ts';
import { lowestIdAfter } from '../../platform/db/ids.ts';
import { dayNumber } from './due-day.ts';
import { unnestRows } from '../../platform/db/unnest-rows.ts';

export interface Run {
  readonly id: bigint;
  /** `YYYY-MM-DD`. */
  readonly throughDay: string;
  readonly merchantId: bigint | null;
  /** The user who started it; null for the daily run. */
  readonly startedBy: bigint | null;
  /** The request for an early run; null for another run. */
  readonly approvalId: bigint | null;
}

/** A pending balance of one merchant, currency and due day. */
export interface Due {
  readonly accountId: bigint;
  readonly merchantId: bigint;
  readonly currency: Currency;
  /** As `dayNumber` counts. */
  readonly slot: number;
  /** What a run may move of it, in minor units, as it stood when read. */
  readonly balance: bigint;
}

/** A balance that an early run is asked to move, with its amount then. */
export interface Asked {
  readonly ledgerAccountId: bigint;
  readonly currency: Currency;
  readonly amount: bigint;
  /** The snapshot of PostgreSQL that saw this amount. */
  readonly asOf: string;
}

type Which = Pick<Run, 'throughDay' | 'merchantId' | 'approvalId'>;

// The cast to int: a slot is a smallint, and the day asked for may lie beyond its range.
function dueFor({ throughDay, merchantId, approvalId }: Which): Sql {
  return sql`a.bucket = 'pending' and a.owner_kind = 'merchant' and a.slot <= ${dayNumber(throughDay)}::int and a.balance > 0
    ${merchantId === null ? empty : sql`and a.owner_id = ${merchantId}`}
    ${approvalId === null ? empty : sql`and coalesce(${leftOf(approvalId)}, 0) > 0`}`;
}

/** SQL: what is left in the balance `a` of the money that was asked for. What came since fills no place of money that has gone. */
const leftOf = (approvalId: bigint): Sql => sql`(
  select least(k.amount, a.balance - coalesce((
    select sum(e.amount) from ledger_entries e
    where e.account_id = a.id and e.id > ${lowestIdAfter(approvalId)} and e.amount > 0
      and not pg_visible_in_snapshot(e.tx_id::text::xid8, k.as_of)), 0))::bigint
  from settlement_asked k where k.approval_id = ${approvalId} and k.ledger_account_id = a.id)`;

/** SQL: what a run may move of the balance `a`. An early run moves nothing that came after it was asked for. */
const movable = ({ approvalId }: Which): Sql => (approvalId === null ? sql`a.balance` : leftOf(approvalId));

/**
 * Writes a run and returns its id. A daily run is written only if something is due and no daily run of the day is open; otherwise
 * undefined. The day may have a daily run that has ended: a node whose clock is behind can credit money for that day afterwards.
 */
export async function insertRun(tx: Tx, run: Run & { readonly at: Date }): Promise<bigint | undefined> {
  // Without the lock, a run that ends during the statement has moved what its snapshot still counts: a second, empty run.
  if (run.startedBy === null) await tx.query(sql`select pg_advisory_xact_lock(hashtext('dailySettlement'))`);
  const [row] = await tx.query<{ id: bigint }>(sql`
    insert into settlement_runs (id, through_day, merchant_id, started_by, approval_id, total, started_at)
    select ${run.id}, ${run.throughDay}::date, ${run.merchantId}::bigint, ${run.startedBy}::bigint, ${run.approvalId}::bigint, d.total, ${run.at}::timestamptz
    from (select count(*)::int as total from ledger_accounts a where ${dueFor(run)}) d
    where ${run.startedBy}::bigint is not null or (d.total > 0 and not exists (
      select from settlement_runs where through_day = ${run.throughDay}::date and started_by is null and finished_at is null))
    on conflict do nothing returning id`);
  return row?.id;
}

/** Locks the oldest unfinished run that no other node works on. */
export async function lockOpenRun(tx: Tx): Promise<Run | undefined> {
  const [run] = await tx.query<Run>(sql`
    select id, through_day::text as "throughDay", merchant_id as "merchantId", started_by as "startedBy", approval_id as "approvalId"
    from settlement_runs
    where finished_at is null order by id limit 1 for update skip locked`);
  return run;
}

/**
 * Balances that the run has not moved yet. A run moves each balance once. Those of an early run are locked and read again: the money that
 * was asked for may go, and later money come, between reading and posting.
 */
export async function dueOf(tx: Tx, run: Run, limit: number): Promise<Due[]> {
  const due = await readDue(tx, run, limit);
  if (run.approvalId === null || due.length === 0) return due;
  const ids = due.map(({ accountId }) => accountId);
  await tx.query(sql`select from ledger_accounts where id = any(${ids}) order by id for no key update`);
  return readDue(tx, run, limit);
}

function readDue(tx: Tx, run: Run, limit: number): Promise<Due[]> {
  return tx.query<Due>(sql`
    select a.id as "accountId", a.owner_id as "merchantId", a.currency, a.slot, ${movable(run)} as balance from ledger_accounts a
    where ${dueFor(run)} and not exists (
      select from settlement_rows r where r.run_id = ${run.id} and r.ledger_account_id = a.id)
    order by a.id limit ${limit}`);
}

/** What a run would move: sums by currency, and the largest balances with their merchants. */
export async function previewOf(
  db: Queryable,
  wanted: Pick<Run, 'throughDay' | 'merchantId'>,
  limit: number,
): Promise<{
  readonly sums: readonly { readonly currency: Currency; readonly count: number; readonly amount: bigint }[];
  readonly largest: readonly (Due & { readonly merchantName: string })[];
}> {
  const run = { ...wanted, approvalId: null };
  const [sums, largest] = await Promise.all([
    db.query<{ currency: Currency; count: number; amount: bigint }>(sql`
      select a.currency, count(*)::int as count, sum(a.balance)::bigint as amount from ledger_accounts a
      where ${dueFor(run)} group by 1 order by 1`),
    db.query<Due & { merchantName: string }>(sql`
      select a.id as "accountId", a.owner_id as "merchantId", m.name as "merchantName", a.currency, a.slot, a.balance
      from ledger_accounts a join merchants m on m.id = a.owner_id
      where ${dueFor(run)} order by a.balance desc, a.id limit ${limit}`),
  ]);
  return { sums, largest };
}

/** All balances that are due through a day. */
export function allDue(tx: Tx, wanted: Pick<Run, 'throughDay' | 'merchantId'>): Promise<Asked[]> {
  return tx.query<Asked>(sql`
    select a.id as "ledgerAccountId", a.currency, a.balance as amount, pg_current_snapshot()::text as "asOf" from ledger_accounts a
    where ${dueFor({ ...wanted, approvalId: null })} order by a.currency, a.id`);
}

/** Records what an early run may move, with the request that asks for it. A request that was made before keeps what it asked for. */
export async function insertAsked(tx: Tx, approvalId: bigint, asked: readonly Asked[]): Promise<void> {
  await tx.query(sql`
    insert into settlement_asked (approval_id, ledger_account_id, amount, as_of)
    select ${approvalId}, v.ledger_account_id, v.amount, v.as_of::pg_snapshot
    from ${unnestRows({ ledgerAccountId: 'bigint', amount: 'bigint', asOf: 'text' }, asked)}
    where not exists (select from settlement_asked where approval_id = ${approvalId})`);
}

/** Records the moved balances with their postings (found by key), and the run's progress. */
export async function insertRows(
  tx: Tx,
  run: Run,
  moved: readonly (Due & { readonly key: string })[],
  at: Date,
): Promise<void> {
  await tx.query(sql`
    insert into settlement_rows (run_id, ledger_account_id, merchant_id, currency, due_day, amount, posting_id, settled_at)
    select ${run.id}, v.account_id, v.merchant_id, v.currency, date '1970-01-01' + v.slot, v.amount, p.id, ${at}
    from ${unnestRows(
      {
        accountId: 'bigint',
        merchantId: 'bigint',
        currency: 'text',
        slot: 'int',
        amount: 'bigint',
        key: 'text',
      },
      moved.map((due) => ({ ...due, amount: due.balance })),
    )}
    join postings p on p.key = v.key`);
  await tx.query(sql`
    update settlement_runs set done = done + ${moved.length}, total = greatest(total, done + ${moved.length}) where id = ${run.id}`);
}

/** Ends a run; returns how many balances it moved. */
export async function finishRun(tx: Tx, runId: bigint, at: Date): Promise<number> {
  const [row] = await tx.query<{ done: number }>(sql`
    update settlement_runs set finished_at = ${at} where id = ${runId} returning done`);
  return row!.done;
}
