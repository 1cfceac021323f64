import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ipRules } from '../access/ip-rules/ip-rules.ts';
import { signedMonitor } from '../evidence/monitors/signed-monitor.ts';
import { EVIDENCE } from '../platform/db/database.ts';
import { perPlatform } from '../platform/node-state.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse } from '../platform/refusal.ts';
import { readJson } from '../http/body.ts';
import { callRates, comeAgainIn, stopFloods } from '../http/call-rates.ts';
import { callerOf, headerOf, send } from '../http/caller.ts';
import { refusalAnswer, successAnswer } from '../http/envelope.ts';
import { fairTurns } from '../http/fair-turns.ts';
import { inTurn } from '../http/in-turn.ts';
import { knownCallers } from '../http/known-callers.ts';
import type { Caller, MonitorRoute } from '../http/route.ts';
import { parseInput, shapeOutput } from '../http/validate.ts';

const BODY_LIMIT = 1024 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * A phone whose report was not answered in time sends it again. The second one waits for the first and finds its messages known. With both
 * at work, each delayed the other, and an overloaded node did not recover.
 */
const monitorTurns = perPlatform(() =>
  fairTurns({ atOnce: EVIDENCE, ofOne: 1, waiting: 3, waitingInAll: 400 }),
);

/** Wrong signatures are counted by address: the phones of a supplier share it, and few phones share it with others. */
const knownPhones = perPlatform((platform) => knownCallers(platform, 'monitorMisses'));

/** Signed calls of monitors. The signature covers the raw bytes, so the body is parsed only after it is checked. */
export function registerMonitor(
  scope: FastifyInstance,
  platform: Platform,
  routes: readonly MonitorRoute[],
): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<Buffer>(
    '*',
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
    (_request, body, done) => {
      done(null, body);
    },
  );
  for (const route of routes) {
    scope.route({
      method: route.endpoint.method,
      url: route.endpoint.path,
      bodyLimit: BODY_LIMIT,
      onRequest: stopFloods(platform, 'monitors'),
      handler: async (request, reply) => {
        const caller = callerOf(platform, request, reply);
        const result = await answer(platform, route, request, caller, reply);
        return send(
          reply,
          isRefusal(result)
            ? refusalAnswer(result, caller.locale)
            : successAnswer(shapeOutput(route.endpoint, result), caller.locale),
        );
      },
    });
  }
}

async function answer(
  platform: Platform,
  route: MonitorRoute,
  request: FastifyRequest,
  caller: Caller,
  reply: FastifyReply,
): Promise<unknown> {
  // Checked before the sequence number, because a refused call must not use up a number.
  if (!(await ipRules(platform).lets('monitorApi', caller.ip))) return refuse('ipNotAllowed');
  const body = Buffer.isBuffer(request.body) ? request.body : NOTHING;
  const monitorId = headerOf(request, 'x-monitor-id');
  const monitor = await knownPhones(platform).admit(
    { ip: caller.ip, caller: monitorId ?? '', counted: '' },
    () =>
      signedMonitor(platform, {
        monitorId,
        timestamp: headerOf(request, 'x-monitor-timestamp'),
        sequence: headerOf(request, 'x-monitor-sequence'),
        signature: headerOf(request, 'x-monitor-signature'),
        body,
      }),
  );
  if (isRefusal(monitor)) return monitor;
  const seconds = callRates(platform).take('monitor', String(monitor.id));
  if (seconds > 0) return comeAgainIn(seconds);
  const given = request.method === 'POST' ? readJson(body.toString('utf8')) : request.query;
  const input = parseInput(route.endpoint, given, caller.locale);
  if ('refusal' in input) return input.refusal;
  return inTurn(monitorTurns(platform), String(monitor.id), reply, () =>
    route.handle(platform, monitor, input.value as never, caller),
  );
}
