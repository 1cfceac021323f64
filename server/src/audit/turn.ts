import { keepAlerts } from '../alerts/raise.ts';
import { SECOND } from '../platform/clock.ts';
import { type Database, sql } from '../platform/db/database.ts';
import { leased } from '../platform/db/lease.ts';
import { perPlatform } from '../platform/node-state.ts';
import type { Platform } from '../platform/platform.ts';
import { type Block, newestBlock, readBlocks } from './block.ts';
import { type Fault, rowsOutside, sentenceOf } from './check.ts';
import { type Found, lookFrom, snapshot } from './look.ts';
import {
  countSpans,
  keepSpans,
  type Part,
  partsOf,
  searchParts,
  type Suspicion,
  suspicionOf,
} from './search.ts';

/** The blocks that every look reads: those of the last minute, if they have few rows. */
const NEWEST = 60n;
const NEWEST_ROWS = 2_000;
/** How long a look reads older blocks, ms. During a turn that is a twentieth of one processor. */
const LOOK = 150;
/** From the start of one turn to the start of the next. */
const TURN_EVERY = 30 * SECOND;
export const CHECK_PAUSE = 3 * SECOND;
/** The same during a turn that was begun because something was changed. That is half of one processor. */
const HURRIED_LOOK = 3 * SECOND;

/** How far the check has come. */
export interface CheckState {
  readonly nextBlock: bigint;
  readonly goodTo: bigint;
  readonly turnStartedAt: Date;
  readonly turnEndedAt: Date | null;
  readonly lookedAt: Date;
  readonly announcedOn: string | null;
  /** The turn under way was begun because something was changed. */
  readonly inHurry: boolean;
  /** When the rows are counted next. */
  readonly countDue: Date | null;
}

export async function checkState(platform: Platform): Promise<CheckState | undefined> {
  const [state] = await platform.db.query<CheckState>(sql`
    select next_block as "nextBlock", good_to as "goodTo", turn_started_at as "turnStartedAt", turn_ended_at as "turnEndedAt",
      looked_at as "lookedAt", announced_on::text as "announcedOn", in_hurry as "inHurry", count_due as "countDue" from audit_checks`);
  return state;
}

type Seen = Pick<Block, 'number' | 'hash'>;

/**
 * What this node has seen. `newest`: if blocks are removed from the end of the chain, only this memory shows it. `parts`: what PostgreSQL
 * said of the sealed tables.
 */
const seenBy = perPlatform(() => ({
  newest: undefined as Seen | undefined,
  parts: undefined as readonly Part[] | undefined,
}));

/**
 * One look: reads the newest blocks, and older blocks in turn. When PostgreSQL says that rows of a sealed table were changed or removed, the
 * look first searches for them, and a new turn begins that reads everything fast. One node at a time.
 */
export async function checkSealed(platform: Platform, lookMs = LOOK): Promise<void> {
  await leased(platform, 'audit check', async () => {
    const seen = seenBy(platform);
    const [parts, [kept]] = await Promise.all([
      partsOf(platform.db),
      platform.db.query<{ parts: readonly Part[] | null }>(sql`select parts from audit_checks`),
    ]);
    // A node that has just started goes on from what the last look saw.
    const suspicion = suspicionOf(seen.parts ?? kept?.parts, parts);
    await lookAt(platform, lookMs, suspicion);
    if (suspicion.parts.length > 0 || suspicion.isSure)
      await platform.db.query(sql`update audit_checks set parts = ${JSON.stringify(parts)}`);
    seen.parts = parts;
    return platform.clock.now();
  });
}

/** Looks until the whole chain was read once. */
export async function checkAllSealed(platform: Platform): Promise<void> {
  await lookAt(platform, Infinity, { parts: [], isSure: false });
}

