import { DAY } from '../platform/clock.ts';
import { type Sql, type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';

/** How long whoever made or reset a user counts as able to act as that user. */
const CONTROL_LASTS = 30 * DAY;
/** How long a user that somebody made or reset decides nothing, so that its owner has time to notice. */
const FRESH = DAY;

/**
 * Why a user may not approve another user's request although its role may: one person could act as both. That is so when one of
 * them made or reset the other within 30 days, or when one person made or reset both, also through users in between
 * (`sameHands`). It is also so when the decider was made or reset within the last day (`freshUser`).
 */
export async function notIndependent(
  tx: Tx,
  { starter, decider, at }: { readonly starter: bigint; readonly decider: bigint; readonly at: Date },
): Promise<Refusal | undefined> {
  const since = new Date(at.getTime() - CONTROL_LASTS);
  const [row] = await tx.query<{ isShared: boolean }>(sql`
    with recursive controllers (side, id) as (
      values ('starter', ${starter}::bigint), ('decider', ${decider}::bigint)
      union
      select c.side, u.changed_by from controllers c join user_control_changes u on u.user_id = c.id and u.created_at > ${since}
    )
    select exists (select id from controllers where side = 'starter' intersect select id from controllers where side = 'decider') as "isShared"`);
  if (row!.isShared) return refuse('forbidden', {}, { reason: 'sameHands' });
  return (await isFreshUser(tx, decider, at)) ? refuse('forbidden', {}, { reason: 'freshUser' }) : undefined;
}

/** Checks the decider against every author of what is decided: the user who asks may not know what the authors wrote. */
export async function tiedToAuthors(
  platform: Platform,
  tx: Tx,
  decider: Viewer,
  authors: readonly bigint[],
): Promise<Refusal | undefined> {
  const at = platform.clock.now();
  for (const starter of new Set(authors)) {
    const tied = await notIndependent(tx, { starter, decider: decider.userId, at });
    if (tied) return tied;
  }
  return undefined;
}

/**
 * SQL: whether somebody made or reset the user within a day, and could act as it unnoticed. After an unbound authenticator the
 * day starts again when a new one is bound: whoever has the password may have waited for that.
 */
export function isFresh(userId: Sql, at: Date): Sql {
  const since = new Date(at.getTime() - FRESH);
  return sql`exists (
    select from user_control_changes c join users changed on changed.id = c.user_id
    where c.user_id = ${userId}
      and (c.created_at > ${since}
        or (c.change = 'unbound' and changed.google_bound_at > ${since} and changed.google_bound_at > c.created_at)))`;
}

export async function isFreshUser(tx: Tx, userId: bigint, at: Date): Promise<boolean> {
  const [user] = await tx.query<{ isFresh: boolean }>(
    sql`select ${isFresh(sql`${userId}`, at)} as "isFresh"`,
  );
  return user!.isFresh;
}
