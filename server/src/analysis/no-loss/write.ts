import { createHash } from 'node:crypto';
import type { Currency } from '@sangam/contract/money.ts';
import { DAY, HOUR, MINUTE } from '../../platform/clock.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import { leased } from '../../platform/db/lease.ts';
import type { Platform } from '../../platform/platform.ts';
import { countChanges } from '../../traffic/fold.ts';
import { oldestUnstated, takeUnstated } from '../../traffic/unstated.ts';
import { type Holder, isNotified, type NoLossKind, type Standing, standingsOf, whyOpen } from './standing.ts';

/** How long after its end an hour is closed. By then what was paid in it is committed and counted. Anything later counts as late. */
const SETTLES = 2 * MINUTE;
const NO_HASH = Buffer.alloc(32);

export interface Line {
  readonly id: bigint;
  readonly orderId: bigint;
  readonly paidHour: Date;
  readonly kind: NoLossKind;
  readonly holder: Holder;
  readonly amount: bigint;
  /** Negative when a reversal takes it off the credited amount. */
  readonly credited: bigint;
}

/** The statement of one hour and one currency. Amounts in minor units. */
export interface Statement {
  readonly hour: Date;
  readonly currency: Currency;
  evidenceCount: number;
  evidenceAmount: bigint;
  creditedCount: number;
  creditedAmount: bigint;
  notifiedCount: number;
  notifiedAmount: bigint;
  acknowledgedCount: number;
  acknowledgedAmount: bigint;
  residueCount: number;
  residueAmount: bigint;
  closedCount: number;
  closedAmount: bigint;
}

/** The beginning of the hour of a moment, by the business clock (half past the hour in UTC). */
export function hourOf(moment: Date): Date {
  const half = HOUR / 2;
  return new Date(Math.floor((moment.getTime() - half) / HOUR) * HOUR + half);
}

/** Writes the statements of ended hours, on one node at a time. */
export function writeStatements(platform: Platform): Promise<boolean> {
  return leased(platform, 'no-loss', async () => {
    await writeDue(platform);
    return new Date(platform.clock.now().getTime() + MINUTE);
  });
}

/**
 * Writes the missing statements of ended hours, oldest first, each in its own transaction. Answers how many. A payment counted after its
 * hour's statement was written goes into the next statement, as late.
 */
export async function writeDue(platform: Platform): Promise<number> {
  const now = platform.clock.now();
  const due = new Date(hourOf(new Date(now.getTime() - SETTLES)).getTime() - HOUR);
  const [last] = await platform.db.query<{ hour: Date | null }>(
    sql`select max(hour) as hour from no_loss_hours`,
  );
  const written = last?.hour ?? null;
  if (written && written >= due) return 0;
  await countChanges(platform);
  let rows = 0;
  for (let after = written; !after || after < due;) {
    const oldest = await oldestUnstated(platform);
    const first = after ? after.getTime() + HOUR : Number.NEGATIVE_INFINITY;
    const paid = oldest ? Math.max(first, hourOf(oldest).getTime()) : Number.POSITIVE_INFINITY;
    const hour = new Date(Math.min(paid, due.getTime()));
    rows += await platform.db.tx((tx) =>
      writeHour(platform, tx, { hour, end: new Date(hour.getTime() + HOUR), last: after, now }),
    );
    after = hour;
  }
  return rows;
}

interface Due {
  readonly hour: Date;
  readonly end: Date;
  /** The hour of the statement before; null for the first one. */
  readonly last: Date | null;
  readonly now: Date;
}

