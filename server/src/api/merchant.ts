import { CODES } from '@sangam/contract/codes.ts';
import { createOrder } from '@sangam/contract/endpoints/outside.ts';
import { callLine } from '@sangam/contract/sign-types.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ipRules } from '../access/ip-rules/ip-rules.ts';
import { merchantLimits } from '../access/limits/limits.ts';
import { isNewTest } from '../collection/test-orders.ts';
import { signedMerchant, statedMerchant } from '../parties/merchants/signed-merchant.ts';
import { perPlatform } from '../platform/node-state.ts';
import type { Platform } from '../platform/platform.ts';
import { productsById } from '../terms/products/products.ts';
import { isRefusal, refuse } from '../platform/refusal.ts';
import { serviceSuspended } from '../platform/service-suspended.ts';
import { noteCaller } from '../http/access-log.ts';
import { type Multipart, readFormFields, readMultipart, readRawFields } from '../http/body.ts';
import { callerOf, send } from '../http/caller.ts';
import { type Answer, refusalAnswer, successAnswer } from '../http/envelope.ts';
import { failureAnswer } from '../http/failure.ts';
import { knownCallers } from '../http/known-callers.ts';
import type { Caller, MerchantRoute } from '../http/route.ts';
import { parseInput, shapeOutput } from '../http/validate.ts';
import { letConsoleCreate } from './create-cors.ts';

const BODY_LIMIT = 64 * 1024;
/** A picture of 512 KiB or a file of 500 rows, plus the other fields. */
const FILE_LIMIT = (512 + 16) * 1024;
const VERSION = '/v1.0';

/** Wrong signatures are counted by merchant and address: one server may call for many merchants, and one of them may have a wrong secret. */
const knownMerchants = perPlatform((platform) => knownCallers(platform, 'merchantMisses'));

/** Signed calls of merchants: JSON or form in, the envelope and the API's flat fields out, HTTP 200. */
export function registerMerchant(
  scope: FastifyInstance,
  platform: Platform,
  routes: readonly MerchantRoute[],
): void {
  letConsoleCreate(scope, platform);
  scope.removeAllContentTypeParsers();
  const readers = { 'application/json': readRawFields, 'application/x-www-form-urlencoded': readFormFields };
  for (const [type, read] of Object.entries(readers)) {
    scope.addContentTypeParser<string>(
      type,
      { parseAs: 'string', bodyLimit: BODY_LIMIT },
      (_request, body, done) => {
        try {
          done(null, read(body));
        } catch (error) {
          done(error as Error);
        }
      },
    );
  }
  scope.addContentTypeParser<Buffer>(
    'multipart/form-data',
    { parseAs: 'buffer' },
    (request: FastifyRequest, body: Buffer) => readMultipart(body, request.headers['content-type'] ?? ''),
  );
  scope.setErrorHandler((error: Parameters<typeof failureAnswer>[0], request, reply) =>
    send(reply, withFlatFields(failureAnswer(error, request))),
  );
  for (const route of routes) {
    const { method, path } = route.endpoint;
    // Older clients of this API omit the version.
    for (const url of [path, path.slice(VERSION.length)]) {
      scope.route({
        method,
        url,
        bodyLimit: route.endpoint.file === undefined ? BODY_LIMIT : FILE_LIMIT,
        handler: async (request, reply) => {
          const caller = callerOf(platform, request, reply);
          const result = await answer(platform, route, request, caller);
          const envelope = isRefusal(result)
            ? refusalAnswer(result, caller.locale)
            : successAnswer(shapeOutput(route.endpoint, result), caller.locale);
          return send(reply, withFlatFields({ ...envelope, status: 200 }));
        },
      });
    }
  }
}

async function answer(
  platform: Platform,
  route: MerchantRoute,
  request: FastifyRequest,
  caller: Caller,
): Promise<unknown> {
  const { fields, file } = bodyOf(request);
  const stated = String(statedMerchant(fields));
  const merchant = await knownMerchants(platform).admit(
    { ip: caller.ip, caller: stated, counted: `${stated} ` },
    () => signedMerchant(platform, fields, callLine(route.endpoint)),
  );
  if (isRefusal(merchant)) return merchant;
  noteCaller(request, `merchant:${merchant.id}`);
  if (!(await ipRules(platform).lets('merchantApi', caller.ip, { merchantId: merchant.id })))
    return refuse('ipNotAllowed');
  const about = await directionOf(platform, route, fields['productId']);
  // An operator's browser creates a test order. A payout with its number stays refused.
  const isOwnTest =
    route.endpoint.path === createOrder.path &&
    about === 'payIn' &&
    (await isNewTest(platform, merchant.id, fields['mchOrderNo']));
  const problem = await merchantLimits(platform).callProblem({
    merchantId: merchant.id,
    about,
    ip: caller.ip,
    signType: merchant.signType,
    isOwnTest,
  });
  if (problem) return problem;
  const creates = /\/create(Batch)?$/.test(route.endpoint.path);
  const closed = creates && (await serviceSuspended(platform));
  if (closed) return closed;
  const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
  const input = parseInput(route.endpoint, present, caller.locale);
  return 'refusal' in input
    ? input.refusal
    : route.handle(platform, { ...merchant, file }, input.value as never, caller);
}

function bodyOf(request: FastifyRequest): Multipart {
  const isMultipart = request.headers['content-type']?.startsWith('multipart/') === true;
  if (isMultipart) return request.body as Multipart;
  return { fields: (request.body ?? {}) as Multipart['fields'], file: undefined };
}

/** The direction of the rate limit: that of the named product, or payout for batch payouts. Other calls name no product: any. */
async function directionOf(platform: Platform, route: MerchantRoute, productId: string | undefined) {
  if (route.endpoint.path.endsWith('/createBatch')) return 'payout';
  const product = productId === undefined ? undefined : (await productsById(platform)).get(Number(productId));
  if (!product) return 'any';
  return product.direction === 'in' ? 'payIn' : 'payout';
}

/** Clients of this API read these fields beside the envelope. */
function withFlatFields(answer: Answer): Answer {
  const { body } = answer;
  const data = (typeof body.data === 'object' && body.data !== null ? body.data : {}) as Record<
    string,
    unknown
  >;
  const flat = {
    retCode: body.code === CODES.ok.code ? 'SUCCESS' : 'FAIL',
    retMsg: body.msg,
    payOrderId: data['orderCode'],
    payUrl: data['payUrl'],
    payParams: data['payParams'],
  };
  return { status: answer.status, body: { ...body, ...flat } };
}
