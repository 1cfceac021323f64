import { audit } from '../platform/audit/record.ts';
import { DAY, MINUTE } from '../platform/clock.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';

/** An address that has been ordinary for this long is deleted. */
const FORGOTTEN_AFTER = 7 * DAY;

/** Records those of the addresses that reached perMinuteFreqCount orders within lookForwardMinutes. */
export async function noteAbnormal(
  platform: Platform,
  tx: Tx,
  ips: readonly string[],
  now: Date,
): Promise<void> {
  if (ips.length === 0) return;
  const { lookForwardMinutes, perMinuteFreqCount } = (await platform.settings.all()).GlobalSecuritySetting;
  const since = new Date(now.getTime() - lookForwardMinutes * MINUTE);
  const over = await tx.query<{ ip: string; orders: number }>(sql`
    select ip, sum(orders)::int as orders from ip_minutes where ip = any(${ips}) and minute > ${since}
    group by ip having sum(orders) >= ${perMinuteFreqCount} order by ip`);
  if (over.length === 0) return;
  tx.send(sql`
    insert into abnormal_ips as a (id, ip, state, orders, window_minutes, threshold, since, last_over_at)
    select id, ip, 'abnormal', orders, ${lookForwardMinutes}::int, ${perMinuteFreqCount}::int, ${now}::timestamptz, ${now}::timestamptz
    from unnest(${over.map(() => platform.ids.next())}::bigint[], ${over.map(({ ip }) => ip)}::text[],
      ${over.map(({ orders }) => orders)}::int[]) as v (id, ip, orders)
    on conflict (ip) do update set last_over_at = excluded.last_over_at, window_minutes = excluded.window_minutes,
      threshold = excluded.threshold, orders = greatest(a.orders, excluded.orders)`);
}

/** Thaws what was frozen for a time that is over, and deletes addresses that have long been ordinary again. */
export async function thawDue(platform: Platform): Promise<number> {
  const now = platform.clock.now();
  await platform.db.query(sql`
    delete from abnormal_ips where state = 'abnormal'
      and coalesce(last_over_at, changed_at, since) < ${new Date(now.getTime() - FORGOTTEN_AFTER)}`);
  return platform.db.tx(async (tx) => {
    const due = await tx.query<{ ip: string; frozenUntil: Date }>(sql`
      select ip, frozen_until as "frozenUntil" from abnormal_ips where state = 'frozen' and frozen_until <= ${now}
      order by id limit 1000 for update skip locked`);
    if (due.length === 0) return 0;
    tx.send(sql`
      update abnormal_ips set state = 'abnormal', frozen_at = null, frozen_until = null, changed_by = null, changed_at = ${now}
      where ip = any(${due.map(({ ip }) => ip)})`);
    for (const { ip, frozenUntil } of due)
      await audit(platform, tx, {
        userId: null,
        action: 'ip.thaw',
        subject: `ip:${ip}`,
        before: { state: 'frozen', until: frozenUntil },
        after: { state: 'abnormal' },
        ip: null,
      });
    return due.length;
  });
}
