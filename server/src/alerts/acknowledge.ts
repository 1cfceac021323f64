import { ALERTS } from '@sangam/contract/alerts.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { audit } from '../platform/audit/record.ts';
import { type Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { tellOutside } from './raise.ts';
import { type Alert, findAlert } from './alert.ts';
import { markAcknowledged } from './store.ts';

/** Who acknowledges: a user, or a person in a Telegram group of whom we know only a name. */
export interface Acknowledger {
  readonly userId: bigint | null;
  readonly name: string;
  readonly ip: string | null;
}

/** Acknowledges from the console. Alerts whose kind the role may not see are 'not found'. */
export function acknowledgeAlert(
  platform: Platform,
  viewer: Viewer,
  id: bigint,
): Promise<{ readonly acknowledgeTime: string; readonly acknowledgedBy: string } | Refusal> {
  return platform.db.tx(async (tx) => {
    const alert = await findAlert(tx, id);
    if (!alert || !ALERTS[alert.kind].roles.includes(viewer.role)) return refuse('notFound');
    const by = { userId: viewer.userId, name: viewer.account, ip: viewer.ip };
    const { acknowledgedAt, acknowledgedName } = await acknowledgeIn(tx, platform, alert.id, by);
    return { acknowledgeTime: formatTime(acknowledgedAt!), acknowledgedBy: acknowledgedName! };
  });
}

/** Only the first acknowledgement counts; it is announced and audited once. Answers the alert as it is afterwards. */
export async function acknowledgeIn(
  tx: Tx,
  platform: Platform,
  id: bigint,
  by: Acknowledger,
): Promise<Alert> {
  const marked = await markAcknowledged(tx, id, { ...by, at: platform.clock.now() });
  if (!marked) return (await findAlert(tx, id))!;
  await audit(platform, tx, {
    userId: by.userId,
    action: 'alert.acknowledge',
    subject: `alert:${id}`,
    after: { kind: marked.kind, subject: marked.subject, by: by.name },
    ip: by.ip,
  });
  await tellOutside(platform, tx, [marked], 'acknowledged');
  return marked;
}
