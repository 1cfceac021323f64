import { type Database, type Tx, hot, sql } from '../db/database.ts';
import type { Platform } from '../platform.ts';
import { scopeOf, type Viewer } from '../viewer.ts';
import type { CallbackKind, ClaimedCallback, MadeAttempt } from './callback.ts';

export interface ClaimLimits {
  readonly total: number;
  readonly perMerchant: number;
  /** Merchants that get more or fewer, and how many. */
  readonly known?: ReadonlyMap<bigint, number>;
  readonly leaseMs: number;
}

/**
 * Leases due callbacks of merchants that are not paused: a few per merchant, so that one with a long backlog leaves
 * room for the others, oldest due first, never two of one order at once (in order per order). Merchants come in random
 * order: where the room does not reach all, none is always the last.
 */
export function claimCallbacks(db: Database, now: Date, limits: ClaimLimits): Promise<ClaimedCallback[]> {
  const known = [...(limits.known ?? [])];
  // Merchants with something waiting are found by leaps through the index: `distinct` would read every waiting row.
  return db.query<ClaimedCallback>(sql`
    with recursive waiting (merchant_id) as (
      (select merchant_id from callbacks where state = 0 order by merchant_id limit 1)
      union all
      select (select c.merchant_id from callbacks c where c.state = 0 and c.merchant_id > w.merchant_id order by c.merchant_id limit 1)
      from waiting w where w.merchant_id is not null
    ), sendable as (
      select m.id, m.sign_type, m.secret, m.callback_waits, coalesce(k.places, ${limits.perMerchant}) as places
      from waiting w join merchants m on m.id = w.merchant_id and not m.callbacks_paused
      left join unnest(${known.map(([id]) => id)}::bigint[], ${known.map(([, places]) => places)}::int[])
        as k (merchant_id, places) on k.merchant_id = m.id
      where coalesce(k.places, ${limits.perMerchant}) > 0
      order by random()
    ), due as (
      select d.id, s.sign_type, s.secret, s.callback_waits from sendable s cross join lateral (
        select c.id from callbacks c
        where c.merchant_id = s.id and c.state = 0 and c.next_at <= ${now}
          and (c.leased_until is null or c.leased_until < ${now})
          and not exists (select from callbacks e
            where e.order_id = c.order_id and e.state = 0 and (e.place, e.id) < (c.place, c.id))
        order by c.next_at, c.id limit s.places for update skip locked
      ) d limit ${limits.total}
    )
    update callbacks c set leased_until = ${new Date(now.getTime() + limits.leaseMs)}
    from due where c.id = due.id
    returning c.id, c.order_id as "orderId", c.merchant_id as "merchantId", c.kind, c.url, c.transport, c.fields, c.attempts,
      c.attempts_before as "attemptsBefore", due.callback_waits as waits, due.sign_type as "signType", due.secret`);
}

/**
 * Writes attempts and what they mean for their callbacks. One that succeeded meanwhile (two nodes sent it, the first
 * one's lease having run out) stays so.
 */
export function recordAttempts(
  platform: Platform,
  tx: Tx,
  made: readonly MadeAttempt[],
  systemFlag: string,
): void {
  tx.send(
    hot(
      'insert attempts',
      sql`
    insert into callback_attempts (id, callback_id, order_id, url, http_method, request, status, answer, error, duration_ms,
      created_at, system_flag)
    select *, ${systemFlag}::text from unnest(
      ${made.map(() => platform.ids.next())}::bigint[], ${made.map(({ callback }) => callback.id)}::bigint[],
      ${made.map(({ callback }) => callback.orderId)}::bigint[], ${made.map(({ callback }) => callback.url)}::text[],
      ${made.map(({ attempt }) => attempt.httpMethod)}::text[], ${made.map(({ attempt }) => attempt.request)}::text[],
      ${made.map(({ attempt }) => attempt.status)}::int[], ${made.map(({ attempt }) => attempt.answer)}::text[],
      ${made.map(({ attempt }) => attempt.error)}::text[], ${made.map(({ attempt }) => attempt.durationMs)}::int[],
      ${made.map(({ at }) => at)}::timestamptz[])`,
    ),
  );
  tx.send(sql`
    update callbacks c set attempts = c.attempts + 1, leased_until = null, next_at = v.next_at,
      state = case when c.state = 1 then 1 else v.state end
    from unnest(${made.map(({ callback }) => callback.id)}::bigint[], ${made.map(({ next }) => next.state)}::smallint[],
      ${made.map(({ next }) => next.at)}::timestamptz[]) as v (id, state, next_at)
    where c.id = v.id`);
}

export interface StoredCallback {
  readonly id: bigint;
  readonly orderId: bigint;
  readonly kind: CallbackKind;
  readonly state: 0 | 1 | 2 | 3;
  readonly attempts: number;
}

export async function readCallback(tx: Tx, viewer: Viewer, id: bigint): Promise<StoredCallback | undefined> {
  const [row] = await tx.query<StoredCallback>(sql`
    select c.id, c.order_id as "orderId", c.kind, c.state, c.attempts from callbacks c
    where c.id = ${id} ${scopeOf(viewer, { merchant: sql`c.merchant_id` })}`);
  return row;
}

/** Makes a waiting one due now; false when it waits no more. */
export async function hasten(tx: Tx, id: bigint, now: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    update callbacks set next_at = ${now} where id = ${id} and state = 0 returning id`);
  return rows.length > 0;
}

/**
 * Queues one anew that was given up; false when it changed meanwhile, or when something else of its order waits or came
 * later: an older notice must not be the last the merchant hears.
 */
export async function revive(tx: Tx, callback: StoredCallback, now: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    update callbacks c set state = 0, next_at = ${now}, attempts_before = attempts
    where c.id = ${callback.id} and c.state = ${callback.state} and not exists (
      select from callbacks e where e.order_id = c.order_id and e.id <> c.id and (e.state = 0 or (e.place, e.id) > (c.place, c.id)))
    returning c.id`);
  return rows.length > 0;
}

/** Takes one off the queue; false when it changed meanwhile or is being sent. */
export async function withdraw(tx: Tx, callback: StoredCallback, now: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    update callbacks set state = 3
    where id = ${callback.id} and state = ${callback.state} and (leased_until is null or leased_until < ${now})
    returning id`);
  return rows.length > 0;
}
