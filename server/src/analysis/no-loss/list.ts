import type { getNoLoss, getNoLossLines, getNoLossSums } from '@sangam/contract/endpoints/no-loss.ts';
import { formatTime, parseTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { DAY } from '../../platform/clock.ts';
import { empty, type Queryable, type Sql, sql } from '../../platform/db/database.ts';
import { endOf, idFilter, readPage } from '../../platform/db/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { hashOf, type Line, markOf, type Statement } from './write.ts';

const FIGURES = sql`
  h.hour, h.currency, h.evidence_count as "evidenceCount", h.evidence_amount as "evidenceAmount",
  h.credited_count as "creditedCount", h.credited_amount as "creditedAmount", h.notified_count as "notifiedCount",
  h.notified_amount as "notifiedAmount", h.acknowledged_count as "acknowledgedCount",
  h.acknowledged_amount as "acknowledgedAmount", h.residue_count as "residueCount", h.residue_amount as "residueAmount",
  h.closed_count as "closedCount", h.closed_amount as "closedAmount"`;

interface Stored extends Statement {
  readonly hash: Buffer;
  readonly previousHash: Buffer;
  readonly before: Buffer | null;
  readonly mark: string;
  readonly writtenAt: Date;
}

const DEFAULT_DAYS = 31;

interface Span {
  readonly from: Date;
  readonly to: Date;
}

function spanOf(
  { startTime, endTime }: { readonly startTime?: string | undefined; readonly endTime?: string | undefined },
  now: Date,
): Span {
  const to = endTime === undefined ? now : endOf(endTime)!;
  return {
    from: startTime === undefined ? new Date(to.getTime() - DEFAULT_DAYS * DAY) : parseTime(startTime)!,
    to,
  };
}

const ofCurrency = (column: Sql, currency: string | undefined): Sql =>
  currency === undefined ? empty : sql`and ${column} = ${currency}`;

const shownSums = (row: Omit<Statement, 'hour'>) => ({
  currency: row.currency,
  evidenceCount: row.evidenceCount,
  evidenceAmount: Number(row.evidenceAmount),
  creditedCount: row.creditedCount,
  creditedAmount: Number(row.creditedAmount),
  notifiedCount: row.notifiedCount,
  notifiedAmount: Number(row.notifiedAmount),
  acknowledgedCount: row.acknowledgedCount,
  acknowledgedAmount: Number(row.acknowledgedAmount),
  residueCount: row.residueCount,
  residueAmount: Number(row.residueAmount),
  closedCount: row.closedCount,
  closedAmount: Number(row.closedAmount),
});

/** Statements, newest first. Each is checked against its lines, its mark and the statement before. */
export async function listStatements(
  platform: Platform,
  _viewer: Viewer,
  input: z.output<typeof getNoLoss.input>,
): Promise<z.input<typeof getNoLoss.output> | Refusal> {
  const { from, to } = spanOf(input, platform.clock.now());
  // The key of a page, descending: the hour in seconds, then the currency.
  const key = sql`(extract(epoch from h.hour)::bigint * 8 + ascii(h.currency) % 8)`;
  const page = await readPage<Stored>(platform, input, {
    columns: sql`${FIGURES}, h.hash, h.previous_hash as "previousHash", h.mark, h.written_at as "writtenAt",
      (select b.hash from no_loss_hours b where b.currency = h.currency and b.hour < h.hour order by b.hour desc limit 1) as before`,
    from: sql`from no_loss_hours h where h.hour >= ${from} and h.hour < ${to} ${ofCurrency(sql`h.currency`, input.currency)}`,
    key,
  });
  if (isRefusal(page)) return page;
  const lines = await linesOf(platform.db, page.list);
  return {
    ...page,
    list: page.list.map((row) => ({
      id: String(BigInt(row.hour.getTime()) * 10n + BigInt(row.currency.charCodeAt(0) % 8)),
      hourTime: formatTime(row.hour),
      ...shownSums(row),
      writtenTime: formatTime(row.writtenAt),
      intact: isIntact(platform, row, lines(row)),
    })),
  };
}

function isIntact(platform: Platform, row: Stored, lines: readonly Line[]): boolean {
  const follows = row.before === null || row.before.equals(row.previousHash);
  return (
    follows &&
    hashOf(row, lines, row.previousHash).equals(row.hash) &&
    platform.vault.isHookMark(markOf(row.hash), row.mark)
  );
}

async function linesOf(
  db: Queryable,
  statements: readonly Stored[],
): Promise<(statement: Stored) => readonly Line[]> {
  const rows = await db.query<Line & { readonly hour: Date; readonly currency: string }>(sql`
    select id, hour, currency, order_id as "orderId", paid_hour as "paidHour", kind, holder, amount, credited
    from no_loss_lines where hour = any(${statements.map(({ hour }) => hour)}::timestamptz[])`);
  const byStatement = Map.groupBy(rows, ({ hour, currency }) => `${hour.getTime()}/${currency}`);
  return ({ hour, currency }) => byStatement.get(`${hour.getTime()}/${currency}`) ?? [];
}

const REVERSALS = sql`no_loss_lines l where l.currency = h.currency and l.kind = 'reversed'`;

/**
 * The sums of a period, and what is open now, whatever the period. Reversals are a term of their own. Evidence stays what it was, so it
 * could not be compared with credits less reversals.
 */
export async function statementSums(
  platform: Platform,
  _viewer: Viewer,
  input: z.output<typeof getNoLossSums.input>,
): Promise<z.input<typeof getNoLossSums.output>> {
  const { from, to } = spanOf(input, platform.clock.now());
  const rows = await platform.db.query<
    Omit<Statement, 'hour'> & {
      readonly reversedCount: number;
      readonly reversedAmount: bigint;
      readonly openCount: number;
      readonly openAmount: bigint;
    }
  >(sql`
    select h.currency, sum(evidence_count)::int as "evidenceCount", sum(evidence_amount)::bigint as "evidenceAmount",
      sum(credited_count)::int as "creditedCount", sum(credited_amount)::bigint as "creditedAmount",
      (select count(*)::int from ${REVERSALS} and l.hour >= ${from} and l.hour < ${to}) as "reversedCount",
      (select coalesce(-sum(l.credited), 0)::bigint from ${REVERSALS} and l.hour >= ${from} and l.hour < ${to}) as "reversedAmount",
      sum(notified_count)::int as "notifiedCount", sum(notified_amount)::bigint as "notifiedAmount",
      sum(acknowledged_count)::int as "acknowledgedCount", sum(acknowledged_amount)::bigint as "acknowledgedAmount",
      sum(residue_count)::int as "residueCount", sum(residue_amount)::bigint as "residueAmount",
      sum(closed_count)::int as "closedCount", sum(closed_amount)::bigint as "closedAmount",
      (select count(*)::int from no_loss_open o where o.currency = h.currency) as "openCount",
      (select coalesce(sum(amount), 0)::bigint from no_loss_open o where o.currency = h.currency) as "openAmount"
    from no_loss_hours h where h.hour >= ${from} and h.hour < ${to} ${ofCurrency(sql`h.currency`, input.currency)}
    group by h.currency order by h.currency`);
  return {
    list: rows.map((row) => ({
      ...shownSums(row),
      reversedCount: row.reversedCount,
      reversedAmount: Number(row.reversedAmount),
      openCount: row.openCount,
      openAmount: Number(row.openAmount),
    })),
    fromTime: formatTime(from),
    toTime: formatTime(to),
  };
}

interface ShownLine extends Line {
  readonly hour: Date;
  readonly currency: Statement['currency'];
  readonly merchantName: string;
  readonly open: boolean;
}

const LINES = sql`no_loss_lines l`;
/** Each open order has one line: the newest that says why it is open. An order can be open for the same reason twice. */
const OPEN_LINES = sql`
  no_loss_open n join lateral (
    select * from no_loss_lines x where x.order_id = n.order_id and x.kind = n.kind order by x.id desc limit 1
  ) l on true`;

/**
 * Lines of a statement, of a period, or of what is open now, newest first. When only the reason changes, the line adds 0 to its
 * statement; in the list of what is open it has the amount that is open.
 */
export async function listLines(
  platform: Platform,
  _viewer: Viewer,
  input: z.output<typeof getNoLossLines.input>,
): Promise<z.input<typeof getNoLossLines.output> | Refusal> {
  const { from, to } = spanOf(input, platform.clock.now());
  const named = input.hourTime ?? input.orderCode ?? input.open;
  const page = await readPage<ShownLine>(platform, input, {
    columns: sql`
      l.id, l.hour, l.currency, l.order_id as "orderId", l.paid_hour as "paidHour", l.kind, l.holder, l.credited,
      ${input.open === undefined ? sql`l.amount` : sql`n.amount`} as amount, m.name as "merchantName",
      exists (select from no_loss_open s where s.order_id = l.order_id and s.kind = l.kind)
        and not exists (select from no_loss_lines x where x.order_id = l.order_id and x.kind = l.kind and x.id > l.id) as open`,
    from: sql`
      from ${input.open === undefined ? LINES : OPEN_LINES} join collection_orders o on o.id = l.order_id join merchants m on m.id = o.merchant_id
      where true ${ofCurrency(sql`l.currency`, input.currency)}
        ${named === undefined || input.startTime !== undefined ? sql`and l.hour >= ${from} and l.hour < ${to}` : empty}
        ${input.hourTime === undefined ? empty : sql`and l.hour = ${parseTime(input.hourTime)!}`}
        ${input.orderCode === undefined ? empty : idFilter(sql`l.order_id`, input.orderCode)}`,
    key: sql`l.id`,
  });
  if (isRefusal(page)) return page;
  return {
    ...page,
    list: page.list.map((row) => ({
      id: String(row.id),
      hourTime: formatTime(row.hour),
      paidHourTime: formatTime(row.paidHour),
      orderCode: String(row.orderId),
      merchantName: row.merchantName,
      kind: row.kind,
      holder: row.holder,
      currency: row.currency,
      amount: Number(row.amount),
      open: row.open,
    })),
  };
}
