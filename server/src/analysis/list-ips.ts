import {
  type getFrozenIpList,
  type getIpList,
  type IP_STATES,
  network,
} from '@sangam/contract/endpoints/ip-analysis.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { DAY, MINUTE } from '../platform/clock.ts';
import { empty, type Sql, sql } from '../platform/db/database.ts';
import { readPage } from '../platform/db/page.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { frozenAddresses } from '../traffic/frozen.ts';

interface IpRow {
  readonly ip: string;
  readonly isServer: boolean;
  readonly orders: number;
  readonly paid: number;
  readonly merchants: number;
  readonly names: number;
  readonly accounts: number;
  readonly peak: number;
  readonly merchantNames: readonly string[];
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** How many different members the sets of an address's minutes have within the window. */
const membersOf = (column: Sql, since: Date): Sql => sql`
  (select count(distinct member)::int from ip_minutes w, unnest(${column}) as member where w.ip = t.ip and w.minute > ${since})`;

const IS_SERVER = (now: Date): Sql => sql`
  exists (select from merchant_callers c where c.ip = t.ip and c.seen_at > ${new Date(now.getTime() - 30 * DAY)})`;

/** Whether a counted address is in a network. Each counted address is in the spelling of `addressOf`, which PostgreSQL can read. */
const inNetwork = (ip: Sql, of: Sql): Sql => sql`${ip}::inet <<= ${of}::inet`;

/** An address, or all addresses in a network. */
function namedBy(text: string): Sql {
  return network.safeParse(text).success
    ? sql`and ${inNetwork(sql`w.ip`, sql`${text}`)}`
    : sql`and w.ip = ${text}`;
}

/** Client addresses by their orders within the window, most orders first. Read from the counts by minute, never from orders. */
export async function listIps(
  platform: Platform,
  _viewer: Viewer,
  input: z.output<typeof getIpList.input>,
): Promise<z.input<typeof getIpList.output> | Refusal> {
  const { lookForwardMinutes, perMinuteFreqCount } = (await platform.settings.all()).GlobalSecuritySetting;
  const now = platform.clock.now();
  const since = new Date(now.getTime() - lookForwardMinutes * MINUTE);
  // A minute does not tell which of its orders are the merchant's. So the filter only chooses addresses, and the counts are of all orders.
  const ofMerchant =
    input.merchantId === undefined
      ? empty
      : sql`and w.ip in (select o.ip from ip_minutes o where o.minute > ${since} and o.merchants @> array[${BigInt(input.merchantId)}::bigint])`;
  const page = await readPage<IpRow>(platform, input, {
    columns: sql`
      t.ip, t.orders, t.paid, t.peak, t.first_at as "firstAt", t.last_at as "lastAt",
      ${IS_SERVER(now)} as "isServer",
      ${membersOf(sql`w.merchants`, since)} as merchants, ${membersOf(sql`w.names`, since)} as names,
      ${membersOf(sql`w.accounts`, since)} as accounts,
      array(select m.name from merchants m where m.id in (
        select unnest(w.merchants) from ip_minutes w where w.ip = t.ip and w.minute > ${since}) order by m.name limit 10) as "merchantNames"`,
    // The key of a page: most orders first, then any fixed order.
    from: sql`
      from (
        select *, (orders::bigint << 40) | (hashtextextended(ip, 0) & ((1::bigint << 40) - 1)) as key
        from (
          select w.ip, sum(w.orders)::int as orders, sum(w.paid)::int as paid, max(w.orders) as peak, min(w.minute) as first_at,
            max(w.minute) as last_at
          from ip_minutes w where w.minute > ${since} ${ofMerchant}
            ${input.ipAddress === undefined ? empty : namedBy(input.ipAddress)}
          group by w.ip
        ) g
      ) t
      where t.orders > 0 ${input.state === 'abnormal' ? sql`and t.orders >= ${perMinuteFreqCount}` : empty}`,
    key: sql`t.key`,
  });
  if (isRefusal(page)) return page;
  // As new orders are judged: by the address and by its networks.
  const frozen = frozenAddresses(platform);
  const stateOf = async (row: IpRow): Promise<(typeof IP_STATES)[number]> => {
    const standing = await frozen.standingOf(row.ip);
    if (standing) return standing;
    if (row.isServer) return 'server';
    return row.orders >= perMinuteFreqCount ? 'abnormal' : 'ordinary';
  };
  const states = await Promise.all(page.list.map(stateOf));
  return {
    ...page,
    list: page.list.map((row, index) => ({
      ipAddress: row.ip,
      state: states[index]!,
      orders: row.orders,
      paid: row.paid,
      merchants: row.merchants,
      names: row.names,
      accounts: row.accounts,
      peak: row.peak,
      merchantNames: [...row.merchantNames],
      firstTime: formatTime(row.firstAt),
      lastTime: formatTime(row.lastAt),
    })),
    lookForwardMinutes,
    perMinuteFreqCount,
    fromTime: formatTime(since),
  };
}

interface AbnormalRow {
  readonly id: bigint;
  readonly ip: string;
  readonly state: 'abnormal' | 'frozen' | 'exempt';
  readonly serverOf: string | null;
  readonly orders: number | null;
  readonly windowMinutes: number | null;
  readonly threshold: number | null;
  readonly ordersNow: number;
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  readonly since: Date;
  readonly lastOverAt: Date | null;
  readonly frozenAt: Date | null;
  readonly frozenUntil: Date | null;
  readonly reason: string | null;
  readonly changedBy: string | null;
  readonly changedAt: Date | null;
}

/** The orders of an address, or of all addresses in a network, within the window. Only a network reads the whole window. */
const ordersNow = (since: Date): Sql => sql`
  select sum(w.orders)::int as orders, min(w.minute) as first_at, max(w.minute) as last_at
  from (
    select orders, minute from ip_minutes where ip = t.ip and minute > ${since}
    union all
    select orders, minute from ip_minutes
    where t.ip like '%/%' and minute > ${since} and case when t.ip like '%/%' then ${inNetwork(sql`ip`, sql`t.ip`)} end
  ) w where w.orders > 0`;

const shown = (moment: Date | null) => moment && formatTime(moment);

/** Addresses that were abnormal lately, or are frozen or exempt, the newest first. */
export async function listAbnormalIps(
  platform: Platform,
  _viewer: Viewer,
  input: z.output<typeof getFrozenIpList.input>,
): Promise<z.input<typeof getFrozenIpList.output> | Refusal> {
  const { lookForwardMinutes } = (await platform.settings.all()).GlobalSecuritySetting;
  const now = platform.clock.now();
  const since = new Date(now.getTime() - lookForwardMinutes * MINUTE);
  const page = await readPage<AbnormalRow>(platform, input, {
    columns: sql`
      t.id, t.ip, t.state, t.orders, t.window_minutes as "windowMinutes", t.threshold, t.since, t.last_over_at as "lastOverAt",
      t.frozen_at as "frozenAt", t.frozen_until as "frozenUntil", t.reason, t.changed_at as "changedAt",
      (select u.account from users u where u.id = t.changed_by) as "changedBy",
      (select m.name from merchant_callers c join merchants m on m.id = c.merchant_id
        where c.ip = t.ip and c.seen_at > ${new Date(now.getTime() - 30 * DAY)} order by c.seen_at desc limit 1) as "serverOf",
      coalesce(n.orders, 0) as "ordersNow", n.first_at as "firstAt", n.last_at as "lastAt"`,
    from: sql`
      from abnormal_ips t left join lateral (${ordersNow(since)}) n on true where true ${input.state === undefined ? empty : sql`and t.state = ${input.state}`}
        ${input.ipAddress === undefined ? empty : sql`and t.ip = ${input.ipAddress}`}`,
    key: sql`t.id`,
  });
  if (isRefusal(page)) return page;
  return {
    ...page,
    list: page.list.map((row) => ({
      id: String(row.id),
      ipAddress: row.ip,
      state: row.state,
      serverOf: row.serverOf,
      orders: row.orders,
      windowMinutes: row.windowMinutes,
      threshold: row.threshold,
      ordersNow: row.ordersNow,
      firstTime: shown(row.firstAt),
      lastTime: shown(row.lastAt),
      sinceTime: formatTime(row.since),
      lastOverTime: shown(row.lastOverAt),
      frozenTime: shown(row.frozenAt),
      frozenUntil: shown(row.frozenUntil),
      reason: row.reason,
      changedBy: row.changedBy,
      changeTime: shown(row.changedAt),
    })),
  };
}
