import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Platform } from '../platform/platform.ts';
import { ipRules } from '../access/ip-rules/ip-rules.ts';
import { type RememberedSessions, secondTokenProblem, viewerOfSession } from '../access/open-session.ts';
import { type Refusal, isRefusal, refuse } from '../platform/refusal.ts';
import { isStaff, type Viewer } from '../platform/viewer.ts';
import { accessProblem } from '../access/access-problem.ts';
import { checkStepUp } from '../access/passkeys/step-up.ts';
import { hashToken } from '../access/secret-token.ts';
import { noteCaller } from '../http/access-log.ts';
import { readJson } from '../http/body.ts';
import { duringCall } from '../platform/audit/call.ts';
import { isCrossSite, isFromBrowser, sessionCookie } from '../http/browser.ts';
import { isThisMachine, stopFloods } from '../http/call-rates.ts';
import { callerOf, headerOf, send } from '../http/caller.ts';
import { fairTurns } from '../http/fair-turns.ts';
import { inTurn } from '../http/in-turn.ts';
import { createLetIn } from '../http/let-in.ts';
import { sourceOf } from '../platform/net/source.ts';
import { perPlatform } from '../platform/node-state.ts';
import { sendTable, TableFile } from '../http/table-file.ts';
import { refusalAnswer, successAnswer } from '../http/envelope.ts';
import type { Caller, PublicRoute, ViewerRoute } from '../http/route.ts';
import { parseInput, shapeOutput } from '../http/validate.ts';

/** How many characters of a browser's name the audit keeps. */
const LONGEST_DEVICE = 300;

/**
 * Users' calls that a node works on at once. They share its eight database connections with the bank's messages and the sweeps. Without
 * this limit, a supplier's robot with a thousand claims at once left no connection for others, and the node did not recover while the robot
 * tried again. A screen makes about ten calls when it opens; a browser sends six at once.
 */
const userTurns = perPlatform(() => fairTurns({ atOnce: 12, ofOne: 6, waiting: 200, waitingInAll: 1_000 }));

/**
 * Payers' calls have their own turns. A payment page that waits for the bank's message asks again every few seconds. With all connections,
 * such calls kept the messages from coming in, and so kept the pages asking. Three at once were too few (simulation).
 */
const payerTurns = perPlatform(() => fairTurns({ atOnce: 12, ofOne: 2, waiting: 20, waitingInAll: 400 }));

/** Sign-in and similar calls. A flood of guesses must not delay users who are signed in. */
const doorTurns = perPlatform(() => fairTurns({ atOnce: 6, ofOne: 3, waiting: 50, waitingInAll: 400 }));

