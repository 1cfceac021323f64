import { isIP } from 'node:net';
import { DAY } from '../platform/clock.ts';
import { type Queryable, sql } from '../platform/db/database.ts';
import { addressMatcher } from '../platform/net/addresses.ts';
import { perPlatform } from '../platform/node-state.ts';
import type { Platform } from '../platform/platform.ts';
import { addressOf } from './address.ts';

/** A known address is written again once a day. It counts as a server for 30 days, so a server that moved is forgotten after a month. */
const WRITTEN_EVERY = DAY;
const SERVER_FOR = 30 * DAY;
/** Merchants have few servers. A caller that keeps changing its address must not fill the memory. */
const MOST_KNOWN = 50_000;

const known = perPlatform(() => new Map<string, number>());

/** Remembers that a merchant's signed call came from this address, so it is a server of the merchant. Returns at once. */
export function noteCaller(platform: Platform, merchantId: bigint, callerIp: string): void {
  const ip = addressOf(callerIp);
  if (ip === undefined) return;
  const written = known(platform);
  const key = `${merchantId}/${ip}`;
  const now = platform.clock.now();
  if ((written.get(key) ?? Number.NEGATIVE_INFINITY) > now.getTime() - WRITTEN_EVERY) return;
  if (written.size >= MOST_KNOWN) written.clear();
  written.set(key, now.getTime());
  platform.db
    .query(
      sql`
    insert into merchant_callers as c (ip, merchant_id, seen_at) values (${ip}, ${merchantId}, ${now})
    on conflict (ip, merchant_id) do update set seen_at = greatest(c.seen_at, excluded.seen_at)`,
    )
    .catch((error: unknown) => {
      written.delete(key);
      platform.log.warn({ err: error }, "the address of a merchant's call was not recorded");
    });
}

/** Listed networks with fewer bits are no statement of servers: a merchant that may call from anywhere lists all addresses. */
const LEAST_BITS = { 4: 24, 6: 48 };

/** A server of a merchant, or its listed network, that an address or network overlaps: by its calls, or by the merchant's own lists. */
export async function merchantServerIn(db: Queryable, entry: string, now: Date): Promise<string | undefined> {
  const isIn = addressMatcher([entry]);
  const rows = await db.query<{ server: string }>(sql`
    select ip as server from merchant_callers where seen_at > ${new Date(now.getTime() - SERVER_FOR)}
    union select unnest(pay_in_ips || payout_ips) from merchants`);
  // Of two networks that overlap, one holds the other's first address.
  return rows.find(
    ({ server }) => isIn(firstOf(server)) || (isNarrow(server) && addressMatcher([server])(firstOf(entry))),
  )?.server;
}

/** The address that an entry names: of a network, the address before the slash. */
const firstOf = (entry: string): string => entry.split('/')[0]!;

function isNarrow(entry: string): boolean {
  const [address = '', bits] = entry.split('/');
  return bits === undefined || Number(bits) >= LEAST_BITS[isIP(address) === 6 ? 6 : 4];
}

export async function sweepCallers(platform: Platform): Promise<void> {
  await platform.db.query(sql`
    delete from merchant_callers where seen_at < ${new Date(platform.clock.now().getTime() - SERVER_FOR)}`);
}
