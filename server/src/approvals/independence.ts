import { DAY } from '../platform/clock.ts';
import { type Sql, type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';

/** So long who made or reset a user counts as one who could act as it. */
const CONTROL_LASTS = 30 * DAY;
/** So long a user whom somebody made or reset decides nothing: its owner has time to see it. */
const FRESH = DAY;

/**
 * Why a user may not approve what another one asked for, though its role may: somebody could act as both. That is so when one of
 * them made or reset the other within 30 days, when one person made or reset both, also through users in between, or when the
 * decider was made or reset within the last day.
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

/** The same beside everybody who wrote what is decided, though another user asked for it and may know nothing of it. */
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
 * SQL: whether somebody made or reset the user within a day, and could act as it unseen. An authenticator that was unbound counts again
 * from the moment a new one is bound: whoever has the password may have waited with it.
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
