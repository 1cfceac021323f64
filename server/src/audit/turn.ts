import { keepAlerts } from '../alerts/raise.ts';
import { SECOND } from '../platform/clock.ts';
import { type Database, sql, type Tx } from '../platform/db/database.ts';
import { leased } from '../platform/db/lease.ts';
import { perPlatform } from '../platform/node-state.ts';
import type { Platform } from '../platform/platform.ts';
import { type Block, newestBlock, readBlocks } from './block.ts';
import { checkBlocks, type Fault, rowsOutside, sentenceOf } from './check.ts';

/** The blocks that every look reads: those of the last minute, if they have few rows. */
const NEWEST = 60n;
const NEWEST_ROWS = 2_000;
/** How long a look reads older blocks, ms. During a turn that is a twentieth of one processor. */
const LOOK = 150;
/** From the start of one turn to the start of the next. */
const TURN_EVERY = 30 * SECOND;
export const CHECK_PAUSE = 3 * SECOND;
/** Rows read in one snapshot. */
const ROWS_AT_ONCE = 10_000;
const BLOCKS_AT_ONCE = 1_000n;

/** How far the check has come. */
export interface CheckState {
  readonly nextBlock: bigint;
  readonly goodTo: bigint;
  readonly turnStartedAt: Date;
  readonly turnEndedAt: Date | null;
  readonly lookedAt: Date;
  readonly announcedOn: string | null;
}

export async function checkState(platform: Platform): Promise<CheckState | undefined> {
  const [state] = await platform.db.query<CheckState>(sql`
    select next_block as "nextBlock", good_to as "goodTo", turn_started_at as "turnStartedAt", turn_ended_at as "turnEndedAt",
      looked_at as "lookedAt", announced_on::text as "announcedOn" from audit_checks`);
  return state;
}

type Seen = Pick<Block, 'number' | 'hash'>;

/**
 * What this node has seen. `newest`: if blocks are removed from the end of the chain, only this memory shows it. `changes`: how many rows
 * of append-only tables were changed or deleted, as PostgreSQL counts them.
 */
const seenBy = perPlatform(() => ({
  newest: undefined as Seen | undefined,
  changes: undefined as bigint | undefined,
}));

/**
 * One look: reads the newest blocks, and older blocks in turn. When PostgreSQL has counted a change or deletion in an append-only table,
 * the look reads the whole chain at once. One node at a time.
 */
export async function checkSealed(platform: Platform, lookMs = LOOK): Promise<void> {
  await leased(platform, 'audit check', async () => {
    const seen = seenBy(platform);
    const changes = await changesCounted(platform);
    await lookAt(platform, seen.changes !== undefined && changes !== seen.changes ? Infinity : lookMs);
    seen.changes = changes;
    return platform.clock.now();
  });
}

/** How many rows in the append-only tables and the table of blocks were changed or deleted, as PostgreSQL counts. */
async function changesCounted({ db }: Platform): Promise<bigint> {
  const [row] = await db.query<{ changes: bigint }>(sql`
    select coalesce(sum(n_tup_upd + n_tup_del), 0)::bigint as changes
    from pg_stat_user_tables s left join pg_inherits i on i.inhrelid = s.relid
    where coalesce(i.inhparent, s.relid) = any(${GROWING}::regclass[]::oid[])`);
  return row!.changes;
}

const GROWING = ['audit_log', 'order_events', 'postings', 'ledger_entries', 'audit_blocks'];

/** Looks until the whole chain was read once. */
export async function checkAllSealed(platform: Platform): Promise<void> {
  await lookAt(platform, Infinity);
}

