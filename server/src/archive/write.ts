import { businessDay } from '@sangam/contract/time.ts';
import { join } from 'node:path';
import { MINUTE } from '../platform/clock.ts';
import { type Database, raw, type Sql, sql } from '../platform/db/database.ts';
import { partitionOf, patiently, SHORT_LOCK_WAIT } from '../platform/db/partitions.ts';
import type { Platform } from '../platform/platform.ts';
import { createArchiveFile, openArchive, readFrame, sha256, writeWhole } from './file.ts';
import { eventLeaves, insertLeaves, type LeafList } from './leaves.ts';
import { type Archive, type FrameRow, insertFrames } from './store.ts';
import { type ArchivedTable, isOrders, keyOf, orderSums, type OrderSum, readyRows } from './tables.ts';

/** Rows of a frame: one order is read by unpacking a frame or two of each table. */
const FRAME_ROWS = 5_000;
/** A month is sorted and read at one moment of the database; so long one statement of it may take. */
const LONGEST = 30 * MINUTE;

/** Called after each step that may be the last one of a process. Tests end it there. */
export type Step = (name: string, file: string) => void;

/**
 * Makes the file of an archive in state `writing`: its rows, read at one moment, then read back from the disk and compared with what
 * the database says of them. Ends in state `checked`. Changes nothing of the rows. Throws where the two differ.
 */
export async function writeArchive(
  platform: Platform,
  owner: Database,
  archive: Archive,
  step: Step,
): Promise<void> {
  const folder = platform.config.archiveDir;
  await watchTouches(owner, archive);
  step('watched', archive.file);
  const file = await createArchiveFile(join(folder, archive.file));
  let copied: Copied;
  let bytes: number;
  try {
    copied = await copyRows(platform, owner, archive, file.add);
    step('copied', archive.file);
    bytes = await file.end();
  } catch (error) {
    await file.abandon();
    throw error;
  }
  step('on disk', archive.file);
  const read = await readBack(folder, archive, copied.frames);
  const same =
    read.rowCount === copied.rowCount &&
    read.idSum === BigInt(copied.idSum) &&
    JSON.stringify(read.sums) === JSON.stringify(copied.sums);
  if (!same)
    throw new Error(
      `${archive.file} holds ${read.rowCount} rows, the database ${copied.rowCount}, or their sums differ`,
    );
  step('read back', archive.file);
  const manifest = manifestOf(archive, copied, bytes);
  await writeWhole(join(folder, manifestName(archive.file)), manifest);
  step('manifest', archive.file);
  const hash = sha256(manifest);
  await owner.tx(async (tx) => {
    await insertFrames(tx, archive.id, copied.frames);
    await insertLeaves(tx, platform.auditSeal, archive.id, copied.leaves);
    await tx.query(sql`
      update archives set state = 'checked', row_count = ${copied.rowCount}, id_sum = ${copied.idSum}::numeric, bytes = ${bytes},
        sums = ${JSON.stringify(copied.sums)}::jsonb, hash = ${hash}, key_id = ${platform.auditSeal.keyId},
        signature = ${platform.auditSeal.sign(hash)}, checked_at = ${platform.clock.now()}, failure = null
      where id = ${archive.id} and state = 'writing'`);
  }, LONGEST);
  step('checked', archive.file);
}

export const manifestName = (file: string): string => file.replace(/\.ndjson\.zst$/, '.json');

function manifestOf(archive: Archive, { frames, rowCount, idSum, sums }: Copied, bytes: number): string {
  const { table, month, part, file } = archive;
  return JSON.stringify({
    format: 'sangam-archive-1',
    table,
    month: month.toISOString().slice(0, 7),
    part,
    file,
    bytes,
    rows: rowCount,
    idSum,
    sums,
    frames: frames.map(({ startsAt, length, rowCount: rows, hash }) => ({
      startsAt: Number(startsAt),
      length,
      rows,
      sha256: hash.toString('hex'),
    })),
  });
}

/** From now on a write to the month's rows is noted: what was read before it is then not what is there. */
function watchTouches(owner: Database, { id, table, month }: Archive): Promise<void> {
  return patiently(() =>
    owner.tx(async (tx) => {
      await tx.query(SHORT_LOCK_WAIT);
      await tx.query(sql`delete from archive_touches where archive_id = ${id}`);
      await tx.query(sql`
        create or replace trigger archive_touched after insert or update or delete on ${raw(partitionOf(table, month))}
        for each row execute function note_archive_touch(${raw(`'${id}'`)})`);
    }),
  );
}

interface Copied {
  readonly frames: readonly FrameRow[];
  readonly rowCount: number;
  readonly idSum: string;
  readonly sums: readonly OrderSum[];
  readonly leaves: readonly LeafList[];
}

interface Piece {
  readonly text: string;
  readonly rows: number;
  readonly firstOrder: bigint;
  readonly lastOrder: bigint;
}

