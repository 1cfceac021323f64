import type { getAccessReview, getReviewState } from '@sangam/contract/endpoints/access-review.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { DAY } from '../../platform/clock.ts';
import { empty, sql } from '../../platform/db/database.ts';
import { escapeLike, readPage } from '../../platform/db/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';
import { nextReviewAt } from './begin.ts';

interface Row {
  readonly id: bigint;
  readonly account: string;
  readonly nickname: string;
  readonly role: Role;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly verdict: 'keep' | 'remove' | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
}

export async function listReview(
  platform: Platform,
  input: z.output<typeof getAccessReview.input>,
): Promise<z.input<typeof getAccessReview.output> | Refusal> {
  const { account, role, verdict, unusedDays } = input;
  const unusedSince = new Date(platform.clock.now().getTime() - (unusedDays ?? 0) * DAY);
  const page = await readPage<Row>(platform, input, {
    columns: sql`u.id, u.account, u.nickname, r.role, u.created_at as "createdAt", r.last_used_at as "lastUsedAt", r.verdict,
      d.account as "decidedBy", r.decided_at as "decidedAt"`,
    from: sql`
      from access_review_users r join users u on u.id = r.user_id left join users d on d.id = r.decided_by
      where r.review_id = (select id from access_reviews order by id desc limit 1)
        ${account === undefined ? empty : sql`and u.account ilike ${`%${escapeLike(account)}%`}`}
        ${role === undefined ? empty : sql`and r.role = ${role}`}
        ${verdict === undefined ? empty : verdict === 'none' ? sql`and r.verdict is null` : sql`and r.verdict = ${verdict}`}
        ${unusedDays === undefined ? empty : sql`and (r.last_used_at is null or r.last_used_at < ${unusedSince})`}`,
    key: sql`u.id`,
  });
  if (isRefusal(page)) return page;
  const list = page.list.map(({ id, createdAt, lastUsedAt, decidedAt, ...row }) => ({
    ...row,
    id: String(id),
    createTime: formatTime(createdAt),
    lastUseTime: lastUsedAt && formatTime(lastUsedAt),
    decideTime: decidedAt && formatTime(decidedAt),
  }));
  return { ...page, list };
}

export async function reviewState(platform: Platform): Promise<z.input<typeof getReviewState.output>> {
  const [open] = await platform.db.query<{
    id: bigint;
    openedAt: Date;
    users: number;
    decided: number;
    todoId: bigint | null;
  }>(sql`
    select a.id, a.opened_at as "openedAt", count(*)::int as users, count(r.verdict)::int as decided,
      (select p.id from approvals p where p.kind = 'accessReview' and p.subject_id = a.id and p.status = 'pending') as "todoId"
    from access_reviews a join access_review_users r on r.review_id = a.id join users u on u.id = r.user_id and u.deleted_at is null
    where a.closed_at is null group by a.id`);
  const [last] = await platform.db.query<{ closedAt: Date; closedBy: string }>(sql`
    select a.closed_at as "closedAt", u.account as "closedBy" from access_reviews a join users u on u.id = a.closed_by
    order by a.id desc limit 1`);
  return {
    open: open
      ? {
          id: String(open.id),
          openTime: formatTime(open.openedAt),
          users: open.users,
          decided: open.decided,
          todoId: open.todoId === null ? null : String(open.todoId),
        }
      : null,
    lastCloseTime: last ? formatTime(last.closedAt) : null,
    lastClosedBy: last?.closedBy ?? null,
    nextTime: formatTime(await nextReviewAt(platform)),
  };
}
