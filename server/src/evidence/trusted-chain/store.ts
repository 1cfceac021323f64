import { MINUTE } from '../../platform/clock.ts';
import { type Queryable, type Tx, hot, sql } from '../../platform/db/database.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { firstIdAt } from '../../platform/db/ids.ts';
import type { ChainNode } from './node.ts';
import { columnNames, unnestRows } from '../../platform/db/unnest-rows.ts';

/** No window is larger. A patch takes the place of what would need more. */
const MOST_NODES = 5_000;

const NODE_COLUMNS = sql`
  n.account_id as "accountId", n.id, n.kind, n.patch_id as "patchId", n.amount, n.balance, n.minute, n.place,
  n.is_coarse as "isCoarse", n.is_surplus as "isSurplus", n.is_fork as "isFork", n.state, n.previous_id as previous, n.next_id as next`;

/**
 * Holds the accounts' chains until the transaction ends, in the order of accounts, so that one transaction places after the other.
 * `isLook`: the caller means to change nothing that others wait for.
 */
export async function lockChains(
  tx: Tx,
  accountIds: Iterable<bigint>,
  at: Date,
  { isLook = false } = {},
): Promise<void> {
  await tx.query(
    hot(
      'lock chains',
      sql`
    insert into chain_accounts as c (account_id, changed_at)
    select id, ${at} from unnest(${[...new Set(accountIds)]}::bigint[]) as v (id) order by id
    on conflict (account_id) do update set changed_at = case when ${isLook} then c.changed_at else excluded.changed_at end`,
    ),
  );
}

/** A part of an account's chain: from `minute` to its end, and some linked nodes before it. */
export interface WindowQuery {
  readonly accountId: bigint;
  readonly minute: number;
}

/**
 * The nodes of each account from a minute on, the last `most` linked nodes before it, and all nodes among these. Windows begin with a whole
 * minute, so that the order within it can be found. Usually one index probe per account, however long its chain is.
 */
export async function readWindows(
  db: Queryable,
  queries: readonly WindowQuery[],
  most: number,
): Promise<Map<bigint, { readonly nodes: ChainNode[]; readonly fromStart: boolean }>> {
  const rows = await db.query<ChainNode & { fromStart: boolean }>(
    hot(
      'chain windows',
      sql`
    select ${NODE_COLUMNS}, s.minute is null as "fromStart"
    from ${unnestRows({ accountId: 'bigint', minute: 'int' }, queries, 'q')}
    cross join lateral (
      select case when count(*) < ${most} then null else min(e.minute) end as minute from (
        select c.minute from chain_nodes c
        where c.account_id = q.account_id and c.minute < q.minute and c.state in ('linked', 'patched', 'inferred')
        order by c.minute desc, c.place desc limit ${most}) e
    ) s
    cross join lateral (
      select * from chain_nodes c where c.account_id = q.account_id and c.minute >= coalesce(s.minute, 0)
      order by c.minute desc, c.place desc limit ${MOST_NODES}
    ) n`,
    ),
  );
  const windows = new Map(
    queries.map(({ accountId }) => [accountId, { nodes: [] as ChainNode[], fromStart: true }]),
  );
  for (const { fromStart, ...node } of rows) {
    const window = windows.get(node.accountId)!;
    window.nodes.push(node);
    window.fromStart = fromStart;
  }
  for (const window of windows.values()) if (window.nodes.length === MOST_NODES) window.fromStart = false;
  return windows;
}

const NODE = {
  accountId: 'bigint',
  id: 'bigint',
  kind: 'text',
  patchId: 'bigint',
  amount: 'bigint',
  balance: 'bigint',
  minute: 'int',
  place: 'int',
  isCoarse: 'boolean',
  isSurplus: 'boolean',
  isFork: 'boolean',
  state: 'text',
  previousId: 'bigint',
  nextId: 'bigint',
} as const;

/** Writes nodes as they are now: new ones, and those whose place or links changed. */
export async function writeNodes(tx: Tx, nodes: readonly ChainNode[]): Promise<void> {
  if (nodes.length === 0) return;
  await tx.query(
    hot(
      'insert chain nodes',
      sql`
    insert into chain_nodes (${columnNames(NODE)})
    select * from ${unnestRows(
      NODE,
      nodes.map((node) => ({ ...node, previousId: node.previous, nextId: node.next })),
    )}
    on conflict (account_id, id) do update set place = excluded.place, is_fork = excluded.is_fork, state = excluded.state,
      previous_id = excluded.previous_id, next_id = excluded.next_id`,
    ),
  );
}

/**
 * Takes nodes out of the chain: of a patch that was withdrawn or replaced, or with an inferred balance that no longer fits. Nodes of
 * messages stay.
 */
