import type { AlertKind } from '@sangam/contract/alerts.ts';
import type { Bot } from '@sangam/contract/bots.ts';
import type { Locale } from '@sangam/contract/locale.ts';
import { audit } from '../platform/audit/record.ts';
import { type Queryable, sql, type Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';

export interface BotGroup {
  readonly id: bigint;
  readonly bot: Bot;
  readonly chatId: bigint;
  readonly title: string;
  readonly merchantId: bigint | null;
  readonly supplierId: bigint | null;
  readonly kinds: readonly AlertKind[];
  /** Telegram ids of people, as text. */
  readonly senderIds: readonly string[];
  readonly perMinute: number;
  readonly quietFrom: number | null;
  readonly quietTo: number | null;
  readonly locale: Locale;
  readonly enabled: boolean;
}

/** A person in a chat. */
export interface Sender {
  readonly id: bigint;
  readonly name: string;
}

export const GROUP_COLUMNS = sql`g.id, g.bot, g.chat_id as "chatId", g.title, g.merchant_id as "merchantId",
  g.supplier_id as "supplierId", g.kinds, g.sender_ids::text[] as "senderIds", g.per_minute as "perMinute",
  g.quiet_from as "quietFrom", g.quiet_to as "quietTo", g.locale, g.enabled`;

export async function groupOfChat(db: Queryable, bot: Bot, chatId: bigint): Promise<BotGroup | undefined> {
  const [group] = await db.query<BotGroup>(sql`
    select ${GROUP_COLUMNS} from bot_groups g where g.bot = ${bot} and g.chat_id = ${chatId} and g.enabled`);
  return group;
}

export function enabledGroups(db: Queryable, bot: Bot): Promise<BotGroup[]> {
  return db.query<BotGroup>(sql`
    select ${GROUP_COLUMNS} from bot_groups g where g.bot = ${bot} and g.enabled order by g.id`);
}

export interface NewBotMessage {
  readonly bot: Bot;
  readonly groupId: bigint;
  readonly kind: 'alert' | 'reminder' | 'edit' | 'text' | 'fundRecord';
  readonly alertId?: bigint;
  readonly editsId?: bigint;
  readonly body?: string;
  readonly urgency: number;
  /** When to send it. Now, if not given. */
  readonly dueAt?: Date;
}

/** Answers to a group go before alerts, and critical alerts before others. */
export const URGENCY = { answer: 0, critical: 1, warning: 2, notice: 3, edit: 4 } as const;

export async function insertBotMessage(platform: Platform, tx: Tx, message: NewBotMessage): Promise<bigint> {
  const now = platform.clock.now();
  const id = platform.ids.next();
  await tx.query(sql`
    insert into bot_messages (id, bot, group_id, kind, alert_id, edits_id, body, urgency, state, due_at, created_at)
    values (${id}, ${message.bot}, ${message.groupId}, ${message.kind}, ${message.alertId ?? null},
      ${message.editsId ?? null}, ${message.body ?? null}, ${message.urgency}, 'waiting', ${message.dueAt ?? now}, ${now})`);
  return id;
}

/** Writes the bot's answer in a group. */
export function say(platform: Platform, tx: Tx, group: BotGroup, body: string): Promise<bigint> {
  return insertBotMessage(platform, tx, {
    bot: group.bot,
    groupId: group.id,
    kind: 'text',
    body,
    urgency: URGENCY.answer,
  });
}

/** A group that became a supergroup has another chat id. It keeps its place on the white list. */
export async function followChat(platform: Platform, tx: Tx, group: BotGroup, to: bigint): Promise<void> {
  const moved = await tx.query(sql`
    update bot_groups set chat_id = ${to} where id = ${group.id} and chat_id = ${group.chatId}
      and not exists (select from bot_groups o where o.bot = ${group.bot} and o.chat_id = ${to}) returning id`);
  if (moved.length === 0) return;
  await audit(platform, tx, {
    userId: null,
    action: 'bot.groupMoved',
    subject: `botGroup:${group.id}`,
    before: { chatId: String(group.chatId) },
    after: { chatId: String(to) },
    ip: null,
  });
}
