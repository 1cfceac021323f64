import { type Tx, hot, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { scopeOf, type Viewer } from '../platform/viewer.ts';
import type { CallbackKind, ClaimedCallback, MadeAttempt, Recipient } from './callback.ts';
import { TRY_CLAIM, WAIT_FOR_CLAIMS } from './claim-lock.ts';
import { ATTEMPTS, STATE, WAITING } from './state.ts';
import { columnNames, unnestRows } from '../platform/db/unnest-rows.ts';

export interface ClaimLimits {
  readonly total: number;
  readonly perMerchant: number;
  /** Merchants that get more or fewer than `perMerchant`, and how many. */
  readonly known?: ReadonlyMap<bigint, number>;
  readonly leaseMs: number;
  /**
   * Only these merchants, each from where its last claim ended. Rows that left the queue stay in the index until vacuum;
   * reading past them in each claim cost 100 µs more a callback after 300,000 of them (measured).
   */
  readonly after?: ReadonlyMap<bigint, Mark>;
}

/** Where a claim ended in a merchant's queue. */
export type Mark = Pick<ClaimedCallback, 'id' | 'nextAt'>;

/**
 * Leases due callbacks of merchants that are not paused: a few per merchant, so that a long backlog leaves room for others;
 * oldest due first, never two of one order at once. Where a later callback of its order is due, the notice of a timeout is given
 * up: a merchant that does not acknowledge it must not hear of the payment hours later. Merchants come in random order, so that none is always last. A lease ends
 * when the attempt is recorded, or by its time. Answers nothing while another node claims: that node may hang, and the next
 * claim comes soon.
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
    const [lock] = await tx.query<{ mine: boolean }>(TRY_CLAIM);
    if (!lock!.mine) return [];
    tx.send(hot('end leases', sql`delete from callback_leases where until < ${now} or callback_ids = '{}'`));
    // Planned each time: a plan made while the queue of an idle platform is empty would be kept for a full one.
    // Merchants with something waiting are found by leaps through the index: `distinct` would read every waiting row.
    const due = await tx.query<Omit<ClaimedCallback, 'claim' | 'merchant'>>(sql`
      with recursive ${
        after
          ? sql`waiting as (
        select * from ${unnestRows(
          { merchantId: 'bigint', fromAt: 'timestamptz', fromId: 'bigint' },
          after.map(([merchantId, { nextAt, id }]) => ({ merchantId, fromAt: nextAt, fromId: id + 1n })),
        )}`
          : sql`waiting (merchant_id, from_at, from_id) as (
        (select merchant_id, next_at, callback_id from callback_queue order by merchant_id, next_at, callback_id limit 1)
        union all
        select q.* from waiting w cross join lateral (
          select q.merchant_id, q.next_at, q.callback_id from callback_queue q where q.merchant_id > w.merchant_id
          order by q.merchant_id, q.next_at, q.callback_id limit 1) q`
      }
      ), sendable as (
        select m.id, coalesce(k.places, ${limits.perMerchant}) as places, w.from_at, w.from_id
        from waiting w join merchants m on m.id = w.merchant_id and not m.callbacks_paused
        left join ${unnestRows(
          { merchantId: 'bigint', places: 'int' },
          known.map(([merchantId, places]) => ({ merchantId, places })),
          'k',
        )} on k.merchant_id = m.id
        where coalesce(k.places, ${limits.perMerchant}) > 0
        order by random()
      ), leased as (
        select unnest(callback_ids) as id from callback_leases
      ), found as (
        select d.* from sendable s cross join lateral (
          select q.* from callback_queue q
          where q.merchant_id = s.id and q.next_at <= ${now} and (q.next_at, q.callback_id) >= (s.from_at, s.from_id)
            and q.callback_id not in (select id from leased)
            and (q.place = 1 or not exists (
              select from callbacks e join callback_queue w on w.callback_id = e.id
              where e.order_id = q.order_id and e.place < q.place
                and (e.kind <> 'timeout' or e.id in (select id from leased))))
          order by q.next_at, q.callback_id limit s.places
        ) d limit ${limits.total}
      ), passed as (
        delete from callback_queue w using found l, callbacks e
        where l.place > 1 and e.order_id = l.order_id and e.place < l.place and w.callback_id = e.id returning w.callback_id
      ), given_up as (
        update callbacks set given_up = 3 where id in (select callback_id from passed)
      ), due as (
        select f.* from found f
        where not exists (select from found l where l.place > 1 and l.order_id = f.order_id and l.place > f.place)
      ), lease as (
        insert into callback_leases (claim, merchant_id, callback_ids, until)
        select ${claim}::bigint, merchant_id, array_agg(callback_id), ${new Date(now.getTime() + limits.leaseMs)}::timestamptz
        from due group by merchant_id
      )
      select c.id, c.order_id as "orderId", c.merchant_id as "merchantId", c.kind, c.url, c.transport, c.fields, d.attempts,
        d.attempts_before as "attemptsBefore", d.next_at::text as "nextAt"
      from due d join callbacks c on c.id = d.callback_id order by d.merchant_id, d.next_at, d.callback_id`);
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

const ATTEMPT = {
  id: 'bigint',
  callbackId: 'bigint',
  orderId: 'bigint',
  url: 'text',
  httpMethod: 'text',
  request: 'text',
  signed: 'text',
  status: 'int',
  answer: 'text',
  error: 'text',
  durationMs: 'int',
  createdAt: 'timestamptz',
} as const;

/** Writes attempts and their effect on the callbacks. When two nodes sent one callback, an acknowledgement wins. */
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
    insert into callback_attempts (${columnNames(ATTEMPT)}, system_flag)
    select *, ${systemFlag}::text from ${unnestRows(
      ATTEMPT,
      made.map((each) => ({
        ...each.attempt,
        id: platform.ids.next(),
        callbackId: each.callback.id,
        orderId: each.callback.orderId,
        url: each.callback.url,
        request: isWhole(each) ? each.attempt.request : null,
        signed: isWhole(each) ? null : each.attempt.signed,
        createdAt: each.at,
      })),
    )}`,
    ),
  );
  const ended = (outcome: MadeAttempt['outcome']) =>
    made.filter((each) => each.outcome === outcome).map(({ callback }) => callback.id);
  const [succeeded, exhausted] = [ended('succeeded'), ended('exhausted')];
  if (succeeded.length > 0) tx.send(acknowledged(succeeded));
  if (exhausted.length > 0) tx.send(givenUp(exhausted, 2));
  const failed = made.filter(({ outcome }) => outcome === 'failed');
  if (failed.length > 0)
    tx.send(sql`
      update callback_queue q set attempts = q.attempts + 1, next_at = v.next_at
      from ${unnestRows(
        { id: 'bigint', nextAt: 'timestamptz' },
        failed.map((row) => ({ ...row, id: row.callback.id })),
      )}
      where q.callback_id = v.id`);
  endLeases(tx, made);
}

/** Removes acknowledged callbacks from the queue. One that was given up while it was being sent counts as acknowledged after all. */
const acknowledged = (ids: readonly bigint[]) =>
  hot(
    'end callbacks',
    sql`
    with gone as (delete from callback_queue where callback_id = any(${ids}) returning callback_id)
    update callbacks set given_up = null
    where given_up is not null and id in (select unnest(${ids}::bigint[]) except select callback_id from gone)`,
  );

/** Removes callbacks from the queue as given up. One that left the queue meanwhile was acknowledged or given up, and stays so. */
const givenUp = (ids: readonly bigint[], how: 2 | 3) => sql`
  with gone as (delete from callback_queue where callback_id = any(${ids}) returning callback_id)
  update callbacks set given_up = ${how} where id in (select callback_id from gone) returning id`;

/**
 * The notice of a timeout may be deleted after its lease ended without a record. The attempt then has to keep the whole request
 * itself.
 */
const isWhole = ({ callback }: MadeAttempt) => callback.kind === 'timeout';

/** Last in the transaction, because others wait for these rows: several transactions record callbacks of one claim at once. */
function endLeases(tx: Tx, made: readonly MadeAttempt[]): void {
  const held = new Map(
    made.map(({ callback }) => [`${callback.claim}/${callback.merchantId}`, callback] as const),
  );
  const leases = [...held.values()];
  // Always locked in the same order, so that two transactions never wait for each other.
  tx.send(
    hot(
      'end callbacks of leases',
      sql`
    with held as (
      select claim, merchant_id from callback_leases where (claim, merchant_id) in (
        select * from ${unnestRows({ claim: 'bigint', merchantId: 'bigint' }, leases)})
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
    select c.id, c.order_id as "orderId", c.kind, ${STATE} as state, ${ATTEMPTS} as attempts from callbacks c ${WAITING}
    where c.id = ${id} ${scopeOf(viewer, { merchant: sql`c.merchant_id` })}`);
  return row;
}

/** Makes a waiting callback due now; false when it no longer waits. */
export async function retryNow(tx: Tx, id: bigint, now: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    update callback_queue set next_at = ${now} where callback_id = ${id} returning callback_id`);
  return rows.length > 0;
}

