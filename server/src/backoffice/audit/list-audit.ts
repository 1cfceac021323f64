import type { auditRow, getAuditList } from '@sangam/contract/endpoints/audit.ts';
import { id as idText } from '@sangam/contract/fields.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { seesWhole } from '@sangam/contract/personal-data.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { isSubject, splitSubject } from '../../audit/subject.ts';
import { empty, type Queryable, sql } from '../../platform/db/database.ts';
import { readPage, timeFilter } from '../../platform/db/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';

const DEFAULT_DAYS = 31;

interface Row {
  readonly id: bigint;
  readonly at: Date;
  readonly account: string | null;
  readonly role: Role | null;
  readonly action: string;
  readonly subject: string;
  readonly reason: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly ip: string | null;
  readonly device: string | null;
  readonly sessionId: bigint | null;
  readonly approvalId: bigint | null;
}

/**
 * The audit log, newest first. For one subject (`order:12`) all entries; otherwise the last 31 days, unless a time is given.
 */
export async function listAudit(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof getAuditList.input>,
): Promise<z.input<typeof getAuditList.output> | Refusal> {
  const { account, action, subject, ip, role, reason, device, sessionId, approvalId } = input;
  const isWhole = subject?.includes(':') && input.startTime === undefined && input.endTime === undefined;
  const page = await readPage<Row>(platform, input, {
    columns: sql`a.id, a.created_at as at, u.account, coalesce(a.role, u.role) as role, a.action, a.subject, a.reason, a.before, a.after, a.ip, a.device,
      a.session_id as "sessionId", a.approval_id as "approvalId"`,
    from: sql`
      from audit_log a left join users u on u.id = a.user_id
      where true ${isWhole ? empty : timeFilter(sql`a.id`, input, platform.clock.now(), DEFAULT_DAYS)}
        ${account === undefined ? empty : sql`and a.user_id in (select id from users where account = ${account})`}
        ${action === undefined ? empty : sql`and (a.action = ${action} or starts_with(a.action, ${`${action}.`}))`}
        ${subject === undefined ? empty : sql`and ${isSubject(subject)}`}
        ${ip === undefined ? empty : sql`and a.ip = ${ip}`}
        ${role === undefined ? empty : sql`and coalesce(a.role, u.role) = ${role}`}
        ${reason === undefined ? empty : sql`and position(lower(${reason}) in lower(a.reason)) > 0 ${reasonsRead(viewer)}`}
        ${device === undefined ? empty : sql`and position(lower(${device}) in lower(a.device)) > 0`}
        ${sessionId === undefined ? empty : sql`and a.session_id = ${sessionId}`}
        ${approvalId === undefined ? empty : sql`and a.approval_id = ${approvalId}`}`,
    key: sql`a.id`,
  });
  if (isRefusal(page)) return page;
  const orders = await ordersOf(
    platform.db,
    page.list.map((row) => row.subject),
  );
  return {
    ...page,
    list: page.list.map(({ id, at, ...row }) => ({
      ...row,
      reason: seesAll(viewer, row.action) ? row.reason : shownReason(row.reason),
      before: shown(viewer, row.action, row.before),
      after: shown(viewer, row.action, row.after),
      id: String(id),
      time: formatTime(at),
      sessionId: row.sessionId === null ? null : String(row.sessionId),
      approvalId: row.approvalId === null ? null : String(row.approvalId),
      order: orders.get(row.subject) ?? null,
    })),
  };
}

/** Which of the subjects are orders, in the archive too: their direction and currency, which say what a status and an amount mean. */
async function ordersOf(
  db: Queryable,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, z.input<typeof auditRow>['order']>> {
  const ids = subjects
    .map(splitSubject)
    .filter(({ kind, id }) => kind === 'order' && idText.safeParse(id).success)
    .map(({ id }) => BigInt(id));
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: bigint; direction: 'in' | 'out'; currency: Currency | null }>(sql`
    select id, 'in' as direction, currency from collection_orders where id = any(${ids}::bigint[])
    union all select id, 'out', currency from payout_orders where id = any(${ids}::bigint[])
    union all select order_id, direction, (select currency from postings p where p.order_id = a.order_id limit 1)
    from archived_orders a where order_id = any(${ids}::bigint[])`);
  return new Map(rows.map(({ id, ...order }) => [`order:${id}`, order]));
}

/** Actions, by their first word, whose entries hold no data of persons. */
const TECHNICAL = new Set(
  'alert bank bot callback chain ip ipRule maintenance monitor monitorLog monitorScript payScript product resource setting user'.split(
    ' ',
  ),
);
const seesAll = (viewer: Viewer, action: string) =>
  seesWhole(viewer, 'record') || TECHNICAL.has(action.split('.')[0]!);

/** A reason may name a person. A reason of one word is a code. */
const shownReason = (reason: string | null) => (reason === null || /^\w+$/.test(reason) ? reason : '***');

/** SQL: a search for words finds only in reasons that the viewer can read, or else it would tell what is in the others. */
const reasonsRead = (viewer: Viewer) =>
  seesWhole(viewer, 'record') ? empty : sql`and split_part(a.action, '.', 1) = any(${[...TECHNICAL]})`;

/** Fields of a request that say what kind of request it is. */
const OF_A_REQUEST = new Set(['kind', 'subject']);

/**
 * An entry may carry personal data: a payee's account, the name in a filter. A viewer who sees such data only masked learns which fields
 * there are, and reads the entries of technical actions alone.
 */
function shown(viewer: Viewer, action: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || seesAll(viewer, action)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      action.startsWith('approval.') && OF_A_REQUEST.has(key) ? (each as unknown) : '***',
    ]),
  );
}
