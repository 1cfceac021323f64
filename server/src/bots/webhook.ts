import { BOTS } from '@sangam/contract/bots.ts';
import type { Update } from 'grammy/types';
import { z } from 'zod';
import type { WebhookAnswer, WebhookCall } from '../http/route.ts';
import type { Platform } from '../platform/platform.ts';
import { take } from './poll.ts';
import { apiOf } from './telegram.ts';

const update = z.looseObject({ update_id: z.int() });

/**
 * Takes an update that Telegram sends. Without the right secret nothing is read. After a failure it answers 500, and Telegram sends the
 * update again.
 */
export async function takeWebhook(platform: Platform, call: WebhookCall): Promise<WebhookAnswer> {
  const bot = BOTS.find((each) => each === call.params['bot']);
  const secret = call.header('x-telegram-bot-api-secret-token') ?? '';
  if (!bot || !platform.vault.isHookMark(`telegram ${bot}`, secret))
    return { status: 403, body: { ok: false } };
  const api = await apiOf(platform, bot);
  const read = update.safeParse(parsed(call.body)).data;
  if (!api || !read) return { status: read ? 404 : 400, body: { ok: false } };
  await take(platform, bot, api, read as Update);
  return { status: 200, body: { ok: true } };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
