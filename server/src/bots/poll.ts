import type { Bot } from '@sangam/contract/bots.ts';
import type { Api } from 'grammy';
import type { Update } from 'grammy/types';
import { DAY, SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { leased } from '../platform/db/lease.ts';
import { publicBase } from '../platform/public-base.ts';
import type { Platform } from '../platform/platform.ts';
import { receiveUpdate } from './receive.ts';
import { apiOf, failureOf, webhookSecret } from './telegram.ts';

/** How many seconds Telegram holds a question without updates. A node that stops waits this long at most. */
const LONG_POLL = 2;
const MOST_UPDATES = 100;
const KINDS = ['message', 'callback_query'] as const;
/** Telegram keeps updates for a day, so older numbers cannot come again. */
const UPDATES_KEPT = 2 * DAY;
/**
 * After a week without updates Telegram begins with any number (https://core.telegram.org/bots/api#update). Before that, we ask for all that
 * it keeps; `bot_updates` knows the repeated ones.
 */
const NUMBERS_FOLLOW = 6 * DAY;
const WAIT_AFTER_FAILURE = 5 * SECOND;

/** Gets updates for one bot, on one node at a time. False when another node does it or the bot is off. */
export async function listen(platform: Platform, bot: Bot): Promise<boolean> {
  const api = await apiOf(platform, bot);
  if (!api) return false;
  return leased(platform, `bots.poll.${bot}`, async () => {
    const now = platform.clock.now();
    try {
      if (platform.config.telegramWebhook) await keepWebhook(platform, bot, api);
      else await poll(platform, bot, api);
      await noteState(platform, bot, null);
      return platform.config.telegramWebhook
        ? new Date(now.getTime() + WAIT_AFTER_FAILURE)
        : platform.clock.now();
    } catch (error) {
      const failure = failureOf(error);
      await noteState(platform, bot, failure.reason);
      const wait = failure.kind === 'wait' ? failure.seconds * SECOND : WAIT_AFTER_FAILURE;
      return new Date(platform.clock.now().getTime() + wait);
    }
  });
}

async function poll(platform: Platform, bot: Bot, api: Api): Promise<void> {
  const state = await stateOf(platform, bot, api);
  if (!state.username || state.webhookUrl !== null) await introduce(platform, bot, api);
  const follows =
    state.updatedAt && state.updatedAt > new Date(platform.clock.now().getTime() - NUMBERS_FOLLOW);
  const updates = await api.getUpdates({
    ...(follows ? { offset: Number(state.updateId) + 1 } : {}),
    limit: MOST_UPDATES,
    timeout: LONG_POLL,
    allowed_updates: [...KINDS],
  });
  for (const update of updates) await take(platform, bot, api, update);
}

interface BotState {
  readonly updateId: bigint;
  /** When the last update came. */
  readonly updatedAt: Date | null;
  readonly username: string | null;
  readonly webhookUrl: string | null;
}

/** What is known of the bot. Where the token is another bot's, everything begins anew. */
async function stateOf(platform: Platform, bot: Bot, api: Api): Promise<BotState> {
  const telegramId = BigInt(api.token.split(':')[0]!);
  return platform.db.tx(async (tx) => {
    const changed = await tx.query(sql`
      update bot_states set username = null, webhook_url = null, updated_at = null
      where bot = ${bot} and telegram_id <> ${telegramId} returning 1`);
    if (changed.length > 0) await tx.query(sql`delete from bot_updates where bot = ${bot}`);
    const [state] = await tx.query<BotState>(sql`
      insert into bot_states (bot, telegram_id) values (${bot}, ${telegramId})
      on conflict (bot) do update set telegram_id = excluded.telegram_id
      returning update_id as "updateId", updated_at as "updatedAt", username, webhook_url as "webhookUrl"`);
    return state!;
  });
}

/** Reads the bot's name, and removes a webhook, because Telegram refuses to be asked while there is one. */
async function introduce(platform: Platform, bot: Bot, api: Api): Promise<void> {
  const { username } = await api.getMe();
  await api.deleteWebhook();
  await platform.db.query(sql`
    insert into bot_states (bot, username) values (${bot}, ${username})
    on conflict (bot) do update set username = excluded.username, webhook_url = null`);
}

/** Tells Telegram where to send updates, once for each address. */
async function keepWebhook(platform: Platform, bot: Bot, api: Api): Promise<void> {
  const url = `${await publicBase(platform)}/v1.0/telegram/${bot}`;
  if ((await stateOf(platform, bot, api)).webhookUrl === url) return;
  const { username } = await api.getMe();
  await api.setWebhook(url, { secret_token: webhookSecret(platform, bot), allowed_updates: [...KINDS] });
  await platform.db.query(sql`
    insert into bot_states (bot, username, webhook_url) values (${bot}, ${username}, ${url})
    on conflict (bot) do update set username = excluded.username, webhook_url = excluded.webhook_url`);
}

/** Works on an update, and answers the press of a button. That answer is only a courtesy; nothing depends on it. */
export async function take(platform: Platform, bot: Bot, api: Api, update: Update): Promise<void> {
  const press = await receiveUpdate(platform, bot, update);
  if (!press) return;
  await api
    .answerCallbackQuery(press.id, { text: press.text.slice(0, 200) })
    .catch((error: unknown) =>
      platform.log.warn({ bot, reason: failureOf(error).reason }, 'a press was not answered'),
    );
}

async function noteState(platform: Platform, bot: Bot, error: string | null): Promise<void> {
  const now = platform.clock.now();
  await platform.db.query(sql`
    insert into bot_states (bot, polled_at, last_error) values (${bot}, ${error === null ? now : null}, ${error})
    on conflict (bot) do update set polled_at = coalesce(excluded.polled_at, bot_states.polled_at), last_error = excluded.last_error`);
}

/** Deletes rows that no longer matter. */
export async function sweepBots(platform: Platform): Promise<void> {
  const now = platform.clock.now().getTime();
  await platform.db.query(sql`delete from bot_updates where received_at < ${new Date(now - UPDATES_KEPT)}`);
}