async function lookAt(platform: Platform, forMs: number): Promise<void> {
  const now = platform.clock.now();
  const state = await checkState(platform);
  const newest = await newestBlock(platform.db);
  const found: Found = { faults: [...(await lostBlocks(platform, newest, state?.goodTo ?? 0n))], looked: [] };
  const walked = newest && (await walk(platform, newest.number, state, forMs, found));
  found.faults.push(...(await snapshot(platform.db, rowsOutside)));
  await record(platform, found);
  await tell(platform);
  const [open] = await platform.db.query<{ count: number }>(sql`
    select count(*)::int as count from audit_faults where gone_at is null`);
  const { next, ended, recent, began } = walked ?? { next: 1n, ended: false, recent: 1n, began: false };
  // Everything before the newest blocks was read: in this turn, or in an earlier turn and continuously since.
  const reaches = ended || (state !== undefined && recent <= state.goodTo + 1n);
  const goodTo = newest && open!.count === 0 && reaches ? newest.number : (state?.goodTo ?? 0n);
  await platform.db.query(sql`
    insert into audit_checks (id, next_block, turn_started_at, good_to, turn_ended_at, looked_at)
    values (1, ${ended ? 1n : next}, ${began || !state ? now : state.turnStartedAt}, ${goodTo},
      ${ended ? now : (state?.turnEndedAt ?? null)}, ${now})
    on conflict (id) do update set next_block = excluded.next_block, turn_started_at = excluded.turn_started_at,
      good_to = excluded.good_to, turn_ended_at = excluded.turn_ended_at, looked_at = excluded.looked_at`);
  if (newest) await announce(platform, newest, state?.announcedOn ?? null);
}

/** What a look gathers: faults, and the blocks it has read. */
interface Found {
  readonly faults: Fault[];
  readonly looked: Span[];
}

/** Reads the newest blocks, then, for `forMs`, older blocks if a turn is under way or due. */
async function walk(
  platform: Platform,
  newest: bigint,
  state: CheckState | undefined,
  forMs: number,
  found: Found,
): Promise<{ next: bigint; ended: boolean; recent: bigint; began: boolean }> {
  const endsAt = performance.now() + forMs;
  const recent = await firstRecent(platform.db, newest);
  for (let at: bigint | undefined = recent; at !== undefined;)
    at = await lookFrom(platform, at, newest, found);
  let next = forMs === Infinity ? 1n : (state?.nextBlock ?? 1n);
  const began = next === 1n;
  const pause = state ? platform.clock.now().getTime() - state.turnStartedAt.getTime() : TURN_EVERY;
  if (began && state?.turnEndedAt && forMs !== Infinity && pause < TURN_EVERY)
    return { next, ended: false, recent, began: false };
  // The turn ends at the newest blocks, which were just read.
  while (next < recent && performance.now() < endsAt)
    next = (await lookFrom(platform, next, recent - 1n, found)) ?? recent;
  return { next, ended: next >= recent, recent, began };
}

/** The first of the newest blocks that every look reads. */
async function firstRecent(db: Database, newest: bigint): Promise<bigint> {
  const [first] = await db.query<{ number: bigint | null }>(sql`
    select min(number) as number from (
      select number, sum(row_count) over (order by number desc) - row_count as later
      from audit_blocks where number > ${newest - NEWEST}) b
    where later < ${NEWEST_ROWS}`);
  return first?.number ?? newest;
}

interface Span {
  readonly from: bigint;
  readonly to: bigint;
}

/** Checks blocks from `from` to at most `furthest`, as many as fit in one snapshot. Answers the next block, or undefined at the end. */
async function lookFrom(
  platform: Platform,
  from: bigint,
  furthest: bigint,
  { faults, looked }: Found,
): Promise<bigint | undefined> {
  const last = furthest - from < BLOCKS_AT_ONCE ? furthest : from + BLOCKS_AT_ONCE - 1n;
  const [to, found] = await snapshot(platform.db, async (tx) => {
    const [end] = await tx.query<{ to: bigint | null }>(sql`
      select min(number) as to from (
        select number, sum(row_count) over (order by number) as rows from audit_blocks where number between ${from} and ${last}) b
      where rows >= ${ROWS_AT_ONCE}`);
    const upTo = end!.to ?? last;
    const blocks = await readBlocks(tx, sql`number between ${from} - 1 and ${upTo}`);
    const before = blocks[0] && blocks[0].number < from ? blocks.shift() : undefined;
    return [
      upTo,
      await checkBlocks(tx, platform.auditSeal, blocks, before ?? (from === 1n ? undefined : blank(from))),
    ] as const;
  });
  faults.push(...found);
  looked.push({ from, to });
  return to < furthest ? to + 1n : undefined;
}

/** A placeholder for a missing block. Its own number reports it. */
const blank = (from: bigint) => ({ number: from - 1n, hash: Buffer.alloc(0), toTx: -1n });

