import { hot, sql } from '../platform/db/database.ts';

/** One claim after another, and no withdrawal between (withdraw_timeouts has the same key): what one leases, nobody else has seen as free. */
const KEY = 7_426_004;
/** A claim is tried: the node that holds the lock may hang. */
export const TRY_CLAIM = hot('try to claim', sql`select pg_try_advisory_xact_lock(${KEY}) as mine`);
/** What a person withdraws waits for the claim under way. */
export const WAIT_FOR_CLAIMS = sql`select pg_advisory_xact_lock(${KEY})`;
