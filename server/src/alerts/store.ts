import type { AlertKind } from '@sangam/contract/alerts.ts';
import { type Sql, sql, type Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';

export interface Alert {
  readonly id: bigint;
  readonly kind: AlertKind;
  /** A number, or a name: unique among the open ones of the kind. */
  readonly subject: string;
  readonly data: Readonly<Record<string, string | number>>;
  readonly merchantId: bigint | null;
  readonly supplierId: bigint | null;
  readonly openedAt: Date;
  readonly acknowledgedAt: Date | null;
  readonly acknowledgedName: string | null;
  readonly closedAt: Date | null;
}

const ALERT_COLUMNS = sql`a.id, a.kind, a.subject, a.data, a.merchant_id as "merchantId",
  a.supplier_id as "supplierId", a.opened_at as "openedAt", a.acknowledged_at as "acknowledgedAt",
  a.acknowledged_name as "acknowledgedName", a.closed_at as "closedAt"`;

export type AlertEvent = 'opened' | 'acknowledged' | 'closed';
export type AlertChannel = 'mail' | 'webhook' | 'telegram' | 'sms';

export interface NewAlert {
  readonly kind: AlertKind;
  readonly subject: string;
  readonly data: Readonly<Record<string, string | number>>;
  readonly merchantId: bigint | null;
  readonly supplierId: bigint | null;
}

/** The alert opened, or undefined where one is open: that one then has the newer figures. */
export async function openAlert(platform: Platform, tx: Tx, alert: NewAlert): Promise<Alert | undefined> {
  const data = JSON.stringify(alert.data);
  const [row] = await tx.query<Alert>(sql`
    insert into alerts as a (id, kind, subject, data, merchant_id, supplier_id, opened_at)
    values (${platform.ids.next()}, ${alert.kind}, ${alert.subject}, ${data}, ${alert.merchantId}, ${alert.supplierId},
      ${platform.clock.now()})
    on conflict (kind, subject) where closed_at is null do nothing returning ${ALERT_COLUMNS}`);
  if (row) return row;
  await tx.query(sql`
    update alerts set data = ${data}
    where kind = ${alert.kind} and subject = ${alert.subject} and closed_at is null and data <> ${data}`);
  return undefined;
}

/** Closes the open ones that match; answers them. */
export function closeOpen(platform: Platform, tx: Tx, kind: AlertKind, which: Sql): Promise<Alert[]> {
  return tx.query<Alert>(sql`
    update alerts a set closed_at = ${platform.clock.now()}
    where a.kind = ${kind} and a.closed_at is null and ${which} returning ${ALERT_COLUMNS}`);
}

/** Writes what has to be told outside, due now. */
export async function insertDeliveries(
  platform: Platform,
  tx: Tx,
  alerts: readonly Alert[],
  event: AlertEvent,
  channels: readonly AlertChannel[],
): Promise<void> {
  const rows = alerts.flatMap(({ id }) =>
    channels.map((channel) => ({ id: platform.ids.next(), alertId: id, channel })),
  );
  if (rows.length === 0) return;
  await tx.query(sql`
    insert into alert_deliveries (id, alert_id, event, channel, due_at)
    select id, alert_id, ${event}, channel, ${platform.clock.now()}
    from unnest(${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.alertId)}::bigint[],
      ${rows.map((row) => row.channel)}::text[]) as v (id, alert_id, channel)`);
}
