import type { getCallbackHealth, resendFailed as contract } from '@sangam/contract/endpoints/callback.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { DAY } from '../platform/clock.ts';
import { type Sql, sql } from '../platform/db/database.ts';
import { firstIdAt, ID_SLACK } from '../platform/db/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal } from '../platform/refusal.ts';
import { scopeOf, type Viewer } from '../platform/viewer.ts';
import type { OutcomeListener } from './callback.ts';
import { resendCallback } from './manage.ts';

const LOOKED_BACK = 31 * DAY;
/** How many waiting callbacks, and how many that were given up, are looked at. */
const MOST = 1_000;
const MOST_GROUPS = 20;
const MOST_SENT = 500;

type Failure = z.output<typeof contract.input>;

/** Callbacks with a failed attempt that wait or are given up, each with its last attempt. */
function failing(platform: Platform, viewer: Viewer): Sql {
  const since = firstIdAt(new Date(platform.clock.now().getTime() - LOOKED_BACK));
  return sql`
    select c.id, c.order_id as "orderId", c.given_up is not null as "isExhausted", a.status, a.error, a.created_at as at
    from (
      (select q.callback_id as id from callback_queue q
        where q.attempts > 0 ${scopeOf(viewer, { merchant: sql`q.merchant_id` })} order by q.callback_id desc limit ${MOST})
      union all
      (select c.id from callbacks c
        where c.given_up = 2 and c.id >= ${since} ${scopeOf(viewer, { merchant: sql`c.merchant_id` })} order by c.id desc limit ${MOST})
    ) f join callbacks c on c.id = f.id
    join lateral (
      select a.status, a.error, a.created_at from callback_attempts a
      where a.callback_id = c.id and a.id > c.id - ${ID_SLACK} order by a.id desc limit 1
    ) a on true`;
}

interface Group extends Failure {
  readonly waiting: number;
  readonly exhausted: number;
  readonly newest: Date;
  readonly orderId: bigint;
}

/** What fails at the merchant's endpoint, most frequent first. */
export async function callbackHealth(
  platform: Platform,
  viewer: Viewer,
): Promise<z.input<typeof getCallbackHealth.output>> {
  const groups = await platform.db.query<Group>(sql`
    select status, error, (count(*) filter (where not "isExhausted"))::int as waiting,
      (count(*) filter (where "isExhausted"))::int as exhausted, max(at) as newest, max("orderId") as "orderId"
    from (${failing(platform, viewer)}) f group by status, error order by count(*) desc, max(at) desc limit ${MOST_GROUPS}`);
  return {
    groups: groups.map(({ newest, orderId, ...group }) => ({
      ...group,
      newestTime: formatTime(newest),
      orderCode: String(orderId),
    })),
  };
}

/** Sends the callbacks that failed in this way again, each in its own transaction, so that one refusal does not stop the others. */
export async function resendFailed(
  platform: Platform,
  viewer: Viewer,
  { status, error }: Failure,
  onOutcomes: OutcomeListener,
): Promise<z.input<typeof contract.output>> {
  const found = await platform.db.query<{ id: bigint }>(sql`
    select id from (${failing(platform, viewer)}) f
    where status is not distinct from ${status}::int and error is not distinct from ${error}::text order by id limit ${MOST_SENT}`);
  let refused = 0;
  for (const { id } of found)
    if (isRefusal(await resendCallback(platform, viewer, id, onOutcomes))) refused += 1;
  return { sent: found.length - refused, refused };
}
