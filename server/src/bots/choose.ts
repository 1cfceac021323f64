import type { AlertKind } from '@sangam/contract/alerts.ts';
import type { Bot } from '@sangam/contract/bots.ts';
import { MINUTE, SECOND } from '../platform/clock.ts';
import { sql, type Tx } from '../platform/db/database.ts';
import { type BotGroup, GROUP_COLUMNS } from './store.ts';

/** Telegram's limit for all chats together. */
const MOST_A_SECOND = 30;
/** How many waiting messages of a group are read. One message sums up no more than these. */
const MOST_SUMMED = 500;

/** A waiting message, with the data for its text. */
export interface WaitingMessage {
  readonly id: bigint;
  readonly kind: 'alert' | 'reminder' | 'edit' | 'text' | 'fundRecord';
  readonly body: string | null;
  readonly attempts: number;
  readonly alert: {
    readonly id: bigint;
    readonly kind: AlertKind;
    readonly subject: string;
    readonly data: Readonly<Record<string, string | number>>;
    readonly openedAt: Date;
    readonly acknowledgedName: string | null;
    readonly closedAt: Date | null;
  } | null;
  /** For an edit: Telegram's number of the message, and whether that message will never get one. */
  readonly editsMessageId: bigint | null;
  readonly editsEnded: boolean | null;
}

export interface Send {
  readonly group: BotGroup;
  /** One message, or several alerts summed up in one message. */
  readonly rows: readonly WaitingMessage[];
}

interface GroupNow extends BotGroup {
  /** Messages sent in the last minute. */
  readonly sent: number;
  readonly waiting: number;
}

/**
 * Chooses what may be sent now: one message a second in each group, `per_minute` in a minute, 30 a second in all. The last message that a
 * group may get in its minute sums up all its waiting alerts.
 */
export async function chooseSends(tx: Tx, bot: Bot, now: Date): Promise<readonly Send[]> {
  const minuteAgo = new Date(now.getTime() - MINUTE);
  const secondAgo = new Date(now.getTime() - SECOND);
  const [lately] = await tx.query<{ count: number }>(sql`
    select count(distinct (group_id, coalesce(message_id, id)))::int as count from bot_messages
    where state = 'sent' and sent_at > ${secondAgo} and bot = ${bot}`);
  const room = MOST_A_SECOND - lately!.count;
  if (room <= 0) return [];
  const groups = await tx.query<GroupNow>(sql`
    select ${GROUP_COLUMNS}, w.waiting,
      (select count(distinct coalesce(s.message_id, s.id))::int
         from bot_messages s where s.group_id = g.id and s.state = 'sent' and s.sent_at > ${minuteAgo}) as sent
    from bot_groups g
    join lateral (
      select count(*)::int as waiting, min(urgency) as urgency, min(id) as oldest from bot_messages m
      where m.group_id = g.id and m.state = 'waiting' and m.due_at <= ${now}
        and (m.leased_until is null or m.leased_until <= ${now})) w on w.waiting > 0
    where g.bot = ${bot} and g.enabled and (g.paused_until is null or g.paused_until <= ${now})
      and not exists (select from bot_messages s where s.group_id = g.id and s.state = 'sent' and s.sent_at > ${secondAgo})
      and not exists (select from bot_messages s where s.group_id = g.id and s.state = 'waiting' and s.leased_until > ${now})
    order by w.urgency, w.oldest`);
  const sends: Send[] = [];
  for (const group of groups) {
    if (sends.length === room) break;
    const left = group.perMinute - group.sent;
    if (left <= 0) continue;
    const rows = await waitingOf(tx, group.id, now, left === 1 ? MOST_SUMMED : 1);
    const first = rows[0];
    if (!first) continue;
    const alerts = rows.filter(({ kind }) => kind === 'alert' || kind === 'reminder');
    // Answers and files are sent alone, and so are alerts while the group's limit leaves room.
    const isSummed = left === 1 && alerts.length > 1 && first.kind !== 'text' && first.kind !== 'fundRecord';
    sends.push({ group, rows: isSummed ? alerts : [first] });
  }
  return sends;
}

interface Row extends Omit<WaitingMessage, 'alert'> {
  readonly alertId: bigint | null;
  readonly alertKind: AlertKind;
  readonly subject: string;
  readonly data: Readonly<Record<string, string | number>>;
  readonly openedAt: Date;
  readonly acknowledgedName: string | null;
  readonly closedAt: Date | null;
}

async function waitingOf(tx: Tx, groupId: bigint, now: Date, limit: number): Promise<WaitingMessage[]> {
  const rows = await tx.query<Row>(sql`
    select w.id, w.kind, w.body, w.attempts, e.message_id as "editsMessageId", e.state <> 'waiting' as "editsEnded",
      a.id as "alertId", a.kind as "alertKind", a.subject, a.data, a.opened_at as "openedAt",
      a.acknowledged_name as "acknowledgedName", a.closed_at as "closedAt"
    from bot_messages w
    left join bot_messages e on e.id = w.edits_id
    left join alerts a on a.id = w.alert_id
    where w.group_id = ${groupId} and w.state = 'waiting' and w.due_at <= ${now}
      and (w.leased_until is null or w.leased_until <= ${now})
    order by w.urgency, w.id limit ${limit} for update of w skip locked`);
  return rows.map(({ alertId, alertKind, subject, data, openedAt, acknowledgedName, closedAt, ...row }) => ({
    ...row,
    alert:
      alertId === null
        ? null
        : { id: alertId, kind: alertKind, subject, data, openedAt, acknowledgedName, closedAt },
  }));
}
