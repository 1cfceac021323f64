import { sql } from '../platform/db/database.ts';
import { ID_SLACK } from '../platform/db/ids.ts';

/** A callback `c` with its place in the queue `q`, if it waits there. */
export const WAITING = sql`left join callback_queue q on q.callback_id = c.id`;
/** 0: it waits, 1: it was acknowledged, 2: its retries were used up, 3: it was taken off the queue. */
export const STATE = sql`(case when q.callback_id is null then coalesce(c.given_up, 1) else 0 end)`;
/** Made so far; the bound on its id keeps the look-up out of earlier months. */
export const ATTEMPTS = sql`(select count(*)::int from callback_attempts a where a.callback_id = c.id and a.id > c.id - ${ID_SLACK})`;
/** The orders of all that waits to be told. */
export const UNTOLD_ORDERS = sql`select order_id from callback_queue`;
