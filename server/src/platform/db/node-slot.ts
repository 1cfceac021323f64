import { randomUUID } from 'node:crypto';
import { SECOND } from '../clock.ts';
import { type Database, sql } from './database.ts';

const LEASE = 60 * SECOND;

export interface NodeSlot {
  readonly slot: number;
  release(): Promise<void>;
}

/**
 * Leases one of the 1,024 node slots that ids are made with. The lease is renewed at a third of its time; a node
 * that cannot renew calls `onLost` before the lease ends, because another node may take its slot.
 */
export async function claimNodeSlot(
  db: Database,
  takesCalls: boolean,
  onLost: (error: unknown) => void,
): Promise<NodeSlot> {
  const token = randomUUID();
  const claimed = await db.tx(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(7426002)`);
    return tx.query<{ slot: number }>(sql`
      with free as (
        select s as slot from generate_series(0, 1023) s
        where not exists (select 1 from node_slots n where n.slot = s and n.leased_until > now())
        order by s limit 1
      )
      insert into node_slots (slot, token, takes_calls, leased_until)
      select slot, ${token}, ${takesCalls}, now() + ${LEASE} * interval '1 ms' from free
      on conflict (slot) do update set token = excluded.token, takes_calls = excluded.takes_calls, leased_until = excluded.leased_until
      returning slot`);
  });
  const slot = claimed[0]?.slot;
  if (slot === undefined) throw new Error('all 1,024 node slots are leased');

  let renewedAt = Date.now();
  const timer = setInterval(() => {
    db.query<{ slot: number }>(sql`
      update node_slots set leased_until = now() + ${LEASE} * interval '1 ms'
      where slot = ${slot} and token = ${token} returning slot`)
      .then((rows) => {
        if (rows.length === 0) onLost(new Error(`node slot ${slot} was taken by another node`));
        renewedAt = Date.now();
      })
      .catch((error: unknown) => {
        if (Date.now() - renewedAt > LEASE * 0.8) onLost(error);
      });
  }, LEASE / 3);
  timer.unref();

  return {
    slot,
    async release() {
      clearInterval(timer);
      await db.query(sql`delete from node_slots where slot = ${slot} and token = ${token}`);
    },
  };
}
