import type { Currency } from '@sangam/contract/money.ts';
import type { PATCH_KINDS, PATCH_STATES } from '@sangam/contract/chain.ts';
import { DAY, MINUTE, SECOND } from '../../platform/clock.ts';
import { type Queryable, type Tx, hot, sql } from '../../platform/db/database.ts';
import { COLLECTION, PAID, PAYOUT, SUPPLEMENTED } from '../../platform/db/statuses.ts';
import { firstIdAt } from '../../platform/db/ids.ts';
import { columnNames, unnestRows } from '../../platform/db/unnest-rows.ts';

export type PatchKind = (typeof PATCH_KINDS)[number];
export type PatchState = (typeof PATCH_STATES)[number];

/** Takes the leak checker's turn if the last one began at least `seconds` ago. Only one node gets it. */
export async function takeTurn(db: Queryable, at: Date, seconds: number): Promise<boolean> {
  const rows = await db.query(sql`
    insert into chain_leak_checks (last_at) values (${at})
    on conflict (is_only) do update set last_at = excluded.last_at
    where chain_leak_checks.last_at <= ${new Date(at.getTime() - seconds * SECOND)} returning 1`);
  return rows.length > 0;
}

export interface OpenGap {
  readonly id: bigint;
  readonly accountId: bigint;
  readonly monitorId: bigint | null;
  readonly currency: Currency;
  readonly accountName: string;
  readonly tailId: bigint;
  readonly headId: bigint;
  /** Minor units, signed. */
  readonly delta: bigint;
  readonly fromMinute: number;
  readonly toMinute: number;
  readonly openedAt: Date;
  readonly askedAt: Date | null;
  readonly alertedAt: Date | null;
}

const GAP = sql`
  select g.id, g.account_id as "accountId", a.monitor_id as "monitorId", a.currency, a.bank || ' ' || a.account_tail as "accountName",
    g.tail_id as "tailId", g.head_id as "headId", g.delta, g.from_minute as "fromMinute", g.to_minute as "toMinute",
    g.opened_at as "openedAt", g.asked_at as "askedAt", g.alerted_at as "alertedAt"
  from chain_gaps g join accounts a on a.id = g.account_id where g.state = 'open'`;

/** The next page of open gaps: opened since a moment or reported to nobody yet, with an id after `after`, oldest first. */
export function readOpenGaps(db: Queryable, since: Date, after: bigint, limit: number): Promise<OpenGap[]> {
  return db.query<OpenGap>(sql`
    ${GAP} and (g.opened_at >= ${since} or g.alerted_at is null) and g.id > ${after} order by g.id limit ${limit}`);
}

export interface BrokenChain {
  readonly accountId: bigint;
  /** Where its oldest open gap begins. */
  readonly fromMinute: number;
}

/** Accounts with open gaps that were opened since this moment. */
export function readBrokenChains(db: Queryable, since: Date): Promise<BrokenChain[]> {
  return db.query<BrokenChain>(sql`
    select account_id as "accountId", min(from_minute) as "fromMinute" from chain_gaps
    where state = 'open' and opened_at >= ${since} group by account_id order by account_id`);
}

export async function readOpenGap(db: Queryable, id: bigint): Promise<OpenGap | undefined> {
  const [gap] = await db.query<OpenGap>(sql`${GAP} and g.id = ${id}`);
  return gap;
}

export async function noteGap(tx: Tx, id: bigint, what: 'asked' | 'alerted', at: Date): Promise<void> {
  await tx.query(
    what === 'asked'
      ? sql`update chain_gaps set asked_at = ${at} where id = ${id}`
      : sql`update chain_gaps set alerted_at = ${at} where id = ${id}`,
  );
}

/** Marks a gap as closed by a patch, and not by a message. */
export async function markPatched(tx: Tx, gapId: bigint, at: Date): Promise<void> {
  await tx.query(sql`update chain_gaps set state = 'patched', closed_at = ${at} where id = ${gapId}`);
}

export async function markReopened(tx: Tx, gapId: bigint): Promise<void> {
  await tx.query(sql`update chain_gaps set state = 'closed' where id = ${gapId}`);
}

/**
 * At most this many orders are searched for a set that makes up the sum. One more is read, because a set is the only one only if all orders
 * were seen.
 */
export const MOST_EXPLANATIONS = 60;

/** An order that may account for a gap; the amount is signed. */
export interface Explanation {
  readonly orderId: bigint;
  readonly amount: bigint;
  /** The order is booked already, so counting it moves no money. */
  readonly isBooked: boolean;
}

/** SQL: a message states the UTR of order `o`, with whatever sum and on whatever account. So the order's money is not the missing money. */
const IS_TOLD = sql`exists (select from messages t where t.utr = o.utr and t.currency = o.currency)`;

