import type { savePushSubscription } from '@sangam/contract/endpoints/push.ts';
import type { z } from 'zod';
import { sql } from '../platform/db/database.ts';
import { refusedTarget } from '../platform/net/target.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, wrongInput } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';

/** How many devices a user may have. The newest stay. */
const MOST_DEVICES = 10;

export async function subscribe(
  platform: Platform,
  viewer: Viewer,
  { endpoint, p256dh, auth, language }: z.output<typeof savePushSubscription.input>,
): Promise<Record<string, never> | Refusal> {
  const allowPrivate = platform.config.allowPrivateCallbacks === true;
  const isPlain = !allowPrivate && !endpoint.startsWith('https:');
  if (isPlain || refusedTarget(endpoint, allowPrivate) !== undefined) return wrongInput('endpoint');
  const now = platform.clock.now();
  const id = platform.ids.next();
  await platform.db.tx(async (tx) => {
    // Payouts that already wait were seen where the device was switched on.
    await tx.query(sql`
      insert into push_subscriptions
        (id, user_id, endpoint, p256dh, auth, language, created_at, told_id, quiet_until)
      values (${id}, ${viewer.userId}, ${endpoint}, ${p256dh}, ${auth}, ${language}, ${now}, ${id}, ${now})
      on conflict (endpoint) do update set user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth,
        language = excluded.language, failures = 0`);
    await tx.query(sql`
      delete from push_subscriptions where user_id = ${viewer.userId} and id not in (
        select id from push_subscriptions where user_id = ${viewer.userId} order by id desc limit ${MOST_DEVICES})`);
  });
  return {};
}

export async function unsubscribe(
  platform: Platform,
  viewer: Viewer,
  endpoint: string,
): Promise<Record<string, never>> {
  await platform.db.query(
    sql`delete from push_subscriptions where user_id = ${viewer.userId} and endpoint = ${endpoint}`,
  );
  return {};
}
