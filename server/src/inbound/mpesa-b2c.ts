import { z } from 'zod';
import { parseJson } from '../channels/gateway/wire.ts';
import { listedValue, resultCode } from '../channels/mpesa/daraja.ts';
import type { CheckAnswer } from '../channels/payout-channel.ts';
import type { WebhookAnswer, WebhookCall } from '../http/route.ts';
import { isPaidAsOrdered, recordGatewayStatus } from '../payout/ask-gateways.ts';
import { noteArchived } from '../payout/archived.ts';
import { notifyFailedAfterAll, notifyPaidElsewhere } from '../payout/contradicted.ts';
import { attemptOf } from '../payout/dispatch.ts';
import { isEarlierAttempt } from '../payout/gateway-webhook.ts';
import { readPayout } from '../payout/read.ts';
import type { Platform } from '../platform/platform.ts';
import { centsOf } from './mpesa-c2b.ts';
import { isMpesa } from '../channels/mpesa/paths.ts';
import { keepResult } from '../channels/mpesa/results.ts';

const parameter = z.object({ Key: z.string(), Value: listedValue });
const result = z.object({
  Result: z.object({
    ResultCode: resultCode,
    ResultDesc: z.string().max(500).nullish(),
    TransactionID: z.string().max(40).nullish(),
    ResultParameters: z
      .object({ ResultParameter: z.union([z.array(parameter), parameter.transform((one) => [one])]) })
      .nullish(),
  }),
});

const ACCEPTED: WebhookAnswer = { status: 200, body: { ResultCode: 0, ResultDesc: 'Accepted' } };
const RECEIPT = /^[A-Z0-9]{10}$/;

/** Takes M-Pesa's report about a payout: how it ended ('result'), or its state now ('status'). A time-out says nothing. */
export async function takeB2cWord(
  platform: Platform,
  call: WebhookCall,
  kind: 'result' | 'status' | 'timeout',
): Promise<WebhookAnswer> {
  const { params, body } = call;
  const account = BigInt(/^\d{1,18}$/.test(params['account'] ?? '') ? params['account']! : 0);
  const key = params['key'] ?? '';
  const named = attemptOf(key);
  if (!named || !isMpesa(platform, { account, key }, call)) return { status: 404, body: {} };
  if (kind === 'timeout') return ACCEPTED;
  const told = result.safeParse(parseJson(body.toString('utf8'))).data?.Result;
  if (!told) return { status: 400, body: {} };
  const values = new Map(
    (told.ResultParameters?.ResultParameter ?? []).map(({ Key, Value }) => [Key, Value]),
  );
  const answer = kind === 'result' ? resultWord(told, values) : statusWord(told, values);
  if (answer.state === 'unknown') return ACCEPTED;
  const order = await readPayout(platform.db, named.id);
  if (!order && answer.state !== 'processing') await noteArchived(platform, named.id, answer);
  const isEarlier = order && isEarlierAttempt(order, named.attempt);
  if (!order || (!isEarlier && order.accountId !== account)) return ACCEPTED;
  const amount = centsOf(values.get('TransactionAmount') ?? values.get('Amount'));
  await keepResult(platform, key, answer, amount);
  const word = answer.state === 'processed' ? { ...answer, amount } : answer;
  if (word.state === 'processed' && !isPaidAsOrdered(order, word))
    platform.log.error({ orderId: String(order.id), told: String(amount) }, 'M-Pesa names another amount');
  const isTaken = await recordGatewayStatus(platform, named, word);
  if (!isTaken && answer.state === 'processed') {
    const isPresent = !isEarlier && named.attempt === order.attempt;
    await notifyPaidElsewhere(platform, named, { isPresent, utr: answer.utr, amount });
  }
  // Unlike other gateways M-Pesa takes nothing back: of two results that contradict each other people find out which is true.
  if (!isTaken && answer.state === 'failed') await notifyFailedAfterAll(platform, named, answer.reason);
  return ACCEPTED;
}

function resultWord(
  told: z.infer<typeof result>['Result'],
  values: ReadonlyMap<string, string>,
): CheckAnswer {
  if (told.ResultCode !== 0) return { state: 'failed', reason: told.ResultDesc ?? `code ${told.ResultCode}` };
  const receipt = values.get('TransactionReceipt') ?? told.TransactionID ?? '';
  return { state: 'processed', utr: RECEIPT.test(receipt) ? receipt : null };
}

/** A question that fails says nothing about the payout. */
function statusWord(
  told: z.infer<typeof result>['Result'],
  values: ReadonlyMap<string, string>,
): CheckAnswer {
  if (told.ResultCode !== 0) return { state: 'unknown' };
  const [status, receipt] = [values.get('TransactionStatus')?.toLowerCase(), values.get('ReceiptNo') ?? ''];
  if (status === 'completed') return { state: 'processed', utr: RECEIPT.test(receipt) ? receipt : null };
  if (status === 'failed' || status === 'declined' || status === 'cancelled')
    return { state: 'failed', reason: `M-Pesa: ${status}` };
  return status === undefined ? { state: 'unknown' } : { state: 'processing' };
}
