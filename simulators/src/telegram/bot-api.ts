import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message or edit from a bot, as the chat shows it. */
export interface SentMessage {
  readonly chatId: number;
  readonly messageId: number;
  text: string;
  /** callback_data of the buttons. */
  buttons: readonly string[];
  /** For a document: its name and content. */
  readonly document?: { readonly name: string; readonly text: string };
  readonly at: number;
}

/** A call that Telegram accepted from a bot, in order. Rate limits are counted from these. */
export interface TakenCall {
  readonly method: string;
  readonly chatId: number | undefined;
  readonly at: number;
}

export interface SimulatedTelegram {
  readonly url: string;
  readonly messages: SentMessage[];
  readonly calls: TakenCall[];
  /** Answers to presses of buttons. */
  readonly answers: { readonly id: string; readonly text: string }[];
  /** A person writes in a chat. With `times` above 1, Telegram sends the update that often. */
  write(chat: Chat, from: Person, text: string, times?: number): number;
  /** A person presses a button under a message. */
  press(chat: Chat, from: Person, data: string, times?: number): number;
  /** The chat becomes a supergroup: its id changes, and calls to the old id get an error that says so. */
  migrate(chat: Chat, to: number): void;
  /** Every call fails until `on()`: connections are cut. */
  off(): void;
  on(): void;
  /** Updates get lower numbers from now on, as after a week without updates. */
  renumber(): void;
  /** The next calls are accepted, but their answers get lost. */
  loseAnswers(count: number): void;
  stop(): Promise<void>;
}

export interface Chat {
  readonly id: number;
  readonly title: string;
  /** Token of the one bot in the chat; absent: all bots are in it. */
  readonly token?: string;
}
export interface Person {
  readonly id: number;
  readonly username: string;
}

export interface TelegramOptions {
  /** 0: any free port. */
  readonly port: number;
  /** Milliseconds; a test passes the platform's clock, so that rate limits follow it. */
  readonly now?: () => number;
  /** Messages per minute in one chat, and per second in all chats, above which Telegram answers 429. */
  readonly perMinute?: number;
  readonly perSecond?: number;
}

interface Update {
  readonly update_id: number;
  readonly [field: string]: unknown;
}

interface Hook {
  readonly url: string;
  readonly secret: string;
}

interface BotSide {
  readonly updates: Update[];
  hook: Hook | undefined;
}

const WRITES = new Set(['sendMessage', 'sendDocument', 'editMessageText']);
const TOKEN = /^\/bot(\d+:[\w-]{5,})\/(\w+)$/;

