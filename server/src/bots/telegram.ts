import type { Bot } from '@sangam/contract/bots.ts';
import { Api, GrammyError } from 'grammy';
import type { Platform } from '../platform/platform.ts';
import { openSetting } from '../platform/settings/secret.ts';

/** Seconds. Longer than a long poll. When a call gets no answer by then, Telegram may or may not have accepted it. */
const LIMIT = 40;

/** Telegram's API with the bot's token. Undefined without a token: the bot is off. */
export async function apiOf(platform: Platform, bot: Bot): Promise<Api | undefined> {
  const token = await openSetting(platform, bot === 'alert' ? 'BotToken' : 'TransferBotToken');
  if (token === '') return undefined;
  return new Api(token, { apiRoot: platform.config.telegramUrl, timeoutSeconds: LIMIT });
}

/** What a failed call means for the message. */
export type Failure =
  /** Telegram asks us to wait this many seconds. */
  | { readonly kind: 'wait'; readonly seconds: number; readonly reason: string }
  | { readonly kind: 'moved'; readonly to: bigint; readonly reason: string }
  /** The message already has this text. */
  | { readonly kind: 'same'; readonly reason: string }
  /** Telegram refused it: it was not sent. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** No answer: nobody knows whether it was sent. */
  | { readonly kind: 'unknown'; readonly reason: string };

export function failureOf(error: unknown): Failure {
  if (!(error instanceof GrammyError))
    return { kind: 'unknown', reason: error instanceof Error ? error.message.slice(0, 200) : 'no answer' };
  const { error_code: code, description, parameters } = error;
  const reason = `${code} ${description}`.slice(0, 200);
  if (parameters.migrate_to_chat_id !== undefined)
    return { kind: 'moved', to: BigInt(parameters.migrate_to_chat_id), reason };
  if (code === 429) return { kind: 'wait', seconds: parameters.retry_after ?? 5, reason };
  if (code === 400 && /not modified/i.test(description)) return { kind: 'same', reason };
  // Also 5xx: Telegram has a fault and did not do what was asked.
  return { kind: 'refused', reason };
}

/** The secret that Telegram sends with each update to our webhook. */
export const webhookSecret = (platform: Platform, bot: Bot): string =>
  platform.vault.hookMark(`telegram ${bot}`);
