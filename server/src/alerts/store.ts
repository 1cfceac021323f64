import type { AlertKind } from '@sangam/contract/alerts.ts';
import { type Sql, sql, type Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Alert, ALERT_COLUMNS } from './alert.ts';

export type AlertEvent = 'opened' | 'acknowledged' | 'closed';
export type AlertChannel = 'mail' | 'webhook' | 'telegram' | 'sms';

export interface NewAlert {
  readonly kind: AlertKind;
  readonly subject: string;
  readonly data: Readonly<Record<string, string | number>>;
  readonly merchantId: bigint | null;
  readonly supplierId: bigint | null;
}

/** Opens an alert and answers it. Undefined when one was already open; that one then gets the new figures. */
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

/** Closes the matching open alerts and answers them. */
export function closeOpen(platform: Platform, tx: Tx, kind: AlertKind, which: Sql): Promise<Alert[]> {
  return tx.query<Alert>(sql`
    update alerts a set closed_at = ${platform.clock.now()}
    where a.kind = ${kind} and a.closed_at is null and ${which} returning ${ALERT_COLUMNS}`);
}

/** Acknowledges the alert and answers it. Undefined when somebody had acknowledged it before. */
export async function markAcknowledged(
  tx: Tx,
  id: bigint,
  by: { readonly userId: bigint | null; readonly name: string; readonly at: Date },
): Promise<Alert | undefined> {
  const [row] = await tx.query<Alert>(sql`
    update alerts a set acknowledged_at = ${by.at}, acknowledged_by = ${by.userId}, acknowledged_name = ${by.name}
    where a.id = ${id} and a.acknowledged_at is null returning ${ALERT_COLUMNS}`);
  return row;
}

/** Writes deliveries to channels outside the console, due now. */
export async function insertDeliveries(
  platform: Platform,
  tx: Tx,
  { id }: Alert,
  event: AlertEvent,
  channels: readonly AlertChannel[],
): Promise<void> {
  if (channels.length === 0) return;
  await tx.query(sql`
    insert into alert_deliveries (id, alert_id, event, channel, due_at)
    select v.id, ${id}, ${event}, v.channel, ${platform.clock.now()}
    from unnest(${channels.map(() => platform.ids.next())}::bigint[], ${channels}::text[]) as v (id, channel)`);
}