/** The part of Telegram's Bot API that bots in groups use: its wire format, its limits and its failures. */
export function startTelegram(options: TelegramOptions): Promise<SimulatedTelegram> {
  const now = options.now ?? Date.now;
  const [perMinute, perSecond] = [options.perMinute ?? 20, options.perSecond ?? 30];
  const bots = new Map<string, BotSide>();
  const messages: SentMessage[] = [];
  const calls: TakenCall[] = [];
  const answers: { id: string; text: string }[] = [];
  const moved = new Map<number, number>();
  let isOff = false;
  let lost = 0;
  let nextUpdate = 1_000;
  let nextMessage = 1;

  const botOf = (token: string): BotSide => {
    const known = bots.get(token) ?? { updates: [], hook: undefined };
    bots.set(token, known);
    return known;
  };

  function tell({ token }: Chat, update: Record<string, unknown>, times: number): number {
    nextUpdate += 1;
    const full: Update = { update_id: nextUpdate, ...update };
    for (const bot of token === undefined ? bots.values() : [botOf(token)])
      for (let time = 0; time < times; time += 1) {
        if (bot.hook) void bring(bot.hook, full);
        else bot.updates.push(full);
      }
    return full.update_id;
  }

  /** Delivers an update to a webhook. An update that is not accepted is sent again. */
  async function bring(hook: Hook, update: Update, tries = 5): Promise<void> {
    const answer = await fetch(hook.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': hook.secret },
      body: JSON.stringify(update),
    }).catch(() => undefined);
    if (!answer?.ok && tries > 1) setTimeout(() => void bring(hook, update, tries - 1), 200).unref();
  }

  function limited(chatId: number): number | undefined {
    const at = now();
    const written = calls.filter((call) => WRITES.has(call.method) && call.at > at - 60_000);
    if (written.filter((call) => call.at > at - 1_000).length >= perSecond) return 1;
    const inChat = written.filter((call) => call.chatId === chatId);
    if (inChat.length < perMinute) return undefined;
    return Math.max(1, Math.ceil((inChat[0]!.at + 60_000 - at) / 1_000));
  }

  type Fields = Readonly<Record<string, unknown>>;
  type Answer = { readonly status: number; readonly body: object };
  const ok = (result: unknown): Answer => ({ status: 200, body: { ok: true, result } });
  const refused = (code: number, description: string, parameters?: object): Answer => ({
    status: code,
    body: { ok: false, error_code: code, description, ...(parameters && { parameters }) },
  });

  function write(method: string, fields: Fields): Answer {
    const chatId = Number(fields['chat_id']);
    const to = moved.get(chatId);
    if (to !== undefined)
      return refused(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: to,
      });
    const wait = limited(chatId);
    if (wait !== undefined)
      return refused(429, `Too Many Requests: retry after ${wait}`, { retry_after: wait });
    const markup = (
      typeof fields['reply_markup'] === 'string'
        ? JSON.parse(fields['reply_markup'])
        : (fields['reply_markup'] ?? {})
    ) as { inline_keyboard?: { callback_data: string }[][] };
    const buttons = (markup.inline_keyboard ?? []).flat().map((button) => button.callback_data);
    const text = textOf(fields['text'] ?? fields['caption']);
    if (method !== 'sendDocument' && (text === '' || text.length > 4096))
      return refused(400, 'Bad Request: message is empty or too long');
    calls.push({ method, chatId, at: now() });
    if (method === 'editMessageText') {
      const shown = messages.find(
        (each) => each.chatId === chatId && each.messageId === Number(fields['message_id']),
      );
      if (!shown) return refused(400, 'Bad Request: message to edit not found');
      if (shown.text === text && shown.buttons.join() === buttons.join())
        return refused(400, 'Bad Request: message is not modified');
      Object.assign(shown, { text, buttons });
      return ok({ message_id: shown.messageId, chat: { id: chatId } });
    }
    const message = { chatId, messageId: nextMessage, text, buttons, at: now() };
    nextMessage += 1;
    const document = fields['document'] as SentMessage['document'];
    messages.push(document ? { ...message, document } : message);
    return ok({
      message_id: message.messageId,
      chat: { id: chatId, type: 'group' },
      date: Math.floor(now() / 1_000),
      text,
    });
  }

  async function call(token: string, method: string, fields: Fields): Promise<Answer> {
    const bot = botOf(token);
    if (WRITES.has(method)) return write(method, fields);
    switch (method) {
      case 'getMe':
        return ok({ id: 1, is_bot: true, first_name: 'Sangam', username: 'sangam_bot' });
      case 'getUpdates': {
        if (bot.hook) return refused(409, 'Conflict: can’t use getUpdates method while webhook is active');
        const offset = Number(fields['offset'] ?? 0);
        // Updates are sent again until they are acknowledged, repeated ones too.
        const kept = bot.updates.filter(({ update_id }) => update_id >= offset);
        bot.updates.splice(0, bot.updates.length, ...kept);
        if (kept.length === 0)
          await new Promise((resolve) =>
            setTimeout(resolve, Math.min(200, Number(fields['timeout'] ?? 0) * 1_000)),
          );
        return ok(kept.slice(0, Number(fields['limit'] ?? 100)));
      }
      case 'setWebhook':
        bot.hook = { url: textOf(fields['url']), secret: textOf(fields['secret_token']) };
        for (const update of bot.updates.splice(0)) void bring(bot.hook, update);
        return ok(true);
      case 'deleteWebhook':
        bot.hook = undefined;
        return ok(true);
      case 'answerCallbackQuery':
        answers.push({ id: textOf(fields['callback_query_id']), text: textOf(fields['text']) });
        return ok(true);
      default:
        return refused(404, 'Not Found: method not found');
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    if (isOff) {
      request.socket.destroy();
      return;
    }
    const [, token, method] = TOKEN.exec(request.url ?? '') ?? [];
    const answer =
      token === undefined || method === undefined
        ? refused(401, 'Unauthorized')
        : await call(token, method, fieldsOf(request.headers['content-type'] ?? '', body));
    if (lost > 0 && method !== undefined && WRITES.has(method)) {
      lost -= 1;
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.body));
  }

  const server = createServer(
    (request, response) => void serve(request, response).catch(() => response.destroy()),
  );
  const chatOf = ({ id, title }: Chat) => ({ id: moved.get(id) ?? id, title, type: 'group' });
  const personOf = ({ id, username }: Person) => ({ id, username, first_name: username, is_bot: false });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', () =>
      resolve({
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        messages,
        calls,
        answers,
        write: (chat, from, text, times = 1) =>
          tell(
            chat,
            { message: { message_id: 1, chat: chatOf(chat), from: personOf(from), date: 0, text } },
            times,
          ),
        press: (chat, from, data, times = 1) =>
          tell(
            chat,
            {
              callback_query: {
                id: `press${nextUpdate}`,
                from: personOf(from),
                data,
                chat_instance: '1',
                message: { message_id: 1, chat: chatOf(chat), date: 0 },
              },
            },
            times,
          ),
        migrate: (chat, to) => void moved.set(chat.id, to),
        off: () => {
          isOff = true;
        },
        on: () => {
          isOff = false;
        },
        renumber: () => {
          nextUpdate -= 500;
        },
        loseAnswers: (count) => {
          lost = count;
        },
        stop: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      }),
    );
  });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Reads JSON, or the parts of a form with a file, as clients of the API send them. */
function fieldsOf(type: string, body: Buffer): Readonly<Record<string, unknown>> {
  if (!type.startsWith('multipart/form-data'))
    return body.length === 0 ? {} : (JSON.parse(body.toString('utf8')) as Record<string, unknown>);
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1] ?? '';
  const fields: Record<string, unknown> = {};
  for (const part of body.toString('utf8').split(`--${boundary}`)) {
    const [head = '', ...rest] = part.split('\r\n\r\n');
    const name = /name="?([^";\r\n]+)"?/.exec(head)?.[1];
    const file = /filename="?([^";\r\n]+)"?/.exec(head)?.[1];
    const text = rest.join('\r\n\r\n').replace(/\r\n$/, '');
    if (file !== undefined) fields['document'] = { name: file, text };
    else if (name !== undefined && name !== 'document') fields[name] = text;
  }
  return fields;
}
