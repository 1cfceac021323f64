import { randomUUID } from 'node:crypto';
import websocket, { type WebSocket } from '@fastify/websocket';
import { CODES, type CodeName } from '@sangam/contract/codes.ts';
import { realtime } from '@sangam/contract/endpoints/realtime.ts';
import { HEARTBEAT_MS, type RealtimeAnswer } from '@sangam/contract/realtime.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { SECOND } from '../platform/clock.ts';
import { viewerOfSession } from '../access/open-session.ts';
import { hashToken } from '../access/secret-token.ts';
import type { Platform } from '../platform/platform.ts';
import type { Hub } from './realtime/hub.ts';
import { isRefusal } from '../platform/refusal.ts';
import { isCrossSite, isFromBrowser, sessionCookie } from '../http/browser.ts';
import { localeOf, send } from '../http/caller.ts';
import { plainAnswer } from '../http/envelope.ts';
import { messageOf } from '../http/messages.ts';

/** How long a connection may take to say who it is. */
const ACK_TIME = 10 * SECOND;
/** A browser answers pings by itself, however slow its timers run in the background. */
const MOST_MISSED_PINGS = 2;
/**
 * How many bytes may wait for a slow reader. Beyond it the connection is closed, and the console reads everything again when it is back.
 */
const MOST_WAITING_BYTES = 256 * 1024;
/** How many frames, commands and pings one connection may send between two heartbeats. */
const MOST_COMMANDS = 20;

/** The realtime channel. The answer to a console's command has the requestId of the command; an event has none. */
export async function registerRealtime(app: FastifyInstance, platform: Platform, hub: Hub): Promise<void> {
  await app.register(websocket, { options: { maxPayload: 4096 } });
  app.get(
    realtime.path,
    {
      websocket: true,
      preValidation: async (request, reply) => {
        if (isCrossSite(request) || isForeign(request)) {
          return send(reply, plainAnswer('forbidden', localeOf(request)));
        }
        return undefined;
      },
    },
    (socket, request) => serve(platform, hub, socket, request),
  );
}

/** Whether the socket was opened by a page of another site. Browsers name that page as the origin. */
function isForeign({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined && URL.parse(headers.origin)?.host !== headers.host;
}

function serve(platform: Platform, hub: Hub, socket: WebSocket, request: FastifyRequest): void {
  const locale = localeOf(request);
  let missedPings = 0;
  let commands = 0;
  let joined: { readonly token: string; readonly key: string; readonly leave: () => void } | undefined;

  const put = (text: string): void => {
    if (socket.bufferedAmount > MOST_WAITING_BYTES) socket.terminate();
    else if (socket.readyState === socket.OPEN) socket.send(text);
  };
  /** `field`: the field that 'invalidInput' names. */
  const answer = (requestId: string, code: CodeName, data?: unknown, field = 'commandType'): void => {
    const msg = messageOf(code, { fields: field }, locale);
    put(JSON.stringify({ code: CODES[code].code, requestId, data, msg } satisfies RealtimeAnswer));
  };
  const hangUp = (requestId: string, code: CodeName): void => {
    answer(requestId, code);
    socket.close(1008);
  };

  async function acknowledge(requestId: string, token: string | undefined, key: string): Promise<void> {
    hub.wake();
    const session = await viewerOfSession(platform, {
      token,
      cookie: sessionCookie(request, platform.config.isProduction),
      needsCookie: isFromBrowser(request),
      ip: request.ip,
      locale,
      byHand: false,
    });
    if (isRefusal(session)) return hangUp(requestId, session.code);
    if (session.stage === 'binding') return hangUp(requestId, 'mustBind');
    const end = (text: string): void => {
      put(text);
      socket.close(1008);
    };
    const leave = await hub.join(session, hashToken(token!), { send: put, end });
    // While the session was looked up, the other side may have left or asked twice.
    if (joined || socket.readyState !== socket.OPEN) return leave();
    joined = { token: token!, key, leave };
    return answer(requestId, 'ok', { key });
  }

  /** Counts a frame of any kind before it is read. False when there were too many; the connection is then closed. */
  const isWithinLimit = (): boolean => {
    commands += 1;
    if (commands === MOST_COMMANDS + 1) hangUp('', 'tooMany');
    // A caller that goes on sending after the close is cut off.
    if (commands > 2 * MOST_COMMANDS) socket.terminate();
    return commands <= MOST_COMMANDS;
  };
  socket.on('ping', () => void isWithinLimit());
  socket.on('message', (raw: Buffer) => {
    if (!isWithinLimit()) return undefined;
    const parsed = realtime.command.safeParse(jsonOf(raw));
    if (!parsed.success) return answer('', 'invalidInput');
    const { requestId } = parsed.data;
    const { commandType, token, data } = parsed.data;
    if (commandType === 'ack') {
      if (joined) return answer(requestId, 'conflict');
      const key = z.uuid().safeParse(data?.key).data ?? randomUUID();
      acknowledge(requestId, token, key).catch((error: unknown) => {
        platform.log.warn({ err: error }, 'realtime ack');
        hangUp(requestId, 'internal');
      });
      return undefined;
    }
    if (!joined || token !== joined.token) return hangUp(requestId, 'sessionExpired');
    return data?.key === joined.key
      ? answer(requestId, 'ok')
      : answer(requestId, 'invalidInput', undefined, 'data.key');
  });
  const late = setTimeout(() => joined ?? hangUp('', 'sessionExpired'), ACK_TIME);
  const beat = setInterval(() => {
    commands = 0;
    if (missedPings >= MOST_MISSED_PINGS) socket.terminate();
    missedPings += 1;
    socket.ping();
  }, HEARTBEAT_MS);
  socket.on('pong', () => {
    missedPings = 0;
  });
  // Any error of a connection ends it. There is nobody to tell.
  socket.on('error', () => socket.terminate());
  socket.on('close', () => {
    clearTimeout(late);
    clearInterval(beat);
    joined?.leave();
  });
}

function jsonOf(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return undefined;
  }
}
