import { randomUUID } from 'node:crypto';
import { MINUTE } from '../clock.ts';
import { perPlatform } from '../node-state.ts';
import type { Platform } from '../platform.ts';
import { sql } from './database.ts';

const LEASE = 2 * MINUTE;

/** The jobs whose lease this node took last, and until when this node holds each. */
export const heldLeases = perPlatform(() => new Map<string, Date>());

/**
 * Runs a job on one node at a time, under a lease in a table that is renewed while the work runs. `work` answers when the job is due again,
 * and until then the lease keeps all nodes away. The lease of a killed node ends after two minutes. False when another node has the lease
 * or the job is not due.
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
  // A failed renewal is tried again. The lease outlasts two failed renewals.
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