/** Finds blocks missing at the end of the chain that the check had seen before. */
async function lostBlocks(platform: Platform, newest: Seen | undefined, goodTo: bigint): Promise<Fault[]> {
  const memory = seenBy(platform);
  const faults: Fault[] = [];
  const highest = memory.newest && memory.newest.number > goodTo ? memory.newest.number : goodTo;
  for (let number = (newest?.number ?? 0n) + 1n; number <= highest; number += 1n)
    faults.push({ kind: 'block', rowId: number, fault: 'missing', block: number });
  if (memory.newest) {
    const { number, hash } = memory.newest;
    const [same] = await readBlocks(platform.db, sql`number = ${number}`);
    if (same && !same.hash.equals(hash))
      faults.push({ kind: 'block', rowId: number, fault: 'changed', block: number });
  }
  // After a fault at the end, the remembered block is kept, because it proves the fault.
  if (newest && faults.length === 0) memory.newest = newest;
  return faults;
}

function snapshot<Result>(db: Database, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return db.tx(async (tx) => {
    await tx.query(sql`set transaction isolation level repeatable read read only`);
    return work(tx);
  });
}

/** Writes the faults found, logs the new ones, and closes faults whose rows are right again. */
async function record(platform: Platform, { faults: found, looked }: Found): Promise<void> {
  const now = platform.clock.now();
  const faults = [
    ...new Map(found.map((each) => [`${each.kind}:${each.rowId}:${each.fault}`, each])).values(),
  ];
  const fresh = await platform.db.query<Fault>(sql`
    with found as (
      select * from unnest(${faults.map(({ kind }) => kind)}::text[], ${faults.map(({ rowId }) => rowId)}::bigint[],
        ${faults.map(({ fault }) => fault)}::text[], ${faults.map(({ block }) => block)}::bigint[]) f (kind, row_id, fault, block)
    ), known as (
      select f.kind, f.row_id, f.fault from audit_faults f where f.gone_at is null
    ), written as (
      insert into audit_faults (kind, row_id, fault, block, found_at, seen_at)
      select kind, row_id, fault, block, ${now}, ${now} from found
      on conflict (kind, row_id, fault) do update set seen_at = excluded.seen_at, gone_at = null, block = excluded.block
    ) select kind, row_id as "rowId", fault, block from found where (kind, row_id, fault) not in (select * from known)`);
  await platform.db.query(sql`
    update audit_faults f set gone_at = ${now}
    where gone_at is null and not exists (
        select from unnest(${faults.map(({ kind }) => kind)}::text[], ${faults.map(({ rowId }) => rowId)}::bigint[],
          ${faults.map(({ fault }) => fault)}::text[]) s (kind, row_id, fault)
        where (s.kind, s.row_id, s.fault) = (f.kind, f.row_id, f.fault))
      and (block is null or exists (
        select from unnest(${looked.map(({ from }) => from)}::bigint[], ${looked.map(({ to }) => to)}::bigint[]) l (low, high)
        where f.block between l.low and l.high))`);
  if (fresh.length > 0)
    platform.log.error(
      { found: fresh.length, rows: fresh.slice(0, 20).map(sentenceOf) },
      'sealed rows are not as they were sealed',
    );
}

/** More alerts than this would tell nothing new. */
const MOST_ALERTS = 20;

async function tell(platform: Platform): Promise<void> {
  const open = await platform.db.query<Fault>(sql`
    select kind, row_id as "rowId", fault, block from audit_faults where gone_at is null order by found_at, kind, row_id limit ${MOST_ALERTS}`);
  const causes = open.map(({ kind, rowId, fault }) => ({
    subject: `${kind}:${rowId}`,
    data: { sealed: kind, row: String(rowId), fault },
  }));
  await keepAlerts(platform, 'auditChainBroken', causes);
}

/**
 * Once a day the log and the alert channels get the newest block. Whoever keeps that line can prove that a database was rewritten later.
 */
async function announce(
  platform: Platform,
  newest: Pick<Block, 'number' | 'hash' | 'sealedAt'>,
  announcedOn: string | null,
): Promise<void> {
  const today = platform.clock.now().toISOString().slice(0, 10);
  if (announcedOn === today) return;
  await platform.db.query(sql`update audit_checks set announced_on = ${today}`);
  const [block, hash] = [String(newest.number), newest.hash.toString('hex')];
  await keepAlerts(platform, 'auditBlock', [{ subject: today, data: { block, hash } }]);
  platform.log.info(
    { block, hash, sealedAt: newest.sealedAt },
    'newest block of the audit: keep this line outside the database',
  );
}
