import { randomUUID } from 'node:crypto';
import type { AlertKind } from '@sangam/contract/alerts.ts';
import { MINUTE, SECOND } from '../platform/clock.ts';
import { sql, type Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Alert, ALERT_COLUMNS } from './alert.ts';
import type { AlertChannel, AlertEvent } from './store.ts';

/** Longer than one send may last. When a node is killed, other nodes take its rows after this time. */
const LEASE = MINUTE;
/** The waits between tries. The last wait repeats until a try succeeds, so that no alert is lost. */
const WAITS = [5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE];
const MOST_TOLD_AT_ONCE = 100;

export interface Delivery {
  readonly id: bigint;
  readonly event: AlertEvent;
  readonly attempts: number;
  readonly alert: Alert;
}

type Row = Alert & { readonly deliveryId: bigint; readonly event: AlertEvent; readonly attempts: number };

interface Claim {
  readonly token: string;
  readonly deliveries: readonly Delivery[];
}

/** Takes the deliveries that are due on a channel, oldest first, under a lease. */
async function claim(platform: Platform, channel: AlertChannel): Promise<Claim> {
  const token = randomUUID();
  const now = platform.clock.now();
  const deliveries = await platform.db.tx((tx) => claimIn(tx, channel, token, now));
  return { token, deliveries };
}

/** The same in the caller's transaction, for work that ends in that transaction and needs no lease. */
export async function claimIn(
  tx: Tx,
  channel: AlertChannel,
  token: string,
  now: Date,
): Promise<readonly Delivery[]> {
  const rows = await tx.query<Row>(sql`
    with due as (
      select id from alert_deliveries
      where channel = ${channel} and due_at <= ${now} and (leased_until is null or leased_until <= ${now})
      order by due_at, id limit ${MOST_TOLD_AT_ONCE} for update skip locked),
    taken as (
      update alert_deliveries d set token = ${token}, leased_until = ${new Date(now.getTime() + LEASE)},
        attempts = d.attempts + 1
      from due where due.id = d.id returning d.id, d.alert_id, d.event, d.attempts)
    select t.id as "deliveryId", t.event, t.attempts, ${ALERT_COLUMNS}
    from taken t join alerts a on a.id = t.alert_id order by t.id`);
  return rows.map(({ deliveryId, event, attempts, ...alert }) => ({
    id: deliveryId,
    event,
    attempts,
    alert: { ...alert, kind: alert.kind as AlertKind },
  }));
}

export async function finishIn(tx: Tx, token: string): Promise<void> {
  await tx.query(sql`delete from alert_deliveries where token = ${token}`);
}

async function putBack(platform: Platform, { token, deliveries }: Claim, error: string): Promise<void> {
  const tries = Math.max(...deliveries.map(({ attempts }) => attempts));
  const wait = WAITS[Math.min(tries, WAITS.length) - 1]!;
  await platform.db.query(sql`
    update alert_deliveries set token = null, leased_until = null, last_error = ${error.slice(0, 300)},
      due_at = ${new Date(platform.clock.now().getTime() + wait)}
    where token = ${token}`);
}

/**
 * Sends together all deliveries that are due on a channel. At least once: if a node dies after sending and before recording, they are sent
 * again. Returns how many were sent.
 */
export async function deliverDue(
  platform: Platform,
  channel: AlertChannel,
  send: (deliveries: readonly Delivery[]) => Promise<void>,
): Promise<number> {
  const taken = await claim(platform, channel);
  if (taken.deliveries.length === 0) return 0;
  try {
    await send(taken.deliveries);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    platform.log.warn({ channel, reason }, 'alerts could not be told');
    await putBack(platform, taken, reason);
    return 0;
  }
  await platform.db.tx((tx) => finishIn(tx, taken.token));
  return taken.deliveries.length;
}
