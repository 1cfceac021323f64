import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { type DatabaseClock, SECOND } from '../clock.ts';
import { openDatabase, sql } from './database.ts';

export const LEASE = 60 * SECOND;
/** The node ends after this time without a renewal, before another node may take its slot. */
const END_AFTER = 0.8 * LEASE;
const RENEW_EVERY = 3 * SECOND;
/** A renewal that takes longer has failed. The next renewal opens a new connection. */
const LIMITS = { connect: 4 * SECOND, statement: 4 * SECOND, silence: 5 * SECOND };

/** A node that has not renewed its slot for this long counts as dead for the others that share something with it. */
export const ALIVE_WITHIN = 10 * SECOND;

/** What a node needs to hold a slot. */
export interface SlotOptions {
  /** Whether the node shares the merchants' limits with others. */
  readonly takesCalls: boolean;
  /** Compared with the database's clock at each renewal. */
  readonly clock: DatabaseClock;
  readonly log: Logger;
  /** Called when the node must end because another node may soon take its slot. */
  readonly onLost: (error: Error) => void;
  /** Called after each comparison of the clocks. */
  readonly onCompared?: () => void;
  /** How long the node lasts without a renewal, ms. Tests use less. */
  readonly endAfter?: number;
}

export interface NodeSlot {
  readonly slot: number;
  release(): Promise<void>;
}

/**
 * Leases one of the 1,024 node slots that ids are made with. It has its own connection, so that the renewal does not wait when all others
 * wait. A timer calls `onLost` before the lease ends unless a renewal resets it, even when the renewal hangs. Throws when all slots are
 * leased or the database does not answer.
 */
export async function claimNodeSlot(url: string, options: SlotOptions): Promise<NodeSlot> {
  const { clock, log, onLost, endAfter = END_AFTER } = options;
  const token = randomUUID();
  const db = openDatabase(url, { maxConnections: 1, limits: LIMITS });
  const lease = sql`clock_timestamp() + ${LEASE} * interval '1 ms'`;
  const now = sql`(extract(epoch from clock_timestamp()) * 1000)::float8 as now`;

  async function compared<Row extends { readonly now: number }>(
    ask: () => Promise<Row[]>,
  ): Promise<Row | undefined> {
    const before = performance.now();
    const [row] = await ask();
    if (row) clock.compare(row.now, before, performance.now());
    return row;
  }

  let endsAt = performance.now() + endAfter;
  const claimed = await db
    .tx(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(7426002)`);
      return compared(() =>
        tx.query<{ slot: number; now: number }>(sql`
      with free as (
        select s as slot from generate_series(0, 1023) s
        where not exists (select 1 from node_slots n where n.slot = s and n.leased_until > now())
        order by s limit 1
      )
      insert into node_slots (slot, token, takes_calls, leased_until)
      select slot, ${token}, ${options.takesCalls}, ${lease} from free
      on conflict (slot) do update set token = excluded.token, takes_calls = excluded.takes_calls, leased_until = excluded.leased_until
      returning slot, ${now}`),
      );
    })
    .catch(async (error: unknown) => {
      await db.close();
      throw error;
    });
  if (!claimed) {
    await db.close();
    throw new Error('all 1,024 node slots are leased');
  }
  const { slot } = claimed;
  options.onCompared?.();

  let isSilent = false;
  let released = false;
  let timer: NodeJS.Timeout | undefined;
  const end = (error: Error): void => {
    if (released) return;
    released = true;
    onLost(error);
  };
  const guard = setInterval(() => {
    if (performance.now() >= endsAt)
      end(new Error(`node slot ${slot} was not renewed for ${endAfter / SECOND} s: the node ends`));
  }, SECOND / 4);

  async function renew(): Promise<void> {
    const sentAt = performance.now();
    try {
      const row = await compared(() =>
        db.query<{ now: number }>(sql`
          update node_slots set leased_until = ${lease} where slot = ${slot} and token = ${token} returning ${now}`),
      );
      if (!row) return end(new Error(`node slot ${slot} was taken by another node`));
      // Counted from the sending of the renewal, because the lease begins no earlier.
      endsAt = sentAt + endAfter;
      if (isSilent) log.warn('the database answers again');
      isSilent = false;
      options.onCompared?.();
    } catch (error) {
      if (!isSilent && !released)
        log.error(
          { err: error, endsInMs: Math.round(endsAt - performance.now()) },
          'the database does not answer; the node ends unless it does in time',
        );
      isSilent = true;
    }
    if (!released) timer = setTimeout(() => void renew(), RENEW_EVERY);
    return undefined;
  }
  timer = setTimeout(() => void renew(), RENEW_EVERY);

  return {
    slot,
    async release() {
      released = true;
      clearInterval(guard);
      clearTimeout(timer);
      try {
        await db.query(sql`delete from node_slots where slot = ${slot} and token = ${token}`);
      } finally {
        await db.close();
      }
    },
  };
}
