import { type Tx, hot, sql } from '../db/database.ts';
import type { Platform } from '../platform.ts';
import { scopeOf, type Viewer } from '../viewer.ts';
import type { CallbackKind, ClaimedCallback, MadeAttempt, Recipient } from './callback.ts';

export interface ClaimLimits {
  readonly total: number;
  readonly perMerchant: number;
  /** Merchants that get more or fewer, and how many. */
  readonly known?: ReadonlyMap<bigint, number>;
  readonly leaseMs: number;
  /**
   * Only these merchants, each from where its last claim ended. What was acknowledged stays in the index until PostgreSQL sweeps
   * it; passing over it again with each claim cost 100 µs a callback more after 300,000 of them (measured).
   */
  readonly after?: ReadonlyMap<bigint, Mark>;
}

/** Where in a merchant's queue a claim ended. */
export type Mark = Pick<ClaimedCallback, 'id' | 'nextAt'>;

/** One claim after another, and no withdrawal between: what one leases, nobody else has seen as free. */
const ONE_AT_A_TIME = hot('one claim at a time', sql`select pg_advisory_xact_lock(7426004)`);

/**
 * Leases due callbacks of merchants that are not paused: a few per merchant, so that one with a long backlog leaves
 * room for the others, oldest due first, never two of one order at once (in order per order). Merchants come in random
 * order: where the room does not reach all, none is always the last. A lease ends when its callback's attempt is
 * recorded, or with its time.
 */
