import { ALERTS, type AlertData, type AlertKind } from '@sangam/contract/alerts.ts';
import { usersToTell } from '../inbox/party-users.ts';
import { notify } from '../inbox/notify.ts';
import { sql, type Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { Alert } from './alert.ts';
import { channelsOf } from './channels.ts';
import { type AlertEvent, closeOpen, insertDeliveries, type NewAlert, openAlert } from './store.ts';

/** A cause of an alert. */
export interface Cause<Kind extends AlertKind = AlertKind> {
  readonly kind: Kind;
  /** The id or name of the thing the alert is about, unique within the kind. Shown as `{{subject}}`. */
  readonly subject: string;
  /** The fields of the kind's text. Amounts and times are written as people read them. */
  readonly data: AlertData<Kind>;
  /** The party that owns the subject, if any. It is notified too. */
  readonly merchantId?: bigint | null;
  readonly supplierId?: bigint | null;
}

/**
 * Opens an alert, or keeps the alert that is already open for this kind and subject. Call it each time the cause is seen, on any node. The
 * first call notifies people: consoles, message centre and each configured channel.
 *
 *     await raiseAlert(platform, { kind: 'backupOld', subject: 'backup', data: { hours: 30 } });
 */
export function raiseAlert<Kind extends AlertKind>(platform: Platform, cause: Cause<Kind>): Promise<void> {
  return platform.db.tx((tx) => raiseAlertIn(tx, platform, cause));
}

/** The same in the transaction that sees the cause. */
export async function raiseAlertIn<Kind extends AlertKind>(
  tx: Tx,
  platform: Platform,
  cause: Cause<Kind>,
): Promise<void> {
  const opened = await openAlert(platform, tx, rowOf(cause));
  if (!opened) return;
  await tellPeople(platform, tx, opened);
  await tellOutside(platform, tx, [opened], 'opened');
}

/** Closes the open alert of this kind and subject, if there is one, because its cause is gone. */
export function closeAlert(platform: Platform, kind: AlertKind, subject: string): Promise<void> {
  return platform.db.tx((tx) => closeAlertIn(tx, platform, kind, subject));
}

/** The same in the transaction that removes the cause. */
export async function closeAlertIn(
  tx: Tx,
  platform: Platform,
  kind: AlertKind,
  subject: string,
): Promise<void> {
  await tellOutside(platform, tx, await closeOpen(platform, tx, kind, sql`a.subject = ${subject}`), 'closed');
}

/** Takes all present causes of one kind. Raises them, and closes the kind's open alerts that are not among them. */
export async function keepAlerts<Kind extends AlertKind>(
  platform: Platform,
  kind: Kind,
  causes: readonly Omit<Cause<Kind>, 'kind'>[],
): Promise<void> {
  const subjects = causes.map(({ subject }) => subject);
  await platform.db.tx(async (tx) => {
    for (const cause of causes) await raiseAlertIn(tx, platform, { kind, ...cause });
    const closed = await closeOpen(platform, tx, kind, sql`a.subject <> all(${subjects}::text[])`);
    await tellOutside(platform, tx, closed, 'closed');
  });
}

function rowOf<Kind extends AlertKind>({
  kind,
  subject,
  data,
  merchantId = null,
  supplierId = null,
}: Cause<Kind>): NewAlert {
  return { kind, subject, data, merchantId, supplierId };
}

/** A critical alert goes to the message centre of all who see its kind. The party that owns the subject is notified of every alert. */
async function tellPeople(
  platform: Platform,
  tx: Tx,
  { kind, subject, data, ...alert }: Alert,
): Promise<void> {
  const { severity, roles } = ALERTS[kind];
  const to = { userIds: await usersToTell(tx, alert, 'orders'), roles: severity === 'critical' ? roles : [] };
  if (to.userIds.length + to.roles.length > 0)
    await notify(platform, tx, to, 'alert', { ...data, alert: kind, subject });
}

/** Writes a delivery for each channel, in the transaction of the event. */
export async function tellOutside(
  platform: Platform,
  tx: Tx,
  alerts: readonly Alert[],
  event: AlertEvent,
): Promise<void> {
  for (const alert of alerts)
    await insertDeliveries(platform, tx, alert, event, await channelsOf(platform, alert, event));
}
