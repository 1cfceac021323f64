import type { clearMonitorLog, getMonitorLogList } from '@sangam/contract/endpoints/monitor.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { audit } from '../../platform/audit/record.ts';
import { empty, sql } from '../../platform/db/database.ts';
import { readPage, timeFilter } from '../../platform/db/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';

const DEFAULT_DAYS = 7;

type Entry = z.input<typeof getMonitorLogList.output>['list'][number];

interface Row {
  readonly id: bigint;
  readonly monitorId: bigint;
  readonly monitorName: string | null;
  readonly supplierName: string | null;
  readonly logPhase: Entry['logPhase'];
  readonly orderId: bigint | null;
  readonly messageId: bigint | null;
  readonly accountTail: string | null;
  readonly detail: Record<string, unknown>;
  readonly at: Date;
}

/** What monitors did, newest first. Lines that were cleared are listed only if `withCleared` is set. */
export async function listLog(
  platform: Platform,
  _viewer: Viewer,
  input: z.output<typeof getMonitorLogList.input>,
): Promise<z.input<typeof getMonitorLogList.output> | Refusal> {
  const page = await readPage<Row>(platform, input, {
    columns: sql`l.id, l.monitor_id as "monitorId", m.name as "monitorName", s.name as "supplierName", l.phase as "logPhase",
      l.order_id as "orderId", l.message_id as "messageId", e.account_tail as "accountTail", l.detail, l.created_at as at`,
    from: sql`
      from monitor_log l
        left join monitors m on m.id = l.monitor_id
        left join suppliers s on s.id = m.supplier_id
        left join messages e on e.id = l.message_id
      where true ${timeFilter(sql`l.id`, input, platform.clock.now(), DEFAULT_DAYS)}
        ${input.withCleared ? empty : sql`and l.id > coalesce((select max(up_to) from monitor_log_clearings), 0)`}
        ${input.monitorId === undefined ? empty : sql`and l.monitor_id = ${BigInt(input.monitorId)}`}
        ${input.orderCode === undefined ? empty : sql`and l.order_id = ${BigInt(input.orderCode)}`}
        ${input.cardNumber === undefined ? empty : sql`and e.account_tail = ${input.cardNumber.slice(-4)}`}
        ${input.logPhase === undefined ? empty : sql`and l.phase = ${input.logPhase}`}`,
    key: sql`l.id`,
  });
  if (isRefusal(page)) return page;
  const list = page.list.map(({ at, orderId, ...row }) => ({
    ...row,
    id: String(row.id),
    monitorId: String(row.monitorId),
    orderCode: orderId === null ? null : String(orderId),
    messageId: row.messageId === null ? null : String(row.messageId),
    isAlarm: 'sequenceHole' in row.detail || row.detail['reason'] === 'sequenceRepeated',
    time: formatTime(at),
  }));
  return { ...page, list };
}

/** Hides the log up to now. Every line stays, and so does the record of who cleared the log and up to where. */
export async function clearLog(
  platform: Platform,
  viewer: Viewer,
): Promise<z.input<typeof clearMonitorLog.output>> {
  const upTo = platform.ids.next();
  await platform.db.tx(async (tx) => {
    await tx.query(sql`
      insert into monitor_log_clearings (id, up_to, cleared_at, cleared_by)
      values (${upTo}, ${upTo}, ${platform.clock.now()}, ${viewer.userId})`);
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'monitorLog.clear',
      subject: 'monitorLog',
      after: { upTo: String(upTo) },
      ip: viewer.ip,
    });
  });
  return { upTo: String(upTo) };
}
