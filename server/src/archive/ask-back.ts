import { z } from 'zod';
import { approvalHandler } from '../approvals/approval.ts';
import { approvalNeeded, startApproval, type Started } from '../approvals/start.ts';
import { audit } from '../platform/audit/record.ts';
import { sql, type Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';

interface Asked {
  readonly orderCode: string;
  readonly reason: string;
}

/**
 * Asks for an archived order to come back. When its money was posted, a second person decides, because somebody could reverse the order
 * once it is back. Otherwise it is restored within seconds.
 */
export async function askBack(
  platform: Platform,
  viewer: Viewer,
  { orderCode, reason }: Asked,
): Promise<Record<string, never> | Refusal> {
  const orderId = BigInt(orderCode);
  const outcome = await platform.db.tx(async (tx): Promise<Started | 'waits' | Refusal> => {
    const [away] = await tx.query<{ posted: boolean }>(sql`
      select exists (select from postings p where p.order_id = a.order_id) as posted from archived_orders a where order_id = ${orderId}`);
    if (!away) return refuse('notFound');
    if (!away.posted) {
      const enqueued = await enqueue(platform, tx, viewer, orderId, reason);
      return isRefusal(enqueued) ? enqueued : 'waits';
    }
    return startApproval(platform, tx, viewer, {
      kind: 'archiveRestore',
      subjectKind: 'order',
      subjectId: orderId,
      payload: {},
      reason,
      sole: true,
    });
  });
  if (outcome === 'waits') return {};
  return isRefusal(outcome) ? outcome : approvalNeeded(outcome);
}

async function enqueue(
  platform: Platform,
  tx: Tx,
  { userId, ip }: Viewer,
  orderId: bigint,
  reason: string | null,
): Promise<Record<string, never> | Refusal> {
  const away = await tx.query(sql`select from archived_orders where order_id = ${orderId}`);
  if (away.length === 0) return refuse('notFound');
  await tx.query(sql`
    insert into archive_restores (id, order_id, asked_by, reason, asked_at)
    values (${platform.ids.next()}, ${orderId}, ${userId}, ${reason ?? ''}, ${platform.clock.now()})
    on conflict (order_id, archive_id) where state = 'waiting' do nothing`);
  await audit(platform, tx, { userId, action: 'archive.restore', subject: `order:${orderId}`, reason, ip });
  return {};
}

export const archiveRestoreApproval = approvalHandler({
  kind: 'archiveRestore',
  payload: z.object({}),
  summary: () => ({ amount: null, currency: null }),
  execute: (platform, tx, { subjectId, reason }, decider) =>
    enqueue(platform, tx, decider, subjectId, reason),
});
