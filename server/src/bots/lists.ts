import type { AlertKind } from '@sangam/contract/alerts.ts';
import type { Bot } from '@sangam/contract/bots.ts';
import type * as contract from '@sangam/contract/endpoints/bot.ts';
import { seesWhole } from '@sangam/contract/personal-data.ts';
import { businessDay, formatTime, parseTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { alertText } from '../inbox/alert-text.ts';
import { empty, type Sql, sql } from '../platform/db/database.ts';
import { type PageInput, readPage } from '../platform/db/page.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import { openSetting } from '../platform/settings/secret.ts';
import type { Viewer } from '../platform/viewer.ts';

const time = (moment: Date | null) => (moment ? formatTime(moment) : null);
/** A text that may name a payee. It has no form by which a part of it could be masked. */
const textFor = <Text extends string | null>(viewer: Viewer, text: Text): Text | '***' =>
  text === null || seesWhole(viewer, 'payee') ? text : '***';
const isBot = (column: Sql, bot: Bot | undefined) =>
  bot === undefined ? empty : sql`and ${column} = ${bot}`;

/** What strangers have in common: how often they wrote, and when. The table has the alias `k`. */
async function readUnknown<Own extends object>(
  platform: Platform,
  input: PageInput,
  columns: Sql,
  from: Sql,
) {
  type Row = Own & { id: bigint; bot: Bot; count: number; firstAt: Date; lastAt: Date };
  const page = await readPage<Row>(platform, input, {
    columns: sql`k.id, k.count, k.first_at as "firstAt", k.last_at as "lastAt", ${columns}`,
    from,
    key: sql`k.id`,
  });
  if (isRefusal(page)) return page;
  return {
    ...page,
    list: page.list.map(({ id, firstAt, lastAt, ...row }) => ({
      ...row,
      id: String(id),
      firstTime: formatTime(firstAt),
      lastTime: formatTime(lastAt),
    })),
  };
}

export const listUnknownChats = (
  platform: Platform,
  _viewer: Viewer,
  input: z.output<typeof contract.getUnknownChats.input>,
): Promise<z.input<typeof contract.getUnknownChats.output> | Refusal> =>
  readUnknown<{ chatId: string; title: string }>(
    platform,
    input,
    sql`k.bot, k.chat_id::text as "chatId", k.title`,
    sql`from bot_unknown_chats k where true ${isBot(sql`k.bot`, input.bot)}`,
  );

export const listUnknownSenders = (
  platform: Platform,
  _viewer: Viewer,
  input: z.output<typeof contract.getUnknownSenders.input>,
): Promise<z.input<typeof contract.getUnknownSenders.output> | Refusal> =>
  readUnknown<{ groupTitle: string; senderId: string; name: string }>(
    platform,
    input,
    sql`g.bot, g.title as "groupTitle", k.sender_id::text as "senderId", k.name`,
    sql`from bot_unknown_senders k join bot_groups g on g.id = k.group_id where true ${isBot(sql`g.bot`, input.bot)}`,
  );

interface MessageRow {
  readonly id: bigint;
  readonly bot: Bot;
  readonly groupTitle: string;
  readonly kind: 'alert' | 'reminder' | 'edit' | 'text' | 'fundRecord';
  readonly body: string | null;
  readonly alertKind: AlertKind | null;
  readonly subject: string | null;
  readonly data: Readonly<Record<string, string | number>> | null;
  readonly state: 'waiting' | 'sent' | 'dropped';
  readonly summedUp: boolean;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
}

export async function listMessages(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.getBotMessages.input>,
): Promise<z.input<typeof contract.getBotMessages.output> | Refusal> {
  const page = await readPage<MessageRow>(platform, input, {
    columns: sql`b.id, b.bot, g.title as "groupTitle", b.kind, b.body, a.kind as "alertKind", a.subject, a.data, b.state,
      b.is_summed as "summedUp", b.attempts, b.last_error as "lastError", b.created_at as "createdAt", b.sent_at as "sentAt"`,
    from: sql`
      from bot_messages b join bot_groups g on g.id = b.group_id left join alerts a on a.id = b.alert_id
      where true ${isBot(sql`b.bot`, input.bot)} ${input.state === undefined ? empty : sql`and b.state = ${input.state}`}
        ${input.groupId === undefined ? empty : sql`and b.group_id = ${input.groupId}::bigint`}`,
    key: sql`b.id`,
  });
  if (isRefusal(page)) return page;
  return {
    ...page,
    list: page.list.map(({ body, alertKind, subject, data, createdAt, sentAt, ...row }) => ({
      ...row,
      id: String(row.id),
      text:
        alertKind === null
          ? textFor(viewer, body ?? '')
          : alertText({ kind: alertKind, subject: subject ?? '', data: data ?? {} }, viewer.locale),
      createTime: formatTime(createdAt),
      sentTime: time(sentAt),
    })),
  };
}

type Instruction = z.input<typeof contract.getTransferInstructions.output>['list'][number];

export async function listInstructions(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.getTransferInstructions.input>,
): Promise<z.input<typeof contract.getTransferInstructions.output> | Refusal> {
  const page = await readPage<
    Omit<Instruction, 'id' | 'amount' | 'todoId'> & {
      id: bigint;
      amount: bigint | null;
      todoId: bigint | null;
      createdAt: Date;
      endedAt: Date | null;
    }
  >(platform, input, {
    columns: sql`t.id, g.title as "groupTitle", t.sender, t.text, t.amount, t.currency, t.payee, t.purpose, t.state,
      coalesce(t.second_todo_id, t.todo_id) as "todoId", t.created_at as "createdAt", t.ended_at as "endedAt"`,
    from: sql`
      from transfer_instructions t join bot_groups g on g.id = t.group_id
      where true ${input.state === undefined ? empty : sql`and t.state = ${input.state}`}`,
    key: sql`t.id`,
  });
  if (isRefusal(page)) return page;
  return {
    ...page,
    list: page.list.map(
      ({ id, groupTitle, sender, text, amount, currency, payee, purpose, state, ...row }) => ({
        id: String(id),
        groupTitle,
        sender,
        text: textFor(viewer, text),
        amount: amount === null ? null : Number(amount),
        currency,
        payee: textFor(viewer, payee),
        purpose: textFor(viewer, purpose),
        state,
        todoId: row.todoId === null ? null : String(row.todoId),
        createTime: formatTime(row.createdAt),
        endTime: time(row.endedAt),
      }),
    ),
  };
}

interface StateRow {
  readonly username: string | null;
  readonly polledAt: Date | null;
  readonly updatedAt: Date | null;
  readonly lastError: string | null;
  readonly groups: number;
  readonly waiting: number;
  readonly oldestAt: Date | null;
  readonly sentToday: number;
  readonly unknownToday: number;
}

/** The state of a bot. */
export async function botState(
  platform: Platform,
  bot: Bot,
): Promise<z.input<typeof contract.getBotState.output>> {
  const today = parseTime(businessDay(platform.clock.now()))!;
  const [row] = await platform.db.query<StateRow>(sql`
    select s.username, s.polled_at as "polledAt", s.updated_at as "updatedAt", s.last_error as "lastError",
      (select count(*)::int from bot_groups g where g.bot = b.bot and g.enabled) as groups,
      (select count(*)::int from bot_messages m where m.bot = b.bot and m.state = 'waiting') as waiting,
      (select min(m.created_at) from bot_messages m where m.bot = b.bot and m.state = 'waiting') as "oldestAt",
      (select count(*)::int from bot_messages m where m.bot = b.bot and m.state = 'sent' and m.sent_at >= ${today}) as "sentToday",
      (select count(*)::int from bot_unknown_chats c where c.bot = b.bot and c.last_at >= ${today}) as "unknownToday"
    from (select ${bot}::text as bot) b left join bot_states s on s.bot = b.bot`);
  const { polledAt, updatedAt, oldestAt, ...rest } = row!;
  return {
    ...rest,
    hasToken: (await openSetting(platform, bot === 'alert' ? 'BotToken' : 'TransferBotToken')) !== '',
    mode: platform.config.telegramWebhook ? 'webhook' : 'polling',
    lastPollTime: time(polledAt),
    lastUpdateTime: time(updatedAt),
    oldestWaitingTime: time(oldestAt),
  };
}
