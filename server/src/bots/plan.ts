import { randomUUID } from 'node:crypto';
import { ALERTS } from '@sangam/contract/alerts.ts';
import { businessDay, formatTime, parseTime } from '@sangam/contract/time.ts';
import { claimIn, type Delivery, finishIn } from '../alerts/outbox.ts';
import type { Alert } from '../alerts/alert.ts';
import { DAY, MINUTE } from '../platform/clock.ts';
import { sql, type Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type BotGroup, enabledGroups, GROUP_COLUMNS, insertBotMessage, URGENCY } from './store.ts';

const REMIND_AFTER = 5 * MINUTE;

/** Turns alert deliveries into messages for groups, in one transaction, so that each is planned once. Returns how many. */
export function planAlerts(platform: Platform): Promise<number> {
  return platform.db.tx(async (tx) => {
    const token = randomUUID();
    const deliveries = await claimIn(tx, 'telegram', token, platform.clock.now());
    if (deliveries.length === 0) return 0;
    const groups = await enabledGroups(tx, 'alert');
    for (const delivery of deliveries) {
      if (delivery.event === 'opened') await planOpened(platform, tx, groups, delivery);
      else await planEdits(platform, tx, delivery.alert);
    }
    await finishIn(tx, token);
    return deliveries.length;
  });
}

/** Whether a group gets an alert. A party's group gets its party's alerts; the operator's groups get all alerts of the kinds they chose. */
export function takes(group: BotGroup, { kind, merchantId, supplierId }: Alert): boolean {
  if (!group.kinds.includes(kind)) return false;
  if (group.merchantId !== null) return group.merchantId === merchantId;
  return group.supplierId === null || group.supplierId === supplierId;
}

async function planOpened(
  platform: Platform,
  tx: Tx,
  groups: readonly BotGroup[],
  { alert }: Delivery,
): Promise<void> {
  const { severity } = ALERTS[alert.kind];
  const now = platform.clock.now();
  for (const group of groups.filter((each) => takes(each, alert))) {
    const dueAt = severity === 'critical' ? now : afterQuiet(group, now);
    const urgency = URGENCY[severity];
    await insertBotMessage(platform, tx, {
      bot: 'alert',
      groupId: group.id,
      kind: 'alert',
      alertId: alert.id,
      urgency,
      dueAt,
    });
  }
}

/** Plans edits of the alert's messages that are in groups or on their way. A waiting message gets its text when it is sent. */
async function planEdits(platform: Platform, tx: Tx, alert: Alert): Promise<void> {
  const shown = await tx.query<{ id: bigint; groupId: bigint }>(sql`
    select m.id, m.group_id as "groupId" from bot_messages m
    where m.alert_id = ${alert.id} and m.kind in ('alert', 'reminder')
      and (m.state = 'sent' and m.message_id is not null and not m.is_summed or m.state = 'waiting' and m.token is not null)
      and not exists (select from bot_messages e where e.edits_id = m.id and e.state = 'waiting' and e.token is null)`);
  for (const { id, groupId } of shown) {
    const edit = { bot: 'alert', groupId, kind: 'edit', alertId: alert.id, editsId: id } as const;
    await insertBotMessage(platform, tx, { ...edit, urgency: URGENCY.edit });
  }
}

/** Now, or the end of the group's quiet hours. */
function afterQuiet({ quietFrom, quietTo }: BotGroup, now: Date): Date {
  if (quietFrom === null || quietTo === null) return now;
  const dayStart = parseTime(businessDay(now))!.getTime();
  const minute = Math.floor((now.getTime() - dayStart) / MINUTE);
  const inside =
    quietFrom < quietTo ? minute >= quietFrom && minute < quietTo : minute >= quietFrom || minute < quietTo;
  if (!inside) return now;
  const end = dayStart + quietTo * MINUTE;
  return new Date(end > now.getTime() ? end : end + DAY);
}

/**
 * BotConstantReminder: repeats open alerts that nobody acknowledged, five minutes after the last message about them in the group. Returns
 * how many.
 */
export async function planReminders(platform: Platform): Promise<number> {
  const { BotConstantReminder } = await platform.settings.all();
  if (!BotConstantReminder) return 0;
  const now = platform.clock.now();
  const before = new Date(now.getTime() - REMIND_AFTER);
  return platform.db.tx(async (tx) => {
    const due = await tx.query<BotGroup & { alertId: bigint; urgency: number }>(sql`
      select m.alert_id as "alertId", min(m.urgency) as urgency, ${GROUP_COLUMNS}
      from bot_messages m
      join alerts a on a.id = m.alert_id and a.closed_at is null and a.acknowledged_at is null
      join bot_groups g on g.id = m.group_id and g.enabled
      where m.kind in ('alert', 'reminder') and (m.state <> 'sent' or m.message_id is not null)
      group by m.alert_id, g.id
      having bool_and(m.state <> 'waiting') and max(m.sent_at) <= ${before}`);
    for (const { alertId, urgency, ...group } of due) {
      const dueAt = urgency === URGENCY.critical ? now : afterQuiet(group, now);
      const reminder = {
        bot: 'alert',
        groupId: group.id,
        kind: 'reminder',
        alertId,
        urgency,
        dueAt,
      } as const;
      await insertBotMessage(platform, tx, reminder);
    }
    return due.length;
  });
}

/** BotAutoSendFundRecord: after midnight, plans yesterday's fund record for each merchant group, once. Returns how many. */
export async function planFundRecords(platform: Platform): Promise<number> {
  const { BotAutoSendFundRecord } = await platform.settings.all();
  if (!BotAutoSendFundRecord) return 0;
  const day = formatTime(new Date(platform.clock.now().getTime() - DAY)).slice(0, 10);
  const groups = await enabledGroups(platform.db, 'alert');
  let planned = 0;
  for (const { id, bot, merchantId } of groups) {
    if (merchantId === null) continue;
    planned += await platform.db.tx(async (tx) => {
      const fresh = await tx.query(sql`
        insert into bot_fund_records (group_id, day) values (${id}, ${day}) on conflict do nothing returning day`);
      if (fresh.length === 0) return 0;
      const record = { bot, groupId: id, kind: 'fundRecord', body: day, urgency: URGENCY.notice } as const;
      await insertBotMessage(platform, tx, record);
      return 1;
    });
  }
  return planned;
}
