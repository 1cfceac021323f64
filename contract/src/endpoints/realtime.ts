import { z } from 'zod';
import { MOST_CHANGED, REALTIME_PATH } from '../realtime.ts';
import { id, time } from '../fields.ts';

const command = z.object({
  requestId: z.string().max(64).describe('Comes back with the answer'),
  commandType: z
    .enum(['ack', 'heartbeat'])
    .describe('ack comes first, within 10 s; heartbeat says that the connection is alive'),
  data: z
    .object({
      key: z.string().max(64).optional().describe("ack's answer gives it; each heartbeat carries it"),
    })
    .nullish(),
  token: z.string().max(128).optional().describe('Session token of login'),
});

const event = z.discriminatedUnion('commandType', [
  z.object({
    commandType: z.literal('orderChanged'),
    data: z.object({
      direction: z.enum(['in', 'out']),
      orderCodes: z.array(id).max(MOST_CHANGED),
      more: z.boolean().describe('More orders changed than are named: ask the list again'),
    }),
  }),
  z.object({ commandType: z.literal('newOrder'), data: z.object({ orderCode: id, createTime: time }) }),
  z.object({ commandType: z.enum(['message', 'todo']), data: z.object({}) }),
  z.object({ commandType: z.literal('config'), data: z.object({ names: z.array(z.string()) }) }),
]);

const answered = z.object({
  code: z.int(),
  requestId: z.string(),
  msg: z.string(),
  data: z.unknown().optional(),
});

/**
 * The realtime channel as an entry of the contract. It is not an `Endpoint`, because a WebSocket carries messages, not one
 * input and one output.
 */
export const realtime = {
  method: 'WS',
  path: REALTIME_PATH,
  summary: 'Realtime channel of consoles: answers commands, and says what changed',
  access: 'anyUser',
  /** What a client sends. */
  command,
  /** What the server sends: an answer under the command's requestId, or an event under an empty one. */
  message: z.union([answered, answered.and(event)]),
} as const;
