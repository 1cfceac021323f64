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
  /** What it is about, unique within the kind: the id of the kind's subject, or a name. Shown as `{{subject}}`. */
  readonly subject: string;
  /** Fields of the kind's text; amounts and moments as people read them. */
  readonly data: AlertData<Kind>;
  /** Whose subject it is: that party is told as well. */
  readonly merchantId?: bigint | null;
  readonly supplierId?: bigint | null;
}

/**
 * Opens an alert, or keeps the one that is open for this kind and subject. To be called as often as the cause is seen, on
 * any node. The first call tells people: consoles, message centre, and each channel that is set up.
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

/** Closes the open alert of this kind and subject, if there is one: its cause is gone. */
export function closeAlert(platform: Platform, kind: AlertKind, subject: string): Promise<void> {
  return platform.db.tx((tx) => closeAlertIn(tx, platform, kind, subject));
}

/** The same in the transaction that takes the cause away. */
export async function closeAlertIn(
  tx: Tx,
  platform: Platform,
  kind: AlertKind,
  subject: string,
): Promise<void> {
  await tellOutside(platform, tx, await closeOpen(platform, tx, kind, sql`a.subject = ${subject}`), 'closed');
}

/** All causes of one kind that there are now: raises these, and closes the open alerts of the kind that are not among them. */
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

/** Critical ones go to the message centre of all who see them; the party of the subject is told of any. */
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

/** Writes what each channel has to send, in the transaction of what happened. */
export async function tellOutside(
  platform: Platform,
  tx: Tx,
  alerts: readonly Alert[],
  event: AlertEvent,
): Promise<void> {
  for (const alert of alerts)
    await insertDeliveries(platform, tx, alert, event, await channelsOf(platform, alert, event));
}
