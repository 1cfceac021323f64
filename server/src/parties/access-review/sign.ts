import { z } from 'zod';
import { approvalHandler } from '../../approvals/approval.ts';
import { tiedToAuthors } from '../../approvals/independence.ts';
import { approvalNeeded, startApproval, type Started } from '../../approvals/start.ts';
import { audit } from '../../platform/audit/record.ts';
import { sql, type Tx } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { deleteUserIn } from '../delete-user.ts';

/** Locks the open review, so that no verdict changes while it is signed. */
async function lockOpen(tx: Tx): Promise<bigint | undefined> {
  const rows = await tx.query<{ id: bigint }>(
    sql`select id from access_reviews where closed_at is null for update`,
  );
  return rows[0]?.id;
}

/** Keeps or removes a user of the open review. A waiting request for the signature is then out of date and must be made again. */
export async function decideAccess(
  platform: Platform,
  viewer: Viewer,
  userId: bigint,
  verdict: 'keep' | 'remove',
): Promise<Record<string, never> | Refusal> {
  return platform.db.tx(async (tx) => {
    const review = await lockOpen(tx);
    if (review === undefined) return refuse('conflict', {}, { reason: 'noReview' });
    if (userId === viewer.userId && verdict === 'remove')
      return refuse('conflict', {}, { reason: 'ownUser' });
    const [waiting] = await tx.query(sql`
      select from approvals where kind = 'accessReview' and subject_id = ${review} and status = 'pending'`);
    if (waiting) return refuse('conflict', {}, { reason: 'pending' });
    const [row] = await tx.query<{ account: string; before: string | null }>(sql`
      update access_review_users r set verdict = ${verdict}, decided_by = ${viewer.userId}, decided_at = ${platform.clock.now()}
      from users u, access_review_users old
      where r.review_id = ${review} and r.user_id = ${userId} and u.id = r.user_id
        and old.review_id = r.review_id and old.user_id = r.user_id
      returning u.account, old.verdict as before`);
    if (!row) return refuse('notFound');
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'accessReview.decide',
      subject: `user:${row.account}`,
      before: { verdict: row.before },
      after: { verdict },
      ip: viewer.ip,
    });
    return {};
  });
}

/** Asks a second person for the signature; every user must have a verdict. */
export async function signReview(
  platform: Platform,
  viewer: Viewer,
  reason: string,
): Promise<Record<string, never> | Refusal> {
  const outcome = await platform.db.tx(async (tx): Promise<Started | Refusal> => {
    const review = await lockOpen(tx);
    if (review === undefined) return refuse('conflict', {}, { reason: 'noReview' });
    const [{ undecided, remove } = { undecided: 0, remove: 0 }] = await tx.query<{
      undecided: number;
      remove: number;
    }>(sql`
      select count(*) filter (where verdict is null)::int as undecided, count(*) filter (where verdict = 'remove')::int as remove
      from access_review_users r join users u on u.id = r.user_id and u.deleted_at is null where review_id = ${review}`);
    if (undecided > 0) return refuse('conflict', {}, { reason: 'undecided' });
    return startApproval(platform, tx, viewer, {
      kind: 'accessReview',
      subjectKind: 'accessReview',
      subjectId: review,
      payload: { remove },
      reason,
      sole: true,
    });
  });
  return isRefusal(outcome) ? outcome : approvalNeeded(outcome);
}

/** Deletes the users to be removed that still exist, and closes the review. */
export const accessReviewApproval = approvalHandler({
  kind: 'accessReview',
  payload: z.object({ remove: z.int() }),
  summary: () => ({ amount: null, currency: null }),
  execute: async (platform, tx, { subjectId }, decider) => {
    if ((await lockOpen(tx)) !== subjectId) return refuse('conflict', {}, { reason: 'noReview' });
    const authors = await tx.query<{ by: bigint }>(sql`
      select distinct decided_by as by from access_review_users where review_id = ${subjectId} and decided_by is not null`);
    const tied = await tiedToAuthors(
      platform,
      tx,
      decider,
      authors.map(({ by }) => by),
    );
    if (tied) return tied;
    const users = await tx.query<{ id: bigint }>(sql`
      select u.id from access_review_users r join users u on u.id = r.user_id and u.deleted_at is null
      where r.review_id = ${subjectId} and r.verdict = 'remove' order by u.id`);
    for (const { id } of users) {
      const refused = await deleteUserIn(platform, tx, decider, id);
      if (isRefusal(refused)) return refused;
    }
    await tx.query(sql`
      update access_reviews set closed_by = ${decider.userId}, closed_at = ${platform.clock.now()} where id = ${subjectId}`);
    return { removed: users.length };
  },
});