/**
 * Puts a given-up callback back on the queue. False when it changed meanwhile, or when another callback of its order waits or
 * came later: an older notice must not be the last that the merchant gets.
 */
export async function revive(tx: Tx, callback: StoredCallback, now: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    with revived as (
      update callbacks c set given_up = null where c.id = ${callback.id} and c.given_up = ${callback.state} and not exists (
        select from callbacks e where e.order_id = c.order_id and e.id <> c.id and (e.place > c.place
          or exists (select from callback_queue w where w.callback_id = e.id)))
      returning c.*)
    insert into callback_queue (callback_id, order_id, merchant_id, place, next_at, attempts, attempts_before)
    select id, order_id, merchant_id, place, ${now}, ${callback.attempts}, ${callback.attempts} from revived
    returning callback_id`);
  return rows.length > 0;
}

/** Takes a callback off the queue, or out of those given up; false when it changed meanwhile or is being sent. */
export async function withdraw(tx: Tx, callback: StoredCallback, now: Date): Promise<boolean> {
  tx.send(WAIT_FOR_CLAIMS);
  const [held] = await tx.query(sql`
    select from callback_leases where until >= ${now} and ${callback.id} = any(callback_ids)`);
  if (held) return false;
  const rows =
    callback.state === 0
      ? await tx.query(givenUp([callback.id], 3))
      : await tx.query(
          sql`update callbacks set given_up = 3 where id = ${callback.id} and given_up = ${callback.state} returning id`,
        );
  return rows.length > 0;
}
