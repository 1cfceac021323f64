import type { Bot } from '@sangam/contract/bots.ts';
import type { Update } from 'grammy/types';
import { acknowledgeIn } from '../alerts/acknowledge.ts';
import { findAlert } from '../alerts/alert.ts';
import { sql, type Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { answerCommand } from './commands.ts';
import { takes } from './plan.ts';
import { type BotGroup, followChat, groupOfChat, say, type Sender } from './store.ts';
import { takeInstruction } from './transfers.ts';
import { botText } from './texts.ts';

/** The answer to the press of a button. Telegram shows it to the person who pressed. */
export interface Press {
  readonly id: string;
  readonly text: string;
}

/**
 * Works on one update, once: a repeated update does nothing. All changes and the answer are in one transaction. Chats that are not on the
 * white list, and people who may not instruct the bot, are counted and get no answer.
 */
export async function receiveUpdate(
  platform: Platform,
  bot: Bot,
  update: Update,
): Promise<Press | undefined> {
  const now = platform.clock.now();
  // Read before the transaction, because inside it would need a second connection.
  const answer = bot === 'alert' ? await answerOf(platform, update) : undefined;
  return platform.db.tx(async (tx) => {
    const fresh = await tx.query(sql`
      insert into bot_updates (bot, update_id, received_at) values (${bot}, ${update.update_id}, ${now})
      on conflict do nothing returning update_id`);
    // Not the greatest number: after a quiet week a lower one may follow.
    await tx.query(sql`
      insert into bot_states (bot, update_id, updated_at) values (${bot}, ${update.update_id}, ${now})
      on conflict (bot) do update set update_id = excluded.update_id, updated_at = ${now}`);
    if (fresh.length === 0) return undefined;
    return work(platform, tx, bot, update, answer);
  });
}

async function answerOf(platform: Platform, { message }: Update): Promise<string | undefined> {
  if (!message?.text?.startsWith('/')) return undefined;
  const group = await groupOfChat(platform.db, 'alert', BigInt(message.chat.id));
  if (!group || !mayCommand(group, BigInt(message.from?.id ?? 0))) return undefined;
  return answerCommand(platform, group, message.text);
}

const mayCommand = ({ senderIds }: BotGroup, sender: bigint) =>
  senderIds.length === 0 || senderIds.includes(String(sender));

async function work(
  platform: Platform,
  tx: Tx,
  bot: Bot,
  update: Update,
  answer: string | undefined,
): Promise<Press | undefined> {
  const { message, callback_query: press } = update;
  const chat = message?.chat ?? press?.message?.chat;
  if (!chat) return undefined;
  const group = await groupOfChat(tx, bot, BigInt(chat.id));
  if (!group) {
    await countUnknown(platform, tx, bot, { id: BigInt(chat.id), title: chat.title ?? chat.username ?? '–' });
    return undefined;
  }
  if (message?.migrate_to_chat_id !== undefined) {
    await followChat(platform, tx, group, BigInt(message.migrate_to_chat_id));
    return undefined;
  }
  const from = message?.from ?? press?.from;
  if (!from) return undefined;
  const sender = { id: BigInt(from.id), name: from.username ? `@${from.username}` : from.first_name };
  if (!mayCommand(group, sender.id)) {
    await countSender(platform, tx, group, sender);
    return undefined;
  }
  if (press) return acknowledgeByPress(platform, tx, group, sender, { id: press.id, data: press.data ?? '' });
  if (bot === 'transfer')
    await takeInstruction(platform, tx, group, sender, {
      id: BigInt(update.update_id),
      text: message?.text ?? '',
    });
  else if (answer !== undefined) await say(platform, tx, group, answer);
  return undefined;
}

/** The button under an alert. A group may acknowledge only alerts that are sent to it. */
async function acknowledgeByPress(
  platform: Platform,
  tx: Tx,
  group: BotGroup,
  sender: Sender,
  { id, data }: { readonly id: string; readonly data: string },
): Promise<Press | undefined> {
  const match = /^ack:(\d{1,19})$/.exec(data);
  const alert = match ? await findAlert(tx, BigInt(match[1]!)) : undefined;
  if (!alert || !takes(group, alert)) return undefined;
  const name = `${sender.name} (${group.title})`.slice(0, 128);
  const { acknowledgedName } = await acknowledgeIn(tx, platform, alert.id, { userId: null, name, ip: null });
  return { id, text: botText(group.locale, 'acknowledgedBy', { name: acknowledgedName! }) };
}

async function countUnknown(
  platform: Platform,
  tx: Tx,
  bot: Bot,
  chat: { readonly id: bigint; readonly title: string },
): Promise<void> {
  const now = platform.clock.now();
  await tx.query(sql`
    insert into bot_unknown_chats (id, bot, chat_id, title, count, first_at, last_at)
    values (${platform.ids.next()}, ${bot}, ${chat.id}, ${chat.title.slice(0, 128)}, 1, ${now}, ${now})
    on conflict (bot, chat_id) do update set count = bot_unknown_chats.count + 1, title = excluded.title, last_at = ${now}`);
}

async function countSender(platform: Platform, tx: Tx, group: BotGroup, { id, name }: Sender): Promise<void> {
  const now = platform.clock.now();
  await tx.query(sql`
    insert into bot_unknown_senders (id, group_id, sender_id, name, count, first_at, last_at)
    values (${platform.ids.next()}, ${group.id}, ${id}, ${name.slice(0, 128)}, 1, ${now}, ${now})
    on conflict (group_id, sender_id) do update
      set count = bot_unknown_senders.count + 1, name = excluded.name, last_at = ${now}`);
}
