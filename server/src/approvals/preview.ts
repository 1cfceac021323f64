import type { getPreview } from '@sangam/contract/endpoints/todo.ts';
import type { z } from 'zod';
import { isInParts } from '../ledger/as-shown.ts';
import { entriesOfTransaction } from '../ledger/order-entries.ts';
import { DAY } from '../platform/clock.ts';
import { type Queryable, sql } from '../platform/db/database.ts';
import { rolledBack } from '../platform/db/rolled-back.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { Approval, ApprovalHandlers } from './approval.ts';
import { closedAs, lockForDecision } from './decide.ts';

type Output = z.input<typeof getPreview.output>;

/** How far back the starter's other requests are counted. */
const RECENT = 7 * DAY;

/**
 * What approving a request would do to balances now. The request is executed and rolled back, so the preview is exact. A
 * refusal is the refusal that the approval would get. Kinds that move no money, and kinds that first call an outside service,
 * have no entries.
 */
export async function previewDecision(
  platform: Platform,
  handlers: ApprovalHandlers,
  viewer: Viewer,
  id: bigint,
): Promise<Output | Refusal> {
  return rolledBack(platform.db, async (tx): Promise<Output | Refusal> => {
    const approval = await lockForDecision(platform, tx, viewer, { id, approve: true });
    if (isRefusal(approval)) return approval;
    const closed = closedAs(platform, approval);
    if (closed) return refuse('conflict', {}, { status: closed });
    const startedThisWeek = await requestsOf(tx, approval, platform.clock.now());
    const { before, execute, summary } = handlers[approval.kind];
    if (before || summary(approval.payload).amount === null) return { entries: [], startedThisWeek };
    const result = await execute(platform, tx, approval, viewer);
    if (isRefusal(result)) return result;
    const entries = await entriesOfTransaction(tx);
    return {
      entries: entries.map(({ ownerId, amount, balanceAfter, ...entry }) => ({
        ...entry,
        ownerId: String(ownerId),
        amount: Number(amount),
        balanceBefore: isInParts(entry) ? null : Number(balanceAfter - amount),
        balanceAfter: isInParts(entry) ? null : Number(balanceAfter),
      })),
      startedThisWeek,
    };
  });
}

/** The starter's other recent requests, counted by kind. */
function requestsOf(
  db: Queryable,
  { id, startedBy }: Approval,
  now: Date,
): Promise<Output['startedThisWeek']> {
  return db.query(sql`
    select kind, count(*)::int as count, (count(*) filter (where status = 'approved'))::int as approved from approvals
    where started_by = ${startedBy} and id <> ${id} and started_at > ${new Date(now.getTime() - RECENT)}
    group by kind order by count desc, kind`);
}
