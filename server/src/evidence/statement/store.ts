import type { Currency } from '@sangam/contract/money.ts';
import { DAY, MINUTE } from '../../platform/clock.ts';
import { empty, type Queryable, sql, type Tx } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/db/ids.ts';
import { type Page, type PageInput, readPage } from '../../platform/db/page.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Refusal } from '../../platform/refusal.ts';
import { scopeOf, type Viewer } from '../../platform/viewer.ts';
import type { Compared, Outcome, ReportedMovement } from './compare.ts';
import { columnNames, unnestRows } from '../../platform/db/unnest-rows.ts';

/** The account, if the viewer may see it. */
export async function findAccount(
  db: Queryable,
  viewer: Viewer,
  id: bigint,
): Promise<{ readonly currency: Currency } | undefined> {
  const rows = await db.query<{ currency: Currency }>(sql`
    select a.currency from accounts a where a.id = ${id} ${scopeOf(viewer, { supplier: sql`a.supplier_id` })}`);
  return rows[0];
}

/** Movements of an account that messages reported, each once: duplicates are left out. */
export function reportedMovements(
  db: Queryable,
  accountId: bigint,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<(Omit<ReportedMovement, 'day'> & { readonly at: Date })[]> {
  return db.query(sql`
    select id as "messageId", order_id as "orderId", coalesce(bank_time, received_at) as at, direction, amount, balance,
      utr as reference, text
    from messages
    where account_id = ${accountId} and direction is not null and state <> 'duplicate'
      and id >= ${firstIdAt(from)} and coalesce(bank_time, received_at) < ${to}
    order by id`);
}

/** The account's orders that used these references, by reference. */
export async function ordersOf(
  tx: Tx,
  accountId: bigint,
  references: readonly string[],
): Promise<Map<string, bigint>> {
  if (references.length === 0) return new Map();
  const rows = await tx.query<{ utr: string; id: bigint }>(sql`
    select utr, id from collection_orders where account_id = ${accountId} and utr = any(${[...references]}::text[])`);
  return new Map(rows.map(({ utr, id }) => [utr, id]));
}

interface NewStatement {
  readonly id: bigint;
  readonly accountId: bigint;
  readonly fileName: string;
  readonly sha256: Buffer;
  readonly from: string;
  readonly to: string;
  readonly at: Date;
  readonly userId: bigint;
  readonly lines: readonly Compared[];
}

const LINE = {
  place: 'int',
  row: 'int',
  day: 'date',
  narration: 'text',
  reference: 'text',
  direction: 'text',
  amount: 'bigint',
  balance: 'bigint',
  outcome: 'text',
  messageId: 'bigint',
  orderId: 'bigint',
} as const;

export async function insertStatement(tx: Tx, { lines, ...statement }: NewStatement): Promise<void> {
  await tx.query(sql`
    insert into bank_statements (id, account_id, file_name, sha256, from_day, to_day, created_at, created_by)
    values (${statement.id}, ${statement.accountId}, ${statement.fileName}, ${statement.sha256}, ${statement.from}::date,
      ${statement.to}::date, ${statement.at}, ${statement.userId})`);
  await tx.query(sql`
    insert into bank_statement_lines (statement_id, ${columnNames(LINE)})
    select ${statement.id}, v.* from ${unnestRows(
      LINE,
      lines.map((line, place) => ({ ...line, place })),
    )}`);
}

interface StatementRow {
  readonly id: bigint;
  readonly resourceId: bigint;
  readonly accountName: string;
  readonly fileName: string;
  readonly fromDay: string;
  readonly toDay: string;
  readonly by: string | null;
  readonly at: Date;
  readonly agrees: number;
  readonly amountDiffers: number;
  readonly missingHere: number;
  readonly missingAtBank: number;
}

export function pageOfStatements(
  platform: Platform,
  viewer: Viewer,
  input: PageInput & { readonly resourceId?: string | undefined },
): Promise<Page<StatementRow> | Refusal> {
  const count = (outcome: Outcome) => sql`
    (select count(*)::int from bank_statement_lines l where l.statement_id = b.id and l.outcome = ${outcome})`;
  return readPage<StatementRow>(platform, input, {
    columns: sql`b.id, b.account_id as "resourceId", a.bank || ' ' || a.account_tail as "accountName", b.file_name as "fileName",
      b.from_day::text as "fromDay", b.to_day::text as "toDay", u.account as by, b.created_at as at,
      ${count('agrees')} as agrees, ${count('amountDiffers')} as "amountDiffers", ${count('missingHere')} as "missingHere",
      ${count('missingAtBank')} as "missingAtBank"`,
    from: sql`
      from bank_statements b join accounts a on a.id = b.account_id left join users u on u.id = b.created_by
      where true ${scopeOf(viewer, { supplier: sql`a.supplier_id` })}
        ${input.resourceId === undefined ? empty : sql`and b.account_id = ${BigInt(input.resourceId)}`}`,
    key: sql`b.id`,
  });
}

export async function findStatement(
  db: Queryable,
  viewer: Viewer,
  id: bigint,
): Promise<{ readonly currency: Currency } | undefined> {
  const rows = await db.query<{ currency: Currency }>(sql`
    select a.currency from bank_statements b join accounts a on a.id = b.account_id
    where b.id = ${id} ${scopeOf(viewer, { supplier: sql`a.supplier_id` })}`);
  return rows[0];
}

export function linesOf(db: Queryable, id: bigint, outcome: Outcome | undefined): Promise<Compared[]> {
  return db.query<Compared>(sql`
    select row, day::text as day, narration, reference, direction, amount, balance, outcome, message_id as "messageId",
      order_id as "orderId"
    from bank_statement_lines
    where statement_id = ${id} ${outcome === undefined ? empty : sql`and outcome = ${outcome}`} order by place`);
}

/**
 * Users who brought statements of the account that may cover these minutes. A day more on both sides, because the bank's day begins at
 * another time than ours.
 */
export async function bringersOf(
  db: Queryable,
  {
    accountId,
    fromMinute,
    toMinute,
  }: { readonly accountId: bigint; readonly fromMinute: number; readonly toMinute: number },
): Promise<readonly bigint[]> {
  const rows = await db.query<{ userId: bigint }>(sql`
    select distinct created_by as "userId" from bank_statements
    where account_id = ${accountId} and created_by is not null
      and from_day <= ${new Date(toMinute * MINUTE + DAY)}::date and to_day >= ${new Date(fromMinute * MINUTE - DAY)}::date`);
  return rows.map(({ userId }) => userId);
}