async function writeHour(platform: Platform, tx: Tx, { hour, end, last, now }: Due): Promise<number> {
  const fresh = await takeUnstated(tx, end, now);
  const open = await tx.query<Open>(sql`
    select order_id as "orderId", amount, kind from no_loss_open order by order_id`);
  const reversed = await newlyReversed(tx, last ?? hour, end);
  const known = new Map(open.map((each) => [each.orderId, each]));
  const ids = [...new Set([...fresh, ...known.keys(), ...reversed])];
  const standings = new Map((await standingsOf(tx, ids)).map((each) => [each.orderId, each]));
  const statements = new Map<Currency, Draft>();
  const line = (
    standing: Standing,
    kind: NoLossKind,
    holder: Holder,
    amount: bigint,
    credited = 0n,
  ): void => {
    const { orderId, paidAt } = standing;
    const draft = draftOf(statements, hour, standing.currency);
    draft.lines.push({
      id: platform.ids.next(),
      orderId,
      paidHour: hourOf(paidAt),
      kind,
      holder,
      amount,
      credited,
    });
    count(draft.statement, amount);
  };
  for (const orderId of fresh) {
    const standing = standings.get(orderId)!;
    addTo(draftOf(statements, hour, standing.currency).statement, standing);
    const why = whyOpen(standing);
    if (why) line(standing, why.kind, why.holder, standing.received);
    if (why) known.set(orderId, { orderId, kind: why.kind, amount: standing.received });
    if (standing.paidAt < hour) line(standing, 'late', 'nobody', 0n);
  }
  for (const orderId of reversed) {
    const standing = standings.get(orderId)!;
    line(standing, 'reversed', 'nobody', -(known.get(orderId)?.amount ?? 0n), -(standing.credited ?? 0n));
    known.delete(orderId);
  }
  for (const { orderId, kind, amount } of known.values()) {
    const standing = standings.get(orderId)!;
    const why = whyOpen(standing);
    if (!why) line(standing, 'acknowledged', 'nobody', -amount);
    // The same money is open for another reason. That is only a remark, with amount 0.
    else if (why.kind !== kind) line(standing, why.kind, why.holder, 0n);
  }
  for (const draft of statements.values()) await writeStatement(platform, tx, draft, now);
  return statements.size;
}

interface Open {
  readonly orderId: bigint;
  readonly amount: bigint;
  readonly kind: NoLossKind;
}

interface Draft {
  readonly statement: Statement;
  readonly lines: Line[];
}

/** Orders of earlier statements that were reversed since. It looks two days back from the last statement: no node may have run since. */
async function newlyReversed(tx: Tx, last: Date, end: Date): Promise<bigint[]> {
  const rows = await tx.query<{ orderId: bigint }>(sql`
    select o.id as "orderId" from collection_orders o join order_sources s on s.order_id = o.id
    where o.reversed_at between ${new Date(last.getTime() - 2 * DAY)} and ${end} and s.stated_at is not null
      and not exists (select from no_loss_lines l where l.order_id = o.id and l.kind = 'reversed')
    order by o.id`);
  return rows.map(({ orderId }) => orderId);
}

function draftOf(statements: Map<Currency, Draft>, hour: Date, currency: Currency): Draft {
  const draft = statements.get(currency) ?? { statement: emptyStatement(hour, currency), lines: [] };
  statements.set(currency, draft);
  return draft;
}

function count(statement: Statement, amount: bigint): void {
  if (amount > 0n) {
    statement.residueCount += 1;
    statement.residueAmount += amount;
  } else if (amount < 0n) {
    statement.closedCount += 1;
    statement.closedAmount -= amount;
  }
}

function emptyStatement(hour: Date, currency: Currency): Statement {
  return {
    hour,
    currency,
    evidenceCount: 0,
    evidenceAmount: 0n,
    creditedCount: 0,
    creditedAmount: 0n,
    notifiedCount: 0,
    notifiedAmount: 0n,
    acknowledgedCount: 0,
    acknowledgedAmount: 0n,
    residueCount: 0,
    residueAmount: 0n,
    closedCount: 0,
    closedAmount: 0n,
  };
}

function addTo(statement: Statement, standing: Standing): void {
  if (standing.evidence) {
    statement.evidenceCount += 1;
    statement.evidenceAmount += standing.received;
  }
  if (standing.credited !== null) {
    statement.creditedCount += 1;
    statement.creditedAmount += standing.credited;
  }
  if (isNotified(standing)) {
    statement.notifiedCount += 1;
    statement.notifiedAmount += standing.received;
  }
  if (standing.acknowledged) {
    statement.acknowledgedCount += 1;
    statement.acknowledgedAmount += standing.received;
  }
}

