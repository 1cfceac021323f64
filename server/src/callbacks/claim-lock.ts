import { hot, sql } from '../platform/db/database.ts';

/**
 * Claims run one after another, with no withdrawal between (withdraw_timeouts uses the same key): nobody leases what another
 * sees as free.
 */
const KEY = 7_426_004;
/** A claim only tries to get the lock, because the node that holds it may hang. */
export const TRY_CLAIM = hot('try to claim', sql`select pg_try_advisory_xact_lock(${KEY}) as mine`);
/** A withdrawal by a person waits for the running claim. */
export const WAIT_FOR_CLAIMS = sql`select pg_advisory_xact_lock(${KEY})`;
