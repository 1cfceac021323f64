import { audit } from '../../platform/audit/record.ts';
import { DAY } from '../../platform/clock.ts';
import { sql, type Tx } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';

/** How long after the last review was signed, or after the installation, a review begins by itself. */
export const REVIEW_EVERY = 90 * DAY;

/** When the next review begins by itself. */
export async function nextReviewAt({ db, clock }: Platform): Promise<Date> {
  const [row] = await db.query<{ since: Date | null }>(sql`
    select coalesce((select max(closed_at) from access_reviews), (select min(created_at) from users)) as since`);
  return new Date((row?.since ?? clock.now()).getTime() + REVIEW_EVERY);
}

/** Begins a review that is due. */
export async function beginDueReview(platform: Platform): Promise<void> {
  if ((await nextReviewAt(platform)) <= platform.clock.now())
    await platform.db.tx((tx) => begin(platform, tx, null));
}

/** Begins a review now. 409 while one is open. */
export async function beginReview(
  platform: Platform,
  viewer: Viewer,
): Promise<{ readonly id: string } | Refusal> {
  const id = await platform.db.tx((tx) => begin(platform, tx, viewer));
  return id === undefined ? refuse('conflict') : { id: String(id) };
}

async function begin(platform: Platform, tx: Tx, viewer: Viewer | null): Promise<bigint | undefined> {
  const id = platform.ids.next();
  const now = platform.clock.now();
  const opened = await tx.query(sql`
    insert into access_reviews (id, opened_by, opened_at) values (${id}, ${viewer?.userId ?? null}, ${now})
    on conflict ((true)) where closed_at is null do nothing returning id`);
  if (opened.length === 0) return undefined;
  const users = await tx.query(sql`
    insert into access_review_users (review_id, user_id, role, last_used_at)
    select ${id}, u.id, u.role,
      greatest(u.last_sign_in_at, (select max(s.last_seen_at) from sessions s where s.user_id = u.id))
    from users u where u.deleted_at is null returning user_id`);
  await audit(platform, tx, {
    userId: viewer?.userId ?? null,
    action: 'accessReview.begin',
    subject: `accessReview:${id}`,
    after: { users: users.length },
    ip: viewer?.ip ?? null,
  });
  return id;
}
