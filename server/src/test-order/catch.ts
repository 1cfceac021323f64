import type { WebhookAnswer, WebhookCall } from '../http/route.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';

/** How many notifications of one order are kept. */
const MOST = 50;
const LONGEST = 8_000;

/** Keeps the notifications for a test order's merchant, and acknowledges them. An unguessable path is the only protection. */
export async function catchCallback(platform: Platform, call: WebhookCall): Promise<WebhookAnswer> {
  const token = call.params['token'] ?? '';
  const [known] = await platform.db.query<{ caught: number }>(sql`
    select (select count(*)::int from test_order_catches c where c.catch_token = t.catch_token) as caught
    from test_orders t where t.catch_token = ${token}`);
  if (!known) return { status: 404, body: 'unknown' };
  const body =
    call.method === 'GET' ? new URLSearchParams(call.query).toString() : call.body.toString('utf8');
  if (known.caught < MOST)
    await platform.db.query(sql`
      insert into test_order_catches (id, catch_token, body, caught_at)
      values (${platform.ids.next()}, ${token}, ${body.slice(0, LONGEST)}, ${platform.clock.now()})`);
  return { status: 200, body: 'success' };
}