export async function deleteNodes(tx: Tx, nodes: readonly ChainNode[]): Promise<void> {
  if (nodes.length === 0) return;
  await tx.query(sql`
    delete from chain_nodes n using ${unnestRows({ accountId: 'bigint', id: 'bigint' }, nodes)}
    where n.account_id = v.account_id and n.id = v.id and n.kind <> 'message'`);
}

export interface StoredGap {
  readonly id: bigint;
  readonly accountId: bigint;
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

const GAP_COLUMNS = sql`
  g.id, g.account_id as "accountId", g.tail_id as "tailId", g.head_id as "headId", g.delta, g.from_minute as "fromMinute",
  g.to_minute as "toMinute", g.opened_at as "openedAt", g.asked_at as "askedAt", g.alerted_at as "alertedAt"`;

export function readOpenGaps(db: Queryable, accountIds: readonly bigint[]): Promise<StoredGap[]> {
  return db.query<StoredGap>(
    hot(
      'open gaps',
      sql`
    select ${GAP_COLUMNS} from chain_gaps g where g.account_id = any(${accountIds}) and g.state = 'open'`,
    ),
  );
}

export interface NewGap {
  readonly id: bigint;
  readonly accountId: bigint;
  readonly tailId: bigint;
  readonly headId: bigint;
  readonly delta: bigint;
  readonly fromMinute: number;
  readonly toMinute: number;
}

const GAP = {
  id: 'bigint',
  accountId: 'bigint',
  tailId: 'bigint',
  headId: 'bigint',
  delta: 'bigint',
  fromMinute: 'int',
  toMinute: 'int',
} as const;

export async function openGaps(tx: Tx, gaps: readonly NewGap[], at: Date): Promise<void> {
  if (gaps.length === 0) return;
  await tx.query(sql`
    insert into chain_gaps (${columnNames(GAP)}, state, opened_at)
    select v.*, 'open', ${at} from ${unnestRows(GAP, gaps)} on conflict do nothing`);
}

export async function closeGaps(tx: Tx, ids: readonly bigint[], at: Date): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(sql`
    update chain_gaps set state = 'closed', closed_at = ${at} where id = any(${ids}) and state <> 'closed'`);
}

export interface SupersededPatch {
  readonly account: string;
  readonly amount: bigint;
  readonly currency: Currency;
  readonly orders: readonly string[];
}

/** Ends live patches whose place a message has taken. Their gaps are closed; money that is still missing opens a new gap. */
export function supersedePatches(tx: Tx, ids: readonly bigint[], at: Date): Promise<SupersededPatch[]> {
  return tx.query<SupersededPatch>(sql`
    with ended as (
      update chain_patches set state = 'superseded', ended_at = ${at} where id = any(${ids}) and state = 'live'
      returning gap_id, account_id, amount, order_ids
    ), closed as (
      update chain_gaps g set state = 'closed' from ended e where g.id = e.gap_id
    )
    select a.bank || ' ' || a.account_tail as account, a.currency, e.amount, e.order_ids::text[] as orders
    from ended e join accounts a on a.id = e.account_id`);
}

/** A credit or debit whose message states no balance. Amount in minor units, signed. */
export interface Float {
  readonly id: bigint;
  readonly amount: bigint;
  readonly minute: number;
}

/** SQL: the minute of a message `m`: the bank's if it named at least the minute, otherwise the device's. */
export const MESSAGE_MINUTE = sql`
  floor(extract(epoch from case when m.time_precision in ('second', 'minute') and m.bank_time <= m.received_at + interval '1 minute'
    then m.bank_time else m.received_at end) / 60)::int`;

/** Messages of an account between two minutes that state no balance and are not in its chain yet, in the order of time. */
export function readFloats(db: Queryable, accountId: bigint, from: number, to: number): Promise<Float[]> {
  return db.query<Float>(
    hot(
      'chain messages',
      sql`
    select f.* from (
      select m.id, case m.direction when 'debit' then -m.amount else m.amount end as amount,
        ${MESSAGE_MINUTE} as minute
      from messages m
      where m.account_id = ${accountId} and m.id >= ${firstIdAt(new Date((from - 10) * MINUTE))} and m.balance is null
        and m.direction is not null and m.state <> 'duplicate'
        and not exists (select from chain_nodes n where n.account_id = m.account_id and n.id = m.id)
    ) f where f.minute between ${from} and ${to} order by f.minute, f.id`,
    ),
  );
}