async function lookAt(platform: Platform, lookMs: number, { parts, isSure }: Suspicion): Promise<void> {
  const now = platform.clock.now();
  const state = await checkState(platform);
  const newest = await newestBlock(platform.db);
  const found: Found = {
    faults: [...(await lostBlocks(platform, newest, state?.goodTo ?? 0n))],
    looked: [],
    counted: [],
  };
  await searchParts(platform, parts, found);
  const isCountDue = isSure || !state?.countDue || state.countDue <= now;
  const countDue = isCountDue ? await countSpans(platform, found) : state.countDue;
  const begins = isSure && state?.inHurry !== true;
  const inHurry = isSure || state?.inHurry === true;
  const forMs = inHurry ? Math.max(lookMs, HURRIED_LOOK) : lookMs;
  const from = begins || forMs === Infinity ? 1n : (state?.nextBlock ?? 1n);
  const isDue = inHurry || forMs === Infinity || isTurnDue(state, now);
  const walked = newest && (await walk(platform, newest.number, { from, forMs, isDue }, found));
  found.faults.push(...(await snapshot(platform.db, rowsOutside)));
  await record(platform, found);
  await keepSpans(platform, found.counted);
  await tell(platform);
  const [open] = await platform.db.query<{ count: number }>(sql`
    select count(*)::int as count from audit_faults where gone_at is null`);
  const { next, ended, recent, began } = walked ?? { next: 1n, ended: false, recent: 1n, began: false };
  // Everything before the newest blocks was read: in this turn, or in an earlier turn and continuously since.
  const reaches = ended || (state !== undefined && recent <= state.goodTo + 1n);
  const goodTo = newest && open!.count === 0 && reaches ? newest.number : (state?.goodTo ?? 0n);
  await platform.db.query(sql`
    insert into audit_checks (id, next_block, turn_started_at, good_to, turn_ended_at, looked_at, in_hurry, count_due)
    values (1, ${ended ? 1n : next}, ${began || !state ? now : state.turnStartedAt}, ${goodTo},
      ${ended ? now : (state?.turnEndedAt ?? null)}, ${now}, ${inHurry && !ended}, ${countDue})
    on conflict (id) do update set next_block = excluded.next_block, turn_started_at = excluded.turn_started_at,
      good_to = excluded.good_to, turn_ended_at = excluded.turn_ended_at, looked_at = excluded.looked_at,
      in_hurry = excluded.in_hurry, count_due = excluded.count_due`);
  if (newest) await announce(platform, newest, state?.announcedOn ?? null);
}

/** Whether a turn is under way, or the next may begin. */
const isTurnDue = (state: CheckState | undefined, now: Date): boolean =>
  !state?.turnEndedAt ||
  state.nextBlock !== 1n ||
  now.getTime() - state.turnStartedAt.getTime() >= TURN_EVERY;

interface Walk {
  /** The first of the older blocks to read. */
  readonly from: bigint;
  readonly forMs: number;
  /** Whether older blocks are read at all. */
  readonly isDue: boolean;
}

/** Reads the newest blocks, then those that have just become older, and then, for `forMs`, older blocks. */
async function walk(
  platform: Platform,
  newest: bigint,
  { from, forMs, isDue }: Walk,
  found: Found,
): Promise<{ next: bigint; ended: boolean; recent: bigint; began: boolean }> {
  const endsAt = performance.now() + forMs;
  const recent = await firstRecent(platform.db, newest);
  for (let at: bigint | undefined = recent; at !== undefined;)
    at = await lookFrom(platform, { from: at, to: newest }, found);
  // A long turn comes to these blocks only at its end, and until then nobody would count their rows.
  const [last] = await platform.db.query<{ counted: bigint | null }>(
    sql`select max(last) as counted from audit_spans`,
  );
  if (last!.counted !== null && last!.counted + 1n < recent)
    await lookFrom(platform, { from: last!.counted + 1n, to: recent - 1n }, found, true);
  if (!isDue) return { next: from, ended: false, recent, began: false };
  let next = from;
  // The turn ends at the newest blocks, which were just read.
  while (next < recent && performance.now() < endsAt)
    next = (await lookFrom(platform, { from: next, to: recent - 1n }, found, true)) ?? recent;
  return { next, ended: next >= recent, recent, began: from === 1n };
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
