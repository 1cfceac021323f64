import type {
  findArchived as findEndpoint,
  getArchivedOrder,
  getArchives,
} from '@sangam/contract/endpoints/archive.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { empty, sql } from '../platform/db/database.ts';
import { timeOfId } from '../platform/db/ids.ts';
import { readPage } from '../platform/db/page.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { type Fields, fieldsOf, findArchived, readArchivedOrder } from './read.ts';
import { ARCHIVE_COLUMNS, type Archive, readArchives } from './store.ts';
import type { ArchivedTable } from './tables.ts';

interface Listed extends Archive {
  readonly startedAt: Date;
  readonly checkedAt: Date | null;
  readonly endedAt: Date | null;
  readonly failure: string | null;
  readonly away: number;
}

const time = (moment: Date | null) => (moment ? formatTime(moment) : null);
const monthOf = (month: Date) => month.toISOString().slice(0, 7);

export async function listArchives(
  platform: Platform,
  _viewer: Viewer,
  input: z.output<typeof getArchives.input>,
): Promise<z.input<typeof getArchives.output> | Refusal> {
  const page = await readPage<Listed>(platform, input, {
    columns: sql`${ARCHIVE_COLUMNS}, started_at as "startedAt", checked_at as "checkedAt", ended_at as "endedAt", failure,
      (select count(*)::int from archived_orders o where o.archive_id = archives.id) as away`,
    from: sql`
      from archives where true ${input.table ? sql`and table_name = ${input.table}` : empty}
        ${input.state ? sql`and state = ${input.state}` : empty}`,
    key: sql`archives.id`,
  });
  if (isRefusal(page)) return page;
  return {
    ...page,
    list: page.list.map((row) => ({
      id: String(row.id),
      table: row.table,
      month: monthOf(row.month),
      part: row.part,
      state: row.state,
      file: row.file,
      rowCount: row.rowCount,
      bytes: Number(row.bytes),
      sums: sumsOf(row),
      awayCount: row.away,
      beginTime: formatTime(row.startedAt),
      checkTime: time(row.checkedAt),
      endTime: time(row.endedAt),
      failure: row.failure,
    })),
  };
}

function sumsOf({ sums }: Archive): { currency: Currency; amount: number; moved: number }[] {
  const byCurrency = new Map<string, { amount: bigint; moved: bigint }>();
  for (const { currency, amount, moved } of sums) {
    const sum = byCurrency.get(currency) ?? { amount: 0n, moved: 0n };
    byCurrency.set(currency, { amount: sum.amount + BigInt(amount), moved: sum.moved + BigInt(moved) });
  }
  return [...byCurrency].map(([currency, { amount, moved }]) => ({
    currency: currency as Currency,
    amount: Number(amount),
    moved: Number(moved),
  }));
}

export async function findOrders(
  { db }: Platform,
  _viewer: Viewer,
  { text }: { readonly text: string },
): Promise<z.input<typeof findEndpoint.output>> {
  const ids = await findArchived(db, text);
  const rows = await db.query<{ id: bigint; direction: 'in' | 'out'; mchOrderNo: string }>(sql`
    select order_id as id, direction, mch_order_no as "mchOrderNo" from merchant_orders where order_id = any(${ids}::bigint[])
    order by 1 desc`);
  return {
    list: rows.map(({ id, ...row }) => ({
      ...row,
      orderCode: String(id),
      createTime: formatTime(timeOfId(id)),
    })),
  };
}

/** An archived order with everything that its files and its later history hold, in readable form. */
export async function readOrder(
  { db, config }: Platform,
  _viewer: Viewer,
  { orderCode }: { readonly orderCode: string },
): Promise<z.input<typeof getArchivedOrder.output> | Refusal> {
  const orderId = BigInt(orderCode);
  const [away] = await db.query<{ archiveId: bigint; direction: 'in' | 'out' }>(sql`
    select archive_id as "archiveId", direction from archived_orders where order_id = ${orderId}`);
  if (!away) return refuse('notFound');
  const [archive] = await readArchives(db, sql`id = ${away.archiveId}`);
  const rows = await readArchivedOrder(db, config.archiveDir, orderId);
  // What was written after archiving: a note, a late callback attempt.
  const later = await db.query<{ fields: Fields }>(sql`
    select (select json_object_agg(key, value) from json_each_text(row_to_json(e))) as fields
    from order_events e where order_id = ${orderId} order by id`);
  const of = (table: ArchivedTable) => rows.filter((row) => row.table === table).map(fieldsOf);
  const [order] = of(archive!.table);
  if (!order) throw new Error(`order ${orderCode} is not in the file that should hold it`);
  const [asked] = await db.query<{ at: Date; failure: string | null }>(sql`
    select asked_at as at, failure from archive_restores where order_id = ${orderId} and state = 'waiting'`);
  return {
    orderCode,
    direction: away.direction,
    month: monthOf(archive!.month),
    file: archive!.file,
    order,
    history: [...of('order_events'), ...later.map(({ fields }) => fields)],
    attempts: of('callback_attempts'),
    messages: of('messages'),
    askedTime: time(asked?.at ?? null),
    failure: asked?.failure ?? null,
  };
}