/** Reads the rows that are ready into the file; all at one moment. */
function copyRows(
  platform: Platform,
  owner: Database,
  { table, month, until }: Archive,
  add: Awaited<ReturnType<typeof createArchiveFile>>['add'],
): Promise<Copied> {
  const from = sql`${raw(partitionOf(table, month))} o where ${readyRows(table, until, platform.clock.now())}`;
  return owner.tx(async (tx) => {
    await tx.query(sql`set transaction isolation level repeatable read`);
    await tx.query(
      sql`select set_config('statement_timeout', ${String(LONGEST)}, true), set_config('cursor_tuple_fraction', '1', true)`,
    );
    await tx.query(sql`declare pieces no scroll cursor for ${piecesOf(table, from)}`);
    const fetch = () => tx.query<Piece>(sql`fetch 1 from pieces`);
    const frames: FrameRow[] = [];
    // The database makes the next piece while this one is packed.
    for (let next = fetch(); ;) {
      const [piece] = await next;
      if (!piece) break;
      next = fetch();
      const { text, rows: rowCount, firstOrder, lastOrder } = piece;
      frames.push({ ...(await add(text)), rowCount, firstOrder, lastOrder });
    }
    const [total] = await tx.query<{ rowCount: number; idSum: string }>(sql`
      select count(*)::int as "rowCount", coalesce(sum(o.id), 0)::text as "idSum" from ${from}`);
    const sums = isOrders(table) ? await tx.query<OrderSum>(orderSums(table, from)) : [];
    const leaves = table === 'order_events' ? await eventLeaves(tx, from) : [];
    return { frames, ...total!, sums, leaves };
  }, LONGEST);
}

function piecesOf(table: ArchivedTable, from: Sql): Sql {
  return sql`
    select string_agg(line, e'\\n' order by place) as text, count(*)::int as rows, min(key) as "firstOrder", max(key) as "lastOrder"
    from (
      select row_to_json(o)::text as line, ${keyOf(table)} as key, row_number() over (order by ${keyOf(table)}, o.id) as place
      from ${from}
    ) r group by (place - 1) / ${raw(String(FRAME_ROWS))} order by min(place)`;
}

interface ReadBack {
  readonly rowCount: number;
  readonly idSum: bigint;
  readonly sums: readonly OrderSum[];
}

/** What the file on the disk holds, counted from its lines. */
async function readBack(
  folder: string,
  { table, file: name }: Archive,
  frames: readonly FrameRow[],
): Promise<ReadBack> {
  const file = await openArchive(folder, name);
  try {
    let [rowCount, idSum] = [0, 0n];
    const sums = new Map<string, Counted>();
    for (const frame of frames) {
      const lines = (await readFrame(file, frame)).split('\n');
      if (lines.length !== frame.rowCount) throw new Error(`piece ${frame.number} of ${name} lost rows`);
      rowCount += lines.length;
      for (const line of lines) {
        // The key comes first. JSON.parse would round it.
        idSum += BigInt(/^\{"id":(\d+),/.exec(line)![1]!);
        if (isOrders(table)) countIn(sums, table, line);
      }
    }
    const sorted = [...sums.values()].toSorted(
      (a, b) =>
        a.day.localeCompare(b.day) || a.merchantId - b.merchantId || (a.currency < b.currency ? -1 : 1),
    );
    return {
      rowCount,
      idSum,
      sums: sorted.map((each) => ({
        day: each.day,
        merchantId: String(each.merchantId),
        currency: each.currency,
        count: each.count,
        amount: String(each.amount),
        moved: String(each.moved),
      })),
    };
  } finally {
    await file.close();
  }
}

interface Counted {
  readonly day: string;
  readonly merchantId: number;
  readonly currency: string;
  count: number;
  amount: bigint;
  moved: bigint;
}

interface OrderLine {
  readonly merchant_id: number;
  readonly currency: string;
  readonly status: number;
  readonly created_at: string;
}

function countIn(sums: Map<string, Counted>, table: ArchivedTable, line: string): void {
  const order = JSON.parse(line) as OrderLine;
  const day = businessDay(new Date(order.created_at));
  const key = `${day} ${order.merchant_id} ${order.currency}`;
  const sum = sums.get(key) ?? {
    day,
    merchantId: order.merchant_id,
    currency: order.currency,
    count: 0,
    amount: 0n,
    moved: 0n,
  };
  sums.set(key, sum);
  const amount = minorOf(line, 'amount');
  sum.count += 1;
  sum.amount += amount;
  if (table === 'collection_orders') sum.moved += minorOf(line, 'received');
  else if (order.status === 3) sum.moved += amount;
}

/** An amount, to its last digit; null is 0. Its name cannot stand inside a text: quotes there are escaped. */
function minorOf(line: string, name: string): bigint {
  const found = new RegExp(`,"${name}":(\\d+)`).exec(line);
  return found ? BigInt(found[1]!) : 0n;
}
