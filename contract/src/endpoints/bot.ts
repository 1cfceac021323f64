import { z } from 'zod';
import { ALERT_KINDS } from '../alerts.ts';
import { BOT_MESSAGE_STATES, BOTS, MOST_A_MINUTE, TRANSFER_STATES } from '../bots.ts';
import { endpoint } from '../endpoint.ts';
import {
  booleanFilter,
  currency,
  filter,
  id,
  idFilter,
  listOf,
  minor,
  paging,
  text,
  time,
} from '../fields.ts';
import { LOCALES } from '../locale.ts';

const READERS = ['superAdmin', 'customerService', 'technicalMaintenance'] as const;
const bot = z.enum(BOTS);
/** Telegram's ids have up to 52 bits; ids of groups are negative. */
const chatId = z
  .string()
  .trim()
  .regex(/^-?\d{1,16}$/, '-1001234567890');
const minute = z.int().min(0).max(1439);

const group = {
  bot,
  chatId,
  title: text(128),
  /** Whose figures the group may ask for; null: nobody's. */
  ownerKind: z.enum(['merchant', 'supplier']).nullable(),
  ownerId: id.nullable(),
  /** The alerts that the group gets: those about its party where it has one, else those about everybody. */
  kinds: z.array(z.enum(ALERT_KINDS)).max(ALERT_KINDS.length),
  /** Telegram's ids of the people whose instructions count. Empty: everybody in the group, but never for a transfer. */
  senders: z.array(z.string().regex(/^\d{1,16}$/, '123456789')).max(100),
  perMinute: z.int().min(1).max(MOST_A_MINUTE),
  /** Minutes of the business day's clock between which only critical alerts are sent; both null: no quiet time. */
  quietFrom: minute.nullable(),
  quietTo: minute.nullable(),
  locale: z.enum(LOCALES),
  enabled: z.boolean(),
};

export const getBotGroups = endpoint({
  method: 'GET',
  path: '/v1.0/bot/getGroups',
  summary: 'Groups the bots speak to; all others get no answer',
  access: READERS,
  input: z.object({
    ...paging,
    bot: filter(bot),
    title: filter(z.string().trim().max(128)),
    enabled: booleanFilter,
  }),
  output: listOf(
    z.object({
      ...group,
      id,
      ownerName: z.string().nullable(),
      sentToday: z.int(),
      waiting: z.int(),
      lastError: z.string().nullable(),
      createTime: time,
    }),
  ),
});

export const saveBotGroup = endpoint({
  method: 'POST',
  path: '/v1.0/bot/saveGroup',
  summary: 'Put a group on the white list, or change one (id given)',
  access: ['superAdmin'],
  sensitive: true,
  input: z.object({ ...group, id: id.optional(), reason: text(256) }),
  output: z.object({ id }),
});

/** A group without a party and without alerts, in English: the start value for groups of the demo and the tests. */
export const PLAIN_GROUP: Omit<z.output<typeof saveBotGroup.input>, 'bot' | 'chatId' | 'title' | 'reason'> = {
  ownerKind: null,
  ownerId: null,
  kinds: [],
  senders: [],
  perMinute: MOST_A_MINUTE,
  quietFrom: null,
  quietTo: null,
  locale: 'en-US',
  enabled: true,
};

export const deleteBotGroup = endpoint({
  method: 'POST',
  path: '/v1.0/bot/deleteGroup',
  summary:
    'Take a group off the white list, one that is told of alerts once it is switched off; what waits for it is dropped',
  access: ['superAdmin'],
  sensitive: true,
  input: z.object({ id, reason: text(256) }),
  output: z.object({ id }),
});

export const getUnknownChats = endpoint({
  method: 'GET',
  path: '/v1.0/bot/getUnknownChats',
  summary: 'Chats that wrote to a bot and are not on the white list: they got no answer and were counted',
  access: READERS,
  input: z.object({ ...paging, bot: filter(bot) }),
  output: listOf(
    z.object({ id, bot, chatId, title: z.string(), count: z.int(), firstTime: time, lastTime: time }),
  ),
});

export const getUnknownSenders = endpoint({
  method: 'GET',
  path: '/v1.0/bot/getUnknownSenders',
  summary: 'People who wrote in a group and may not instruct its bot: they got no answer and were counted',
  access: READERS,
  input: z.object({ ...paging, bot: filter(bot) }),
  output: listOf(
    z.object({
      id,
      bot,
      groupTitle: z.string(),
      senderId: z.string(),
      name: z.string(),
      count: z.int(),
      firstTime: time,
      lastTime: time,
    }),
  ),
});

export const getBotState = endpoint({
  method: 'GET',
  path: '/v1.0/bot/getState',
  summary: 'How a bot is: its name at Telegram, when it was last heard of, what waits',
  access: READERS,
  input: z.object({ bot }),
  output: z.object({
    hasToken: z.boolean(),
    username: z.string().nullable(),
    /** How updates arrive. */
    mode: z.enum(['polling', 'webhook']),
    lastPollTime: time.nullable(),
    lastUpdateTime: time.nullable(),
    lastError: z.string().nullable(),
    groups: z.int(),
    waiting: z.int(),
    oldestWaitingTime: time.nullable(),
    sentToday: z.int(),
    unknownToday: z.int(),
  }),
});

export const getBotMessages = endpoint({
  method: 'GET',
  path: '/v1.0/bot/getMessages',
  summary: 'What a bot sent and has to send, newest first',
  access: READERS,
  input: z.object({
    ...paging,
    bot: filter(bot),
    groupId: idFilter,
    state: filter(z.enum(BOT_MESSAGE_STATES)),
  }),
  output: listOf(
    z.object({
      id,
      bot,
      groupTitle: z.string(),
      kind: z.enum(['alert', 'reminder', 'edit', 'text', 'fundRecord']),
      text: z.string(),
      state: z.enum(BOT_MESSAGE_STATES),
      /** It was sent in one message together with others. */
      summedUp: z.boolean(),
      attempts: z.int(),
      lastError: z.string().nullable(),
      createTime: time,
      sentTime: time.nullable(),
    }),
  ),
});

export const sendBotTest = endpoint({
  method: 'POST',
  path: '/v1.0/bot/sendTest',
  summary: 'Send a test message to a group of the white list',
  access: ['superAdmin'],
  input: z.object({ groupId: id }),
  output: z.object({ id }),
});

export const getTransferInstructions = endpoint({
  method: 'GET',
  path: '/v1.0/bot/getInstructions',
  summary: 'Instructions of transfers that groups gave, and what became of them',
  access: READERS,
  input: z.object({ ...paging, state: filter(z.enum(TRANSFER_STATES)) }),
  output: listOf(
    z.object({
      id,
      groupTitle: z.string(),
      sender: z.string(),
      text: z.string(),
      amount: minor.nullable(),
      currency: currency.nullable(),
      payee: z.string().nullable(),
      purpose: z.string().nullable(),
      state: z.enum(TRANSFER_STATES),
      /** The waiting request, or the last one. */
      todoId: id.nullable(),
      createTime: time,
      endTime: time.nullable(),
    }),
  ),
});

export const telegramWebhook = endpoint({
  method: 'POST',
  path: '/v1.0/telegram/:bot',
  summary: 'Updates of Telegram, with the secret it was given in X-Telegram-Bot-Api-Secret-Token',
  access: 'webhook',
  input: z.object({ bot }),
  output: z.object({ ok: z.literal(true) }),
});