/**
 * Collection orders of the account whose money no message reported: unpaid or timed out orders that could have been paid during the gap,
 * and orders that an operator completed by their UTR. Frozen orders count too: the money may be theirs, and completes them once they are
 * unfrozen.
 */
function readUnreportedCredits(db: Queryable, gap: OpenGap): Promise<Explanation[]> {
  const to = new Date((gap.toMinute + 1) * MINUTE);
  return db.query<Explanation>(
    hot(
      'unreported credits of a gap',
      sql`
    select o.id as "orderId", coalesce(o.received, o.payable, o.amount) as amount, o.received is not null as "isBooked"
    from accounts a join collection_orders o on o.supplier_id = a.supplier_id and o.account_id = a.id
    where a.id = ${gap.accountId} and o.id >= ${firstIdAt(new Date((gap.fromMinute - 1_440) * MINUTE))} and o.id < ${firstIdAt(to)}
      and o.allocated_at <= ${to} and o.reversed_at is null
      and (o.status = ${COLLECTION.allocated} or o.status = ${COLLECTION.timedOut} and o.expires_at >= ${new Date((gap.fromMinute - 60) * MINUTE)}
        or o.status in ${PAID} and o.supplement_status = ${SUPPLEMENTED}
          and not exists (select from order_events e where e.order_id = o.id and e.kind = 'supplemented' and e.data @> '{"offset": true}'))
      and not exists (select from message_matches m where m.order_id = o.id) and not ${IS_TOLD}
      and not exists (select from chain_patches p where p.state = 'live' and p.order_ids @> array[o.id])
      and not exists (select from chain_holds h where h.account_id = a.id and h.order_id = o.id)
    order by o.id limit ${MOST_EXPLANATIONS + 1}`,
    ),
  );
}

/**
 * Payouts whose debit no message reported, sent before the gap's end and not ended more than an hour before it began: payouts of the
 * account, and completed payouts of its supplier that name no account.
 */
function readUnreportedDebits(db: Queryable, gap: OpenGap): Promise<Explanation[]> {
  const to = new Date((gap.toMinute + 1) * MINUTE);
  return db.query<Explanation>(
    hot(
      'unreported debits of a gap',
      sql`
    select o.id as "orderId", -o.amount as amount, o.status = ${PAYOUT.completed} as "isBooked"
    from accounts a join payout_orders o on o.supplier_id = a.supplier_id and o.currency = a.currency
      and (o.account_id = a.id or o.account_id is null and o.status = ${PAYOUT.completed})
    where a.id = ${gap.accountId} and o.id >= ${firstIdAt(new Date((gap.fromMinute - 4_320) * MINUTE))} and o.id < ${firstIdAt(to)}
      and o.status in (${PAYOUT.inProgress}, ${PAYOUT.completed}, ${PAYOUT.toBeConfirmed}, ${PAYOUT.submitted}) and o.reversed_at is null and coalesce(o.submitted_at, o.claimed_at, o.finished_at) <= ${to}
      and (o.finished_at is null or o.finished_at >= ${new Date((gap.fromMinute - 60) * MINUTE)})
      and not exists (select from message_matches m where m.order_id = o.id) and not ${IS_TOLD}
      and not exists (select from chain_patches p where p.state = 'live' and p.order_ids @> array[o.id])
    order by o.id limit ${MOST_EXPLANATIONS + 1}`,
    ),
  );
}

/** The orders that may account for a gap: collection orders for a credit, payouts for a debit. */
export const explanationsOf = (db: Queryable, gap: OpenGap): Promise<Explanation[]> =>
  gap.delta > 0n ? readUnreportedCredits(db, gap) : readUnreportedDebits(db, gap);

/** Whether a live patch names this sum as a charge of this account's bank. */
export async function isKnownCharge(db: Queryable, accountId: bigint, amount: bigint): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from chain_patches where account_id = ${accountId} and kind = 'charge' and amount = ${amount} and state = 'live' limit 1`);
  return rows.length > 0;
}

export interface Patch {
  readonly id: bigint;
  readonly gapId: bigint;
  readonly accountId: bigint;
  readonly kind: PatchKind;
  readonly amount: bigint;
  readonly orderIds: readonly bigint[];
  readonly reason: string | null;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly state: PatchState;
  readonly authorId: bigint | null;
  readonly approvedBy: bigint | null;
}

/** Writes a patch. Returns false if the gap already has one in this state. */
export async function insertPatch(tx: Tx, patch: Patch, at: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into chain_patches (id, gap_id, account_id, kind, amount, order_ids, reason, evidence, state, author_id, approved_by, created_at)
    values (${patch.id}, ${patch.gapId}, ${patch.accountId}, ${patch.kind}, ${patch.amount}, ${patch.orderIds}, ${patch.reason},
      ${JSON.stringify(patch.evidence)}, ${patch.state}, ${patch.authorId}, ${patch.approvedBy}, ${at})
    on conflict do nothing returning 1`);
  return rows.length > 0;
}