export function claimCallbacks(
  { db, ids, clock }: Pick<Platform, 'db' | 'ids' | 'clock'>,
  limits: ClaimLimits,
): Promise<ClaimedCallback[]> {
  const known = [...(limits.known ?? [])];
  const after = limits.after && [...limits.after];
  const now = clock.now();
  const claim = ids.next();
  return db.tx(async (tx) => {
    tx.send(ONE_AT_A_TIME);
    tx.send(hot('end leases', sql`delete from callback_leases where until < ${now} or callback_ids = '{}'`));
    // Planned each time: a plan made for an idle platform's empty queue would be kept for a full one.
    // Merchants with something waiting are found by leaps through the index: `distinct` would read every waiting row.
    const due = await tx.query<Omit<ClaimedCallback, 'claim' | 'merchant'>>(sql`
      with recursive ${
        after
          ? sql`waiting as (
        select * from unnest(${after.map(([merchantId]) => merchantId)}::bigint[], ${after.map(([, { nextAt }]) => nextAt)}::timestamptz[],
          ${after.map(([, { id }]) => id + 1n)}::bigint[]) as a (merchant_id, from_at, from_id)`
          : sql`waiting (merchant_id, from_at, from_id) as (
        (select merchant_id, next_at, id from callbacks where state = 0 order by merchant_id, next_at, id limit 1)
        union all
        select c.* from waiting w cross join lateral (
          select c.merchant_id, c.next_at, c.id from callbacks c where c.state = 0 and c.merchant_id > w.merchant_id
          order by c.merchant_id, c.next_at, c.id limit 1) c`
      }
      ), sendable as (
        select m.id, coalesce(k.places, ${limits.perMerchant}) as places, w.from_at, w.from_id
        from waiting w join merchants m on m.id = w.merchant_id and not m.callbacks_paused
        left join unnest(${known.map(([id]) => id)}::bigint[], ${known.map(([, places]) => places)}::int[])
          as k (merchant_id, places) on k.merchant_id = m.id
        where coalesce(k.places, ${limits.perMerchant}) > 0
        order by random()
      ), leased as (
        select unnest(callback_ids) as id from callback_leases
      ), due as (
        select d.* from sendable s cross join lateral (
          select c.id, c.order_id, c.merchant_id, c.kind, c.url, c.transport, c.fields, c.attempts, c.attempts_before,
            c.next_at
          from callbacks c
          where c.merchant_id = s.id and c.state = 0 and c.next_at <= ${now} and (c.next_at, c.id) >= (s.from_at, s.from_id) and c.id not in (select id from leased)
            and (c.place = 1 or not exists (select from callbacks e
              where e.order_id = c.order_id and e.state = 0 and (e.place, e.id) < (c.place, c.id)))
          order by c.next_at, c.id limit s.places
        ) d limit ${limits.total}
      ), lease as (
        insert into callback_leases (claim, merchant_id, callback_ids, until)
        select ${claim}::bigint, merchant_id, array_agg(id), ${new Date(now.getTime() + limits.leaseMs)}::timestamptz from due group by merchant_id
      )
      select id, order_id as "orderId", merchant_id as "merchantId", kind, url, transport, fields, attempts,
        attempts_before as "attemptsBefore", next_at::text as "nextAt" from due`);
    const merchants = await readRecipients(tx, new Set(due.map(({ merchantId }) => merchantId)));
    return due.map((row) => Object.assign(row, { claim, merchant: merchants.get(row.merchantId)! }));
  });
}

async function readRecipients(tx: Tx, ids: ReadonlySet<bigint>): Promise<ReadonlyMap<bigint, Recipient>> {
  if (ids.size === 0) return new Map();
  const rows = await tx.query<Recipient & { readonly id: bigint }>(
    hot(
      'recipients',
      sql`
    select id, callback_waits as waits, sign_type as "signType", secret from merchants where id = any(${[...ids]})`,
    ),
  );
  return new Map(rows.map((row) => [row.id, row]));
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
    insert into callback_attempts (id, callback_id, order_id, url, http_method, request, signed, status, answer, error,
      duration_ms, created_at, system_flag)
    select *, ${systemFlag}::text from unnest(
      ${made.map(() => platform.ids.next())}::bigint[], ${made.map(({ callback }) => callback.id)}::bigint[],
      ${made.map(({ callback }) => callback.orderId)}::bigint[], ${made.map(({ callback }) => callback.url)}::text[],
      ${made.map(({ attempt }) => attempt.httpMethod)}::text[], ${made.map((each) => (isWhole(each) ? each.attempt.request : null))}::text[],
      ${made.map((each) => (isWhole(each) ? null : each.attempt.signed))}::text[],
      ${made.map(({ attempt }) => attempt.status)}::int[], ${made.map(({ attempt }) => attempt.answer)}::text[],
      ${made.map(({ attempt }) => attempt.error)}::text[], ${made.map(({ attempt }) => attempt.durationMs)}::int[],
      ${made.map(({ at }) => at)}::timestamptz[])`,
    ),
  );
  tx.send(
    hot(
      'record callbacks',
      sql`
    update callbacks c set attempts = c.attempts + 1, next_at = v.next_at,
      state = case when c.state = 1 then 1 else v.state end
    from unnest(${made.map(({ callback }) => callback.id)}::bigint[], ${made.map(({ next }) => next.state)}::smallint[],
      ${made.map(({ next }) => next.at)}::timestamptz[]) as v (id, state, next_at)
    where c.id = v.id`,
    ),
  );
  endLeases(tx, made);
}

/** A timeout's notice may be taken back while it is sent, and could not tell afterwards what was. */
const isWhole = ({ callback }: MadeAttempt) => callback.kind === 'timeout';

/** Last in its transaction, for others wait here: callbacks of one claim are recorded by several at once. */
function endLeases(tx: Tx, made: readonly MadeAttempt[]): void {
  const held = new Map(
    made.map(({ callback }) => [`${callback.claim}/${callback.merchantId}`, callback] as const),
  );
  const leases = [...held.values()];
  // In one order, so that two never wait for each other.
  tx.send(
    hot(
      'end callbacks of leases',
      sql`
    with held as (
      select claim, merchant_id from callback_leases where (claim, merchant_id) in (
        select * from unnest(${leases.map(({ claim }) => claim)}::bigint[], ${leases.map(({ merchantId }) => merchantId)}::bigint[]))
      order by claim, merchant_id for update)
    update callback_leases l set callback_ids = array(
      select id from unnest(l.callback_ids) id where id not in (select unnest(${made.map(({ callback }) => callback.id)}::bigint[])))
    from held where l.claim = held.claim and l.merchant_id = held.merchant_id`,
    ),
  );
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
  tx.send(ONE_AT_A_TIME);
  const rows = await tx.query(sql`
    update callbacks set state = 3
    where id = ${callback.id} and state = ${callback.state}
      and not exists (select from callback_leases where until >= ${now} and ${callback.id} = any(callback_ids))
    returning id`);
  return rows.length > 0;
}
