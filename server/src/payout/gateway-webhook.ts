import { gatewayAccess } from '../accounts/paying-gateway.ts';
import type { WebhookReading } from '../channels/gateway/gateway.ts';
import type { Gateways } from '../channels/gateway/gateway-channel.ts';
import { builtInGateways } from '../channels/payout-channels.ts';
import { sql } from '../platform/db/database.ts';
import type { WebhookAnswer, WebhookCall } from '../http/route.ts';
import type { Platform } from '../platform/platform.ts';
import { noteArchived } from './archived.ts';
import { recordGatewayStatus } from './ask-gateways.ts';
import { notifyPaidElsewhere } from './contradicted.ts';
import { attemptOf } from './dispatch.ts';
import type { PayoutOrder } from './order.ts';
import { takenBackByGateway } from './reverse.ts';
import { noteReference, readPayouts } from './store.ts';

/** A gateway's status of a payout. Null fields: the gateway does not say. */
type PayoutWord = Pick<Extract<WebhookReading, { kind: 'payout' }>, 'key' | 'answer' | 'event'> & {
  readonly reference: string | null;
  readonly amount: bigint | null;
};
/** What became of an event. A payout whose event had no effect is still asked about by `askGateways`. */
type Outcome =
  | 'taken'
  | 'takenBack'
  | 'held'
  | 'noEffect'
  | 'unknownPayout'
  | 'amountDiffers'
  | 'archived'
  | 'notOfPayouts';

/**
 * Handles a gateway's webhook event. Signature (by the account's secret) and age are checked. Each event is worked on once, or again if the
 * node died during it. An event only moves a payout forward, so events may come twice and in any order. After any answer but 2xx the
 * gateway sends the event again.
 */
export async function takeGatewayEvent(
  platform: Platform,
  call: WebhookCall,
  gateways: Gateways = builtInGateways(platform.config),
): Promise<WebhookAnswer> {
  const accountId = /^\d{1,18}$/.test(call.params['account'] ?? '') ? BigInt(call.params['account']!) : 0n;
  const access = await gatewayAccess(platform, accountId);
  // The gateway of a pay script sends its events to another address.
  if (!access || access.provider === 'script') return { status: 404, body: { status: 'unknown account' } };
  const reading = gateways[access.provider].readWebhook(access, call, platform.clock.now());
  if (reading.kind === 'refused') {
    platform.log.warn(
      { accountId: String(accountId), reason: reading.reason, ip: call.ip },
      'webhook refused',
    );
    return { status: reading.reason === 'signature' ? 401 : 400, body: { status: reading.reason } };
  }
  if (await isDone(platform, accountId, reading)) return { status: 200, body: { status: 'known' } };
  const { outcome, orderId } =
    reading.kind === 'payout'
      ? await applyGatewayStatus(platform, accountId, reading)
      : { outcome: 'notOfPayouts' as const, orderId: null };
  await platform.db.query(sql`
    update gateway_events set outcome = ${outcome}, order_id = ${orderId}
    where account_id = ${accountId} and event_id = ${reading.eventId}`);
  return { status: 200, body: { status: 'ok' } };
}

/** Counts the delivery of an event; true when the event's effect was written down before. */
async function isDone(
  platform: Platform,
  accountId: bigint,
  reading: Exclude<WebhookReading, { kind: 'refused' }>,
): Promise<boolean> {
  const reference = reading.kind === 'payout' ? reading.reference : null;
  const [row] = await platform.db.query<{ outcome: string | null }>(sql`
    insert into gateway_events as e (account_id, event_id, event, reference, received_at)
    values (${accountId}, ${reading.eventId}, ${reading.event}, ${reference}, ${platform.clock.now()})
    on conflict (account_id, event_id) do update set told = e.told + 1 returning outcome`);
  return row!.outcome !== null;
}

/** Applies a gateway's status to a payout of the account. The caller has checked that it comes from the gateway. */
export async function applyGatewayStatus(
  platform: Platform,
  accountId: bigint,
  { key, reference, amount, answer, event }: PayoutWord,
): Promise<{ readonly outcome: Outcome; readonly orderId: bigint | null }> {
  const named = key === null ? undefined : attemptOf(key);
  const [order] = named ? await readPayouts(platform.db, [named.id]) : [];
  if (named && !order && (await noteArchived(platform, named.id, answer)))
    return { outcome: 'archived', orderId: named.id };
  const isEarlier = named && order && isEarlierAttempt(order, named.attempt);
  if (!named || !order || (!isEarlier && order.accountId !== accountId))
    return { outcome: 'unknownPayout', orderId: null };
  const done = (outcome: Outcome) => ({ outcome, orderId: order.id });
  const about = { orderId: String(order.id), event, reference };
  const isWhole = amount === null || amount === order.amount;
  if (!isWhole) platform.log.error({ ...about, told: String(amount) }, 'a gateway names another amount');
  // 'Processed' matters whatever the amount: the gateway has paid something.
  if (!isWhole && answer.state !== 'processed') return done('amountDiffers');
  if (isEarlier || named.attempt !== order.attempt) {
    if (isEarlier && answer.state === 'processed')
      await reportPaid(platform, named, { isPresent: false, utr: answer.utr }, about);
    return done('noEffect');
  }
  if (reference !== null) await noteReference(platform.db, named, reference);
  const word = answer.state === 'processed' && !isWhole ? { ...answer, amount } : answer;
  if (await recordGatewayStatus(platform, named, word)) return done(isWhole ? 'taken' : 'amountDiffers');
  return done(await afterItsEnd(platform, named, word, about));
}

/**
 * Whether the attempt is over: a later attempt began, a supplier claimed the payout, or it waits. The payout no longer has its account
 * then.
 */
export function isEarlierAttempt(order: PayoutOrder, attempt: number): boolean {
  const isOver = order.supplierId !== null || order.accountId === null;
  return attempt >= 1 && (attempt < order.attempt || (attempt === order.attempt && isOver));
}

/** Applies a final status to a payout that is not open: 'failed' may reverse a completed payout, 'processed' may be a contradiction. */
async function afterItsEnd(
  platform: Platform,
  named: Pick<PayoutOrder, 'id' | 'attempt'>,
  answer: PayoutWord['answer'],
  about: object,
): Promise<Outcome> {
  if (answer.state === 'failed') return takenBackByGateway(platform, named, answer.reason);
  if (answer.state === 'processed')
    await reportPaid(platform, named, { isPresent: true, utr: answer.utr, amount: answer.amount }, about);
  return 'noEffect';
}

async function reportPaid(
  platform: Platform,
  named: Pick<PayoutOrder, 'id' | 'attempt'>,
  said: Parameters<typeof notifyPaidElsewhere>[2],
  about: object,
): Promise<void> {
  if (await notifyPaidElsewhere(platform, named, said))
    platform.log.error(about, 'a gateway paid what is not open');
}
