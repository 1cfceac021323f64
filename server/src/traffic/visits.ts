import { gather } from '../platform/db/gather.ts';
import { sql } from '../platform/db/database.ts';
import { perPlatform } from '../platform/node-state.ts';
import type { Platform } from '../platform/platform.ts';
import { noteChanges } from '../history/changes.ts';
import { deviceOf, hostOf, type Device } from './device.ts';

interface Visit {
  readonly orderId: bigint;
  readonly openedAt: Date | null;
  readonly seenAt: Date | null;
  readonly referrer: string | null;
  readonly device: Device | null;
}

/** Nobody waits for these rows, so many are written together. */
const TOGETHER = { batch: 500, inFlight: 1, delay: 250 };
/** How many written visits this node remembers, because a page asks for its order every few seconds. */
const MOST_KNOWN = 100_000;

const writers = perPlatform((platform) => {
  const known = new Set<string>();
  const write = gather((visits: readonly Visit[]) => writeVisits(platform, visits), TOGETHER);
  return (key: 'opened' | 'seen', visit: Visit): void => {
    const name = `${key}${visit.orderId}`;
    if (known.has(name)) return;
    if (known.size >= MOST_KNOWN) known.clear();
    known.add(name);
    write(visit).catch((error: unknown) => {
      known.delete(name);
      platform.log.warn({ err: error }, 'a visit of the payment page was not recorded');
    });
  };
});

/**
 * Records that an order's payment page was opened, and from where. Returns at once. Only the first visit of an order counts. Visits that
 * are not written yet are lost if the node ends.
 */
export function noteOpened(
  platform: Platform,
  token: string,
  from: { readonly userAgent: string; readonly referrer: string | undefined; readonly ownHost: string },
): void {
  const orderId = platform.vault.orderOfPayToken(token);
  const device = deviceOf(from.userAgent);
  if (orderId === undefined || device === undefined) return;
  const host = hostOf(from.referrer);
  // A page that is loaded again names itself as the referrer.
  const referrer = host === undefined || host === from.ownHost ? null : host;
  writers(platform)('opened', { orderId, openedAt: platform.clock.now(), seenAt: null, referrer, device });
}

/** Records that the payer of an order was shown the account to pay. Returns at once. */
export function noteSeen(platform: Platform, orderId: bigint): void {
  const seenAt = platform.clock.now();
  writers(platform)('seen', { orderId, openedAt: null, seenAt, referrer: null, device: null });
}

async function writeVisits(platform: Platform, visits: readonly Visit[]): Promise<void[]> {
  await platform.db.tx(async (tx) => {
    const written = await tx.query<{ orderId: bigint }>(sql`
      insert into order_visits as v (order_id, opened_at, seen_at, referrer, device)
      select order_id, min(opened_at), min(seen_at), min(referrer), min(device)
      from unnest(${visits.map(({ orderId }) => orderId)}::bigint[], ${visits.map(({ openedAt }) => openedAt)}::timestamptz[],
        ${visits.map(({ seenAt }) => seenAt)}::timestamptz[], ${visits.map(({ referrer }) => referrer)}::text[],
        ${visits.map(({ device }) => device)}::text[]) as n (order_id, opened_at, seen_at, referrer, device)
      group by order_id order by order_id
      on conflict (order_id) do update set opened_at = coalesce(v.opened_at, excluded.opened_at),
        seen_at = coalesce(v.seen_at, excluded.seen_at),
        referrer = case when v.opened_at is null then excluded.referrer else v.referrer end,
        device = coalesce(v.device, excluded.device)
      where v.opened_at is null and excluded.opened_at is not null or v.seen_at is null and excluded.seen_at is not null
      returning order_id as "orderId"`);
    noteChanges(
      tx,
      written.map(({ orderId }) => ({ id: platform.ids.next(), orderId, told: false })),
    );
  });
  return visits.map(() => undefined);
}
