import { sql } from '../platform/db/database.ts';
import { ID_SLACK } from '../platform/db/ids.ts';

/** A callback `c` with its place in the queue `q`, if it waits. */
export const WAITING = sql`left join callback_queue q on q.callback_id = c.id`;
/** 0: it waits, 1: acknowledged, 2: its retries are used up, 3: taken off the queue. */
export const STATE = sql`(case when q.callback_id is null then coalesce(c.given_up, 1) else 0 end)`;
/** Attempts made so far. The bound on the id keeps the look-up out of earlier months. */
export const ATTEMPTS = sql`(select count(*)::int from callback_attempts a where a.callback_id = c.id and a.id > c.id - ${ID_SLACK})`;
/** The orders of all callbacks that wait to be sent. */
export const UNTOLD_ORDERS = sql`select order_id from callback_queue`;