/** Which of the accounts have an open gap around that minute. */
export async function accountsWithGap(
  db: Queryable,
  moments: readonly { readonly accountId: bigint; readonly minute: number }[],
): Promise<Set<bigint>> {
  if (moments.length === 0) return new Set();
  const rows = await db.query<{ id: bigint }>(
    hot(
      'moments in open gaps',
      sql`
    select v.id from ${unnestRows(
      { id: 'bigint', minute: 'int' },
      moments.map((row) => ({ ...row, id: row.accountId })),
    )}
    where exists (select from chain_gaps g
      where g.account_id = v.id and g.state = 'open' and v.minute between g.from_minute and g.to_minute)`,
    ),
  );
  return new Set(rows.map(({ id }) => id));
}

/** Names of accounts as notifications show them. */
export async function accountNames(
  db: Queryable,
  ids: readonly bigint[],
): Promise<{ readonly account: string }[]> {
  if (ids.length === 0) return [];
  return db.query<{ account: string }>(
    sql`select bank || ' ' || account_tail as account from accounts where id = any(${ids}) order by id`,
  );
}

export interface Hold {
  readonly messageId: bigint;
  readonly accountId: bigint;
  readonly orderId: bigint;
  readonly evidence: string;
  readonly until: Date;
}

const HOLD = {
  messageId: 'bigint',
  accountId: 'bigint',
  orderId: 'bigint',
  evidence: 'text',
  until: 'timestamptz',
} as const;

export async function insertHolds(tx: Tx, holds: readonly Hold[], at: Date): Promise<void> {
  if (holds.length === 0) return;
  await tx.query(sql`
    insert into chain_holds (${columnNames(HOLD)}, held_at) select *, ${at} from ${unnestRows(HOLD, holds)}`);
}

export async function deleteHolds(tx: Tx, messageIds: readonly bigint[]): Promise<void> {
  await tx.query(sql`delete from chain_holds where message_id = any(${messageIds})`);
}

export async function accountsWithHolds(db: Queryable): Promise<bigint[]> {
  const rows = await db.query<{ id: bigint }>(
    sql`select distinct account_id as id from chain_holds where tried_at is null order by 1`,
  );
  return rows.map(({ id }) => id);
}

/** Accounts with an overdue credit whose chain has changed since it was last looked at, or that was held before `ended`. */
export async function accountsWithOverdue(db: Queryable, ended: Date): Promise<bigint[]> {
  const rows = await db.query<{ id: bigint }>(sql`
    select distinct h.account_id as id from chain_holds h join chain_accounts c on c.account_id = h.account_id
    where h.tried_at is not null and (h.tried_at <= c.changed_at or h.held_at < ${ended}) order by 1`);
  return rows.map(({ id }) => id);
}

/** Gives held credits better evidence, or holds them for this order instead of another. They are decided anew at the next sweep. */
export async function changeEvidence(
  tx: Tx,
  orderId: bigint,
  messageIds: readonly bigint[],
  evidence: string,
): Promise<void> {
  await tx.query(sql`
    update chain_holds set evidence = ${evidence}, order_id = ${orderId}, tried_at = null
    where message_id = any(${messageIds}) and (order_id, evidence) is distinct from (${orderId}, ${evidence})`);
}

/** Notes that the time of these credits is over. They stay for a second look. */
export async function noteTried(tx: Tx, messageIds: readonly bigint[], at: Date): Promise<void> {
  await tx.query(sql`update chain_holds set tried_at = ${at} where message_id = any(${messageIds})`);
}

export interface HeldCredit extends Hold {
  readonly heldAt: Date;
  readonly amount: bigint;
  readonly currency: string;
  readonly utr: string | null;
  readonly monitorId: bigint;
  readonly payer: string | null;
  readonly text: string;
  /** The minute of its node; null if the message states no balance. */
  readonly minute: number | null;
}

/**
 * Locks the credits that an account's chain holds back, oldest first: those whose time runs, or the overdue ones. Before that, deletes the
 * holds of credits that are not held any more, because an operator booked them.
 */
export async function lockHolds(tx: Tx, accountId: bigint, isOverdue: boolean): Promise<HeldCredit[]> {
  await tx.query(
    hot(
      'drop chain holds',
      sql`
    delete from chain_holds h using messages m
    where h.account_id = ${accountId} and m.id = h.message_id and m.state not in ('held', 'untrusted')`,
    ),
  );
  return tx.query<HeldCredit>(
    hot(
      'chain holds',
      sql`
    select h.message_id as "messageId", h.account_id as "accountId", h.order_id as "orderId", h.evidence, h.held_at as "heldAt", h.until, m.amount, m.currency, m.utr, m.payer, m.text,
      m.monitor_id as "monitorId", n.minute
    from chain_holds h
    join messages m on m.id = h.message_id
    left join chain_nodes n on n.account_id = h.account_id and n.id = h.message_id
    where h.account_id = ${accountId} and (h.tried_at is not null) = ${isOverdue} order by h.message_id for update of h, m`,
    ),
  );
}