/** Registers calls of signed-in users and of the public: JSON in, envelope out; the HTTP status follows the code. */
export function registerConsole(
  scope: FastifyInstance,
  platform: Platform,
  routes: readonly (ViewerRoute | PublicRoute)[],
  remembered: RememberedSessions,
): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, readJson(body));
    } catch (error) {
      done(error as Error);
    }
  });
  for (const route of routes) {
    scope.route({
      method: route.endpoint.method,
      url: route.endpoint.path,
      // A caller without a session is limited by address.
      ...(route.kind === 'public' && {
        onRequest: stopFloods(platform, route.endpoint.payer ? 'payPage' : 'signIn'),
      }),
      ...(route.endpoint.largestBody !== undefined && { bodyLimit: route.endpoint.largestBody }),
      handler: async (request, reply) => {
        const caller = callerOf(platform, request, reply);
        const result = await inTurn(
          turnsOf(platform, route),
          whoAsks(platform, route, request, caller),
          reply,
          () => answer(platform, route, request, caller, remembered),
        );
        if (result instanceof TableFile) return sendTable(reply, result);
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

/** Hashes of the tokens of sessions that this node has let in. */
const sessionsLetIn = perPlatform(createLetIn);

const keyOf = (token: string): string => hashToken(token).toString('hex');

/**
 * Under which key a call waits for its turn: its payment page (one address of a mobile network may hold thousands), its session, or its
 * address. A session counts once it was let in. Otherwise a stranger would be somebody new with each token that it makes up. Calls from this
 * machine are believed: a call through a proxy carries the address of its real caller.
 */
function whoAsks(
  platform: Platform,
  { endpoint }: ViewerRoute | PublicRoute,
  request: FastifyRequest,
  { ip }: Caller,
): string {
  const { token: page } = request.params as { readonly token?: string };
  if (endpoint.payer) return page ?? ip;
  const token = headerOf(request, 'token');
  const isKnown = (session: string) => isThisMachine(ip) || sessionsLetIn(platform).has(keyOf(session));
  return token !== undefined && isKnown(token) ? token : sourceOf(ip);
}

const turnsOf = (platform: Platform, { kind, endpoint }: ViewerRoute | PublicRoute) =>
  (endpoint.payer ? payerTurns : kind === 'public' ? doorTurns : userTurns)(platform);

async function answer(
  platform: Platform,
  route: ViewerRoute | PublicRoute,
  request: FastifyRequest,
  caller: Caller,
  remembered: RememberedSessions,
): Promise<unknown> {
  if (isCrossSite(request)) return refuse('forbidden');
  if (route.endpoint.payer && !(await ipRules(platform).lets('payPage', caller.ip)))
    return refuse('ipNotAllowed');
  const viewer =
    route.kind === 'viewer' ? await admit(platform, route, request, caller, remembered) : undefined;
  if (isRefusal(viewer)) return viewer;
  const input = parseInput(route.endpoint, inputOf(route, request), caller.locale);
  if ('refusal' in input) return input.refusal;
  const call = {
    device: caller.userAgent.slice(0, LONGEST_DEVICE),
    ...(viewer && { role: viewer.role, sessionId: viewer.sessionId }),
    ...(viewer?.seenBy && { seenBy: viewer.seenBy }),
  };
  const result = await duringCall(call, () =>
    route.kind === 'viewer'
      ? route.handle(platform, viewer!, input.value as never, caller)
      : route.handle(platform, input.value as never, caller),
  );
  return viewer && isRefusal(result) ? toldTo(viewer, result) : result;
}

/** Merchants and suppliers are not told that a freeze is the reason of a refusal (docs/domain.md#freeze-and-legal-hold). */
function toldTo(viewer: Viewer, refusal: Refusal): Refusal {
  const { reason } = (refusal.data ?? {}) as { readonly reason?: unknown };
  return reason === 'frozen' && !isStaff(viewer) ? refuse(refusal.code) : refusal;
}

/** Checks session, role, and passkey or second-level password, in this order and before the input is read. */
async function admit(
  platform: Platform,
  route: ViewerRoute,
  request: FastifyRequest,
  caller: Caller,
  remembered: RememberedSessions,
): Promise<Viewer | Refusal> {
  const claim = {
    token: headerOf(request, 'token'),
    cookie: sessionCookie(request, platform.config.isProduction),
    needsCookie: isFromBrowser(request),
    ip: caller.ip,
    locale: caller.locale,
    byHand: !route.endpoint.polled && headerOf(request, 'unattended') === undefined,
  };
  const session = await viewerOfSession(platform, claim, route.endpoint.polled ? remembered : undefined);
  if (isRefusal(session)) return session;
  sessionsLetIn(platform).note(keyOf(claim.token!));
  noteCaller(request, `user:${session.row.ownerId}`);
  const denied = accessProblem(route.endpoint, session);
  if (denied) return denied;
  const proven =
    route.endpoint.stepUp &&
    (await checkStepUp(
      platform,
      session.viewer,
      route.endpoint,
      inputOf(route, request),
      headerOf(request, 'passkey'),
    ));
  if (isRefusal(proven)) return proven;
  if (proven !== 'proven' && route.endpoint.sensitive && (await platform.settings.all()).EnablePayPassword) {
    const problem = secondTokenProblem(session, headerOf(request, 'token2'), platform.clock.now());
    if (problem) return problem;
  }
  return session.viewer;
}

/**
 * The input: the query of a GET, or the body of a POST (with its query where the endpoint says so), and the path parameters. A body that is
 * not an object is left for zod to refuse.
 */
function inputOf({ endpoint }: ViewerRoute | PublicRoute, request: FastifyRequest): unknown {
  const params = request.params as Record<string, string>;
  const query = request.query as object;
  if (request.method !== 'POST') return { ...query, ...params };
  const body = request.body ?? {};
  if (typeof body !== 'object' || Array.isArray(body)) return body;
  return { ...(endpoint.inQuery ? query : {}), ...body, ...params };
}
