import { randomUUID } from 'node:crypto';
import { MINUTE } from '../clock.ts';
import { perPlatform } from '../node-state.ts';
import type { Platform } from '../platform.ts';
import { sql } from './database.ts';

const LEASE = 2 * MINUTE;

/** Jobs whose lease this node took last, and until when it holds them. */
export const heldLeases = perPlatform(() => new Map<string, Date>());

/**
 * Does a job on one node at a time: the work runs under a lease in a table, renewed while it lasts, and answers when it
 * is due again; until then the lease keeps the others away. A node killed in between loses it after two minutes.
 * False when another node has it, or it is not due.
 */
export async function leased(platform: Platform, name: string, work: () => Promise<Date>): Promise<boolean> {
  const { db, clock } = platform;
  const token = randomUUID();
  const inALease = () => new Date(clock.now().getTime() + LEASE);
  const claimed = await db.query(sql`
    insert into job_leases (name, token, leased_until) values (${name}, ${token}, ${inALease()})
    on conflict (name) do update set token = excluded.token, leased_until = excluded.leased_until
    where job_leases.leased_until <= ${clock.now()} returning name`);
  if (claimed.length === 0) return false;
  const held = heldLeases(platform);
  const hold = (until: Date) => {
    held.set(name, until);
    return db.query(
      sql`update job_leases set leased_until = ${until} where name = ${name} and token = ${token}`,
    );
  };
  held.set(name, inALease());
  // A renewal that fails is tried again; the lease outlasts two of them.
  const timer = setInterval(() => void hold(inALease()).catch(() => undefined), LEASE / 3);
  timer.unref();
  let next = clock.now();
  try {
    next = await work();
  } finally {
    clearInterval(timer);
    await hold(next);
  }
  return true;
}