async function writeStatement(
  platform: Platform,
  tx: Tx,
  { statement, lines }: Draft,
  now: Date,
): Promise<void> {
  const { hour, currency } = statement;
  const [previous] = await tx.query<{ hash: Buffer }>(sql`
    select hash from no_loss_hours where currency = ${currency} order by hour desc limit 1`);
  const previousHash = previous?.hash ?? NO_HASH;
  const hash = hashOf(statement, lines, previousHash);
  await tx.query(sql`
    insert into no_loss_hours (hour, currency, evidence_count, evidence_amount, credited_count, credited_amount, notified_count,
      notified_amount, acknowledged_count, acknowledged_amount, residue_count, residue_amount, closed_count, closed_amount,
      previous_hash, hash, mark, written_at)
    values (${hour}, ${currency}, ${statement.evidenceCount}, ${statement.evidenceAmount}, ${statement.creditedCount},
      ${statement.creditedAmount}, ${statement.notifiedCount}, ${statement.notifiedAmount}, ${statement.acknowledgedCount},
      ${statement.acknowledgedAmount}, ${statement.residueCount}, ${statement.residueAmount}, ${statement.closedCount},
      ${statement.closedAmount}, ${previousHash}, ${hash}, ${platform.vault.hookMark(markOf(hash))}, ${now})`);
  if (lines.length === 0) return;
  tx.send(sql`
    insert into no_loss_lines (id, hour, currency, order_id, paid_hour, kind, amount, credited, holder)
    select id, ${hour}, ${currency}, order_id, paid_hour, kind, amount, credited, holder from unnest(
      ${lines.map(({ id }) => id)}::bigint[], ${lines.map(({ orderId }) => orderId)}::bigint[],
      ${lines.map(({ paidHour }) => paidHour)}::timestamptz[], ${lines.map(({ kind }) => kind)}::text[],
      ${lines.map(({ amount }) => amount)}::bigint[], ${lines.map(({ credited }) => credited)}::bigint[],
      ${lines.map(({ holder }) => holder)}::text[])
      as v (id, order_id, paid_hour, kind, amount, credited, holder)`);
  const closed = new Set(lines.filter(({ amount }) => amount < 0n).map(({ orderId }) => orderId));
  const opened = lines.filter(({ orderId, amount }) => amount > 0n && !closed.has(orderId));
  const changed = lines.filter(({ kind, amount }) => amount === 0n && kind !== 'late');
  tx.send(sql`delete from no_loss_open where order_id = any(${[...closed]})`);
  tx.send(sql`
    insert into no_loss_open (order_id, hour, currency, amount, kind)
    select order_id, ${hour}, ${currency}, amount, kind from unnest(${opened.map(({ orderId }) => orderId)}::bigint[],
      ${opened.map(({ amount }) => amount)}::bigint[], ${opened.map(({ kind }) => kind)}::text[]) as v (order_id, amount, kind)`);
  tx.send(sql`
    update no_loss_open o set kind = v.kind from unnest(${changed.map(({ orderId }) => orderId)}::bigint[],
      ${changed.map(({ kind }) => kind)}::text[]) as v (order_id, kind) where o.order_id = v.order_id`);
}

/** The text from which a statement's mark is made. The key of the mark is not in the database. */
export const markOf = (hash: Buffer): string => `no-loss statement ${hash.toString('hex')}`;

/** SHA-256 of a statement, its lines and the hash of the statement before. */
export function hashOf(statement: Statement, lines: readonly Line[], previousHash: Buffer): Buffer {
  const figures = [
    statement.hour.toISOString(),
    statement.currency,
    statement.evidenceCount,
    statement.evidenceAmount,
    statement.creditedCount,
    statement.creditedAmount,
    statement.notifiedCount,
    statement.notifiedAmount,
    statement.acknowledgedCount,
    statement.acknowledgedAmount,
    statement.residueCount,
    statement.residueAmount,
    statement.closedCount,
    statement.closedAmount,
  ];
  const rows = lines
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((line) => [
      line.id,
      line.orderId,
      line.paidHour.toISOString(),
      line.kind,
      line.amount,
      line.credited,
      line.holder,
    ]);
  return createHash('sha256')
    .update(previousHash)
    .update([figures, ...rows].map((row) => row.map(String).join('|')).join('\n'))
    .digest();
}