export async function lockPatch(
  tx: Tx,
  id: bigint,
): Promise<
  (Pick<Patch, 'id' | 'gapId' | 'accountId' | 'state' | 'kind'> & { readonly fromMinute: number }) | undefined
> {
  const [patch] = await tx.query<
    Pick<Patch, 'id' | 'gapId' | 'accountId' | 'state' | 'kind'> & { readonly fromMinute: number }
  >(sql`
    select p.id, p.gap_id as "gapId", p.account_id as "accountId", p.state, p.kind, g.from_minute as "fromMinute"
    from chain_patches p join chain_gaps g on g.id = p.gap_id where p.id = ${id} for update of p`);
  return patch;
}

/** Live patches with an id after `after`, oldest first, that contain an order without a message although some message states its UTR. */
export function readDisproved(
  db: Queryable,
  after: bigint,
): Promise<{ readonly id: bigint; readonly accountId: bigint; readonly fromMinute: number }[]> {
  return db.query(sql`
    select p.id, p.account_id as "accountId", g.from_minute as "fromMinute" from chain_patches p join chain_gaps g on g.id = p.gap_id
    where p.state = 'live' and p.id > ${after} and exists (
      select from (select id, utr, currency from collection_orders union all select id, utr, currency from payout_orders) o
      where o.id = any(p.order_ids) and ${IS_TOLD} and not exists (select from message_matches m where m.order_id = o.id))
    order by p.id`);
}

export interface PatchEnd {
  readonly state: 'withdrawn' | 'dropped' | 'superseded';
  readonly by: bigint | null;
  readonly reason: string | null;
}

export async function endPatches(
  tx: Tx,
  ids: readonly bigint[],
  { state, by, reason }: PatchEnd,
  at: Date,
): Promise<void> {
  await tx.query(sql`
    update chain_patches set state = ${state}, ended_at = ${at}, ended_by = ${by}, end_reason = ${reason}
    where id = any(${ids}) and state in ('proposed', 'live')`);
}

/** Drops the gap's proposal when the gap is closed in another way. */
export async function dropProposals(tx: Tx, gapId: bigint, at: Date): Promise<void> {
  await tx.query(sql`
    update chain_patches set state = 'dropped', ended_at = ${at} where gap_id = ${gapId} and state = 'proposed'`);
}

export interface UnexplainedDebit {
  readonly messageId: bigint;
  readonly accountId: bigint;
  readonly accountName: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly creditId: bigint;
}

/** For so long such a debit is reported after its time for a payout is over: no node may have run for days. */
const REPORTED_FOR = 3 * DAY;

/**
 * Debits that no payout explains, within `minutes` of a credit of at least `checkAmount`. Balances do not matter. A forged pair looks like
 * this. A debit has `minutes` to find its payout, and is reported once.
 */
export function readUnexplainedDebits(
  db: Queryable,
  at: Date,
  minutes: number,
  checkAmount: bigint,
): Promise<UnexplainedDebit[]> {
  // An id contains the moment at which the message came.
  const span = firstIdAt(at) - firstIdAt(new Date(at.getTime() - minutes * MINUTE));
  return db.query<UnexplainedDebit>(sql`
    select m.id as "messageId", m.account_id as "accountId", a.bank || ' ' || a.account_tail as "accountName", a.currency, m.amount,
      c.id as "creditId"
    from messages m
    join accounts a on a.id = m.account_id
    cross join lateral (
      select c.id from messages c
      where c.account_id = m.account_id and c.direction = 'credit' and c.amount >= ${checkAmount} and c.state <> 'duplicate'
        and c.id between m.id - ${span} and m.id + ${span}
      order by c.id desc limit 1) c
    where m.state = 'ignored' and m.direction = 'debit' and m.order_id is null and a.currency <> 'USDT'
      and m.id >= ${firstIdAt(new Date(at.getTime() - REPORTED_FOR - minutes * MINUTE))} and m.id < ${firstIdAt(new Date(at.getTime() - minutes * MINUTE))}
      and not exists (select from chain_alerts x where x.message_id = m.id)
      and not exists (select from chain_patches p where p.account_id = a.id and p.kind = 'charge' and p.amount = -m.amount and p.state = 'live')
    order by m.id limit 100`);
}

const ALERT = { messageId: 'bigint', accountId: 'bigint', creditId: 'bigint' } as const;

export async function insertAlerts(tx: Tx, debits: readonly UnexplainedDebit[], at: Date): Promise<bigint[]> {
  const rows = await tx.query<{ id: bigint }>(sql`
    insert into chain_alerts (${columnNames(ALERT)}, created_at)
    select *, ${at} from ${unnestRows(ALERT, debits)}
    on conflict do nothing returning message_id as id`);
  return rows.map(({ id }) => id);
}
