import { MINUTE, SECOND } from '../platform/clock.ts';
import { empty, join, type Queryable, type Sql, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { SEALED, SEALED_KINDS, tableOf, txOf } from './leaves.ts';
import { type CountedSpan, type Found, lookFrom, snapshot, type Span } from './look.ts';

/** A table that is not partitioned, or one partition, with what PostgreSQL says of it. */
export interface Part {
  readonly oid: string;
  readonly table: string;
  /** The ids of a partition: from `low` to below `high`. */
  readonly low: string | null;
  readonly high: string | null;
  /** Changes when rows were changed or removed, whatever the way: file, counts, and when the counts were last put to 0. */
  readonly state: string;
  /** Changes when rows were changed that the application may change. */
  readonly updates: string;
}

/** The only sealed table with rows that change in normal work: a request gets its decision. */
const DECIDED = 'approvals';
const BLOCKS = 'audit_blocks';
const TABLES = [...new Set(SEALED_KINDS.map((kind) => SEALED[kind].table)), BLOCKS];

/** The parts of the sealed tables that have rows. */
export function partsOf(db: Queryable): Promise<Part[]> {
  const updates = sql`coalesce(pg_stat_get_tuples_updated(c.oid), 0)`;
  const bound = sql`pg_get_expr(c.relpartbound, c.oid)`;
  return db.query<Part>(sql`
    select c.oid::text as oid, p.relname::text as "table",
      substring(${bound} from 'FROM \\(''?(\\d+)') as low, substring(${bound} from 'TO \\(''?(\\d+)') as high,
      concat_ws(' ', pg_relation_filenode(c.oid), pg_stat_get_tuples_deleted(c.oid),
        case when p.relname <> ${DECIDED} then ${updates} end, d.stats_reset) as state,
      ${updates}::text as updates
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = coalesce(i.inhparent, c.oid)
      left join pg_stat_database d on d.datname = current_database()
    where c.relkind = 'r' and p.oid = any(${TABLES}::regclass[]::oid[]) and pg_relation_size(c.oid) > 0`);
}

export interface Suspicion {
  /** The parts to search. */
  readonly parts: readonly Part[];
  /** Rows were changed or removed that nobody may change. So everything is read again as well. */
  readonly isSure: boolean;
}

/** Compares what PostgreSQL says with what it said before. Without that, everything is searched once. */
export function suspicionOf(before: readonly Part[] | null | undefined, now: readonly Part[]): Suspicion {
  if (!before) return { parts: now, isSure: false };
  const [was, is] = [before, now].map((parts) => new Map(parts.map((part) => [part.oid, part])));
  return {
    parts: now.filter((part) => {
      const old = was!.get(part.oid);
      return !old || old.state !== part.state || old.updates !== part.updates;
    }),
    isSure: before.some(({ oid, state }) => is!.get(oid)?.state !== state),
  };
}

/** Rows of one part that a search names at most. When there are more, everything is read anyway. */
const MOST = 1_000;
/** How long one statement of a search may take. */
const LONGEST = 5 * MINUTE;

/**
 * Reads the blocks to which the changed rows of some parts belong. A row that was changed, or written later than its block, has another
 * transaction in its system column `xmin` than in the column that is sealed; the latest such rows come first. Rows that are gone leave
 * nothing: `countSpans` finds them.
 */
export async function searchParts(platform: Platform, parts: readonly Part[], found: Found): Promise<void> {
  for (const part of parts) {
    const spans = await snapshot(
      platform.db,
      (tx) => tx.query<Span>(part.table === BLOCKS ? changedBlocks() : blocksOfChanged(part)),
      LONGEST,
    );
    for (const span of spans) await lookFrom(platform, span, found);
  }
}

function blocksOfChanged({ table, low, high }: Part): Sql {
  const kinds = SEALED_KINDS.filter((kind) => SEALED[kind].table === table);
  // `xmin` has the lower 32 bits of a transaction's number.
  const isOther = kinds.map((kind) => sql`xmin is distinct from ((${txOf(kind)} << 32) >> 32)::int4`);
  const within =
    low === null || high === null ? empty : sql`and id >= ${low}::bigint and id < ${high}::bigint`;
  return sql`
    select distinct b.number as "from", b.number as "to" from (
      select unnest(array[${join(kinds.map(txOf))}]) as tx from ${tableOf(kinds[0]!)}
      where ${join(isOther, ' and ')} ${within} order by age(xmin) limit ${MOST}) r
    cross join lateral (select number, to_tx from audit_blocks where from_tx <= r.tx order by from_tx desc limit 1) b
    where r.tx < b.to_tx`;
}

/** Blocks that were written after the next one, or with another number missing between them, each with the next one. */
const changedBlocks = (): Sql => sql`
  select number as "from", next as "to" from (
    select number, lead(number) over w as next, age(xmin) as age, lead(age(xmin)) over w as next_age
    from audit_blocks window w as (order by number)) b
  where next_age > age or next > number + 1 order by age limit ${MOST}`;

/** Spans counted in one snapshot: about two million rows. */
const SPANS_AT_ONCE = 200;
/** From one count to the next. */
const COUNT_EVERY = 10 * SECOND;
/** A long count is made less often: it takes a twentieth of one processor. */
const REST_PER_WORK = 20;
/** How long a count reads spans that have another number of rows. The next count continues. */
const LONGEST_READING = 10 * SECOND;

/** Counts the rows of all spans, reads the spans that have more or fewer than before, and answers when the next count is due. */
export async function countSpans(platform: Platform, found: Found): Promise<Date> {
  const began = performance.now();
  const differing: CountedSpan[] = [];
  for (let after: bigint | undefined = 0n; after !== undefined;) {
    const spans = await snapshot(platform.db, (tx) => countAfter(tx, after!), LONGEST);
    differing.push(...spans.filter(({ rowCount, rows }) => rowCount !== rows));
    after = spans.length < SPANS_AT_ONCE ? undefined : spans.at(-1)!.from;
  }
  const counted = performance.now();
  for (const { from, to } of differing) {
    if (performance.now() - counted > LONGEST_READING) return platform.clock.now();
    for (let at: bigint | undefined = from; at !== undefined;)
      at = await lookFrom(platform, { from: at, to }, found, true);
  }
  const rest = Math.max(COUNT_EVERY, (counted - began) * REST_PER_WORK);
  return new Date(platform.clock.now().getTime() + rest);
}

function countAfter(db: Queryable, after: bigint): Promise<(CountedSpan & { readonly rows: number })[]> {
  const counts = SEALED_KINDS.map(
    (kind) => sql`
      (select count(*) from ${tableOf(kind)} where ${txOf(kind)} >= s.from_tx and ${txOf(kind)} < s.to_tx)`,
  );
  return db.query(sql`
    select first as "from", last as "to", row_count as "rowCount", (${join(counts, ' + ')})::int as rows
    from audit_spans s where first > ${after} order by first limit ${SPANS_AT_ONCE}`);
}

/** Keeps the spans that were read, in place of those that overlap them. */
export async function keepSpans({ db }: Platform, spans: readonly CountedSpan[]): Promise<void> {
  await db.tx(async (tx) => {
    for (const { from, to, fromTx, toTx, rowCount } of spans) {
      await tx.query(sql`delete from audit_spans where first <= ${to} and last >= ${from}`);
      await tx.query(sql`
        insert into audit_spans (first, last, from_tx, to_tx, row_count) values (${from}, ${to}, ${fromTx}, ${toTx}, ${rowCount})`);
    }
  });
}
