import { approvalKindsOf, type ApprovalStatus } from '@sangam/contract/approvals.ts';
import type { getMine, getStarted } from '@sangam/contract/endpoints/todo.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { type Sql, empty, sql } from '../platform/db/database.ts';
import { readPage, type PageInput } from '../platform/db/page.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import { nameFor, type Viewer } from '../platform/viewer.ts';
import type { Approval, ApprovalHandlers } from './approval.ts';
import { APPROVAL_COLUMNS } from './store.ts';

type Output = z.input<typeof getMine.output>;

interface Row extends Approval {
  readonly subjectName: string | null;
  readonly direction: 'in' | 'out' | null;
  readonly starter: string;
  readonly decider: string | null;
  readonly decidedAt: Date | null;
  readonly decideReason: string | null;
}

/** What waits for the viewer: pending requests of other users, of the kinds that the viewer's role decides. */
export function listMine(
  platform: Platform,
  handlers: ApprovalHandlers,
  viewer: Viewer,
  input: z.output<typeof getMine.input>,
): Promise<Output | Refusal> {
  return listWhere(platform, handlers, viewer, input, sql`${waitingFor(platform, viewer)} ${asked(input)}`);
}

/** How many requests wait for the viewer's decision. */
export async function countMine(platform: Platform, viewer: Viewer): Promise<number> {
  const [row] = await platform.db.query<{ count: number }>(sql`
    select count(*)::int as count from approvals a where ${waitingFor(platform, viewer)}`);
  return row!.count;
}

function waitingFor(platform: Platform, viewer: Viewer): Sql {
  return sql`a.status = 'pending' and a.expires_at > ${platform.clock.now()} and a.started_by <> ${viewer.userId}
    and a.kind = any(${approvalKindsOf(viewer.role, 'decide')})`;
}

/** The viewer's own requests, in every status. */
export function listStarted(
  platform: Platform,
  handlers: ApprovalHandlers,
  viewer: Viewer,
  input: z.output<typeof getStarted.input>,
): Promise<Output | Refusal> {
  return listWhere(
    platform,
    handlers,
    viewer,
    input,
    sql`a.started_by = ${viewer.userId} ${asked(input)} ${ofStatus(input.status, platform.clock.now())}`,
  );
}

/** Filters by kind and subject. */
function asked({ kind, subjectKind, subjectId }: z.output<typeof getMine.input>): Sql {
  return sql`
    ${equals(sql`a.kind`, kind)} ${equals(sql`a.subject_kind`, subjectKind)}
    ${equals(sql`a.subject_id`, subjectId === undefined ? undefined : BigInt(subjectId))}`;
}

const equals = (column: Sql, value: string | bigint | undefined): Sql =>
  value === undefined ? empty : sql`and ${column} = ${value}`;

/**
 * Filters by status. An overdue pending request counts as expired, swept or not. Written so that the index of pending requests
 * is used.
 */
function ofStatus(status: ApprovalStatus | undefined, now: Date): Sql {
  if (status === undefined) return empty;
  if (status === 'pending') return sql`and a.status = 'pending' and a.expires_at > ${now}`;
  if (status !== 'expired') return sql`and a.status = ${status}`;
  return sql`and (a.status = 'expired' or a.status = 'pending' and a.expires_at <= ${now})`;
}

async function listWhere(
  platform: Platform,
  handlers: ApprovalHandlers,
  viewer: Viewer,
  input: PageInput,
  where: Sql,
): Promise<Output | Refusal> {
  const page = await readPage<Row>(platform, input, {
    columns: sql`${APPROVAL_COLUMNS}, coalesce(m.name, s.name, c.bank || ' ' || c.account_tail, p.name, g.sender, w.account,
      case a.subject_kind when 'setting' then a.payload->>'name' when 'ipRule' then a.payload->>'network'
        when 'botGroup' then a.payload->>'title' when 'listedName' then a.payload->>'name'
        when 'export' then a.payload->>'table' when 'system' then a.payload->>'version' end) as "subjectName", u.nickname as starter, d.nickname as decider,
      a.decided_at as "decidedAt", a.decide_reason as "decideReason",
      case when a.subject_kind <> 'order' then null
        when exists (select from payout_orders o where o.id = a.subject_id) then 'out' else 'in' end as direction`,
    from: sql`
      from approvals a
      left join users u on u.id = a.started_by
      left join users d on d.id = a.decided_by
      left join merchants m on a.subject_kind = 'merchant' and m.id = a.subject_id
      left join suppliers s on a.subject_kind = 'supplier' and s.id = a.subject_id
      left join accounts c on a.subject_kind = 'account' and c.id = a.subject_id
      left join pay_scripts p on a.subject_kind = 'payScript' and p.id = a.subject_id
      left join messages g on a.subject_kind = 'message' and g.id = a.subject_id
      left join users w on a.subject_kind = 'user' and w.id = a.subject_id
      where ${where}`,
    key: sql`a.id`,
  });
  if (isRefusal(page)) return page;
  const now = platform.clock.now();
  return { ...page, list: page.list.map((row) => shape(handlers, viewer, row, now)) };
}

function shape(handlers: ApprovalHandlers, viewer: Viewer, row: Row, now: Date): Output['list'][number] {
  const status = row.status === 'pending' && row.expiresAt <= now ? 'expired' : row.status;
  const own = row.startedBy === viewer.userId;
  return {
    id: String(row.id),
    kind: row.kind,
    status,
    subjectKind: row.subjectKind,
    subjectId: String(row.subjectId),
    subjectName: row.subjectName,
    direction: row.direction,
    ...handlers[row.kind].summary(row.payload),
    payload: row.payload as Record<string, unknown>,
    reason: row.reason,
    startedBy: row.starter,
    startTime: formatTime(row.startedAt),
    expireTime: formatTime(row.expiresAt),
    decidedBy: nameFor(viewer, row.decider, { isOwn: false }),
    decideTime: row.decidedAt && formatTime(row.decidedAt),
    decideReason: row.decideReason,
    result: row.result,
    actions: status !== 'pending' ? [] : own ? ['withdraw'] : ['approve', 'refuse'],
  };
}
