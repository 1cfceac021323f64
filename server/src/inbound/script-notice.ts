import type { WebhookAnswer, WebhookCall } from '../http/route.ts';
import { directionOf } from '../order-numbers/numbers.ts';
import { checkAnswerOf } from '../channels/script/script-payouts.ts';
import { archivedPayout } from '../payout/archived.ts';
import { readPayout } from '../payout/read.ts';
import { attemptOf } from '../payout/dispatch.ts';
import { applyGatewayStatus } from '../payout/gateway-webhook.ts';
import type { Platform } from '../platform/platform.ts';
import { callScript } from '../channels/scripts/call-script.ts';
import { NOTIFIED, type Standing } from '../channels/scripts/shapes.ts';
import { creditHosted } from './hosted-watch.ts';
import { isNoticeMark } from '../channels/script/notice-address.ts';

const WELL = 'success';

/**
 * Takes a notice of a gateway that a pay script speaks to. The account's script says whether the notice is genuine, which order it is about
 * and how that order stands. A notice that says what is known already changes nothing. A notice that cannot be read is answered with an
 * error, so that the gateway sends it again.
 */
export async function takeScriptNotice(platform: Platform, call: WebhookCall): Promise<WebhookAnswer> {
  const { account = '', mark = '' } = call.params;
  const accountId = /^\d{1,18}$/.test(account) ? BigInt(account) : 0n;
  if (!isNoticeMark(platform, accountId, mark)) return { status: 404, body: {} };
  const called = await callScript(platform, {
    accountId,
    function: 'parseNotify',
    orderId: null,
    input: {
      method: call.method,
      query: call.query,
      headers: call.headers,
      body: call.body.toString('utf8'),
    },
    output: NOTIFIED,
  });
  if ('error' in called) {
    platform.log.warn({ accountId: account, reason: called.error }, 'a notice could not be read');
    return { status: 500, body: 'fail' };
  }
  const { output } = called;
  if ('refused' in output) {
    platform.log.warn({ accountId: account, reason: output.refused, ip: call.ip }, 'webhook refused');
    return { status: 401, body: 'fail' };
  }
  const isKnown = 'ignored' in output || (await apply(platform, accountId, output.orderCode, output));
  return isKnown ? { status: 200, body: output.answer ?? WELL } : { status: 404, body: 'fail' };
}

/** Applies the notice to its order. False: the order is not, and was not, one of the account's. */
async function apply(
  platform: Platform,
  accountId: bigint,
  orderCode: string,
  standing: Standing,
): Promise<boolean> {
  const named = attemptOf(orderCode);
  if (!named) return false;
  if ((await directionOf(platform.db, named.id)) === 'in')
    return creditHosted(platform, accountId, named.id, 'notice', standing);
  const payout = (await readPayout(platform.db, named.id)) ?? (await archivedPayout(platform.db, named.id));
  if (!payout) return false;
  const answer = checkAnswerOf(standing, payout.currency);
  const { outcome } = await applyGatewayStatus(platform, accountId, {
    key: orderCode,
    reference: standing.reference ?? null,
    amount: answer.state === 'processed' ? (answer.amount ?? null) : null,
    answer,
    event: standing.state,
  });
  return outcome !== 'unknownPayout';
}
