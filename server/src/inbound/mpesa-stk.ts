import { DESK } from '@sangam/contract/endpoints/story.ts';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { z } from 'zod';
import { mpesaAccess, type MpesaAccess } from '../accounts/mpesa-access.ts';
import { parseJson } from '../channels/gateway/wire.ts';
import { type Daraja, listedValue, resultCode, type StkResult } from '../channels/mpesa/daraja.ts';
import { DAY, MINUTE, SECOND } from '../platform/clock.ts';
import { readOrder } from '../collection/read.ts';
import { type Queryable, sql } from '../platform/db/database.ts';
import type { WebhookAnswer, WebhookCall } from '../http/route.ts';
import { receiveCredits } from '../evidence/matching/receive-credits.ts';
import { notify } from '../inbox/notify.ts';
import type { Platform } from '../platform/platform.ts';
import { refuse, type Refusal } from '../platform/refusal.ts';
import { centsOf, kenyanTime, railAccount } from './mpesa-c2b.ts';
import { isMpesa, stkAddress } from '../channels/mpesa/paths.ts';

/** A request lives a minute on the phone. M-Pesa would refuse another one before that. */
const PUSH_EVERY = MINUTE;
const MOST_PUSHES = 5;
/** A request without a result for so long is asked about. */
const ASK_AFTER = 75 * SECOND;
/** After so long, M-Pesa no longer knows the request. */
const FORGOTTEN_AFTER = DAY;
/** SQL: requests without M-Pesa's name for them, because its answer is not here yet or was lost. M-Pesa can only be asked by that name. */
const UNNAMED = sql`result_code is null and checkout_id like order_id || '/%'`;

const callback = z.object({
  Body: z.object({
    stkCallback: z.object({
      CheckoutRequestID: z.string(),
      ResultCode: resultCode,
      ResultDesc: z.string().max(500).nullish(),
      CallbackMetadata: z
        .object({ Item: z.array(z.object({ Name: z.string(), Value: listedValue })) })
        .nullish(),
    }),
  }),
});

/**
 * Asks the payer's phone to pay an order, by the token of its page. 1201 if the order does not wait for money any more, 409 if the phone was asked just now or too often, or M-Pesa refuses. If
 * M-Pesa's answer is lost, the phone may ring all the same, so the request counts as made.
 */
export async function pushStk(
  platform: Platform,
  daraja: Daraja,
  { token, phone }: { readonly token: string; readonly phone: string },
): Promise<{ readonly state: 'asked' } | Refusal> {
  const orderId = platform.vault.orderOfPayToken(token);
  const order = orderId === undefined ? undefined : await readOrder(platform.db, orderId);
  if (!order) return refuse('notFound');
  const access = order.accountId === null ? undefined : await mpesaAccess(platform, order.accountId);
  if (order.status !== COLLECTION_STATUS.allocated || !access || access.passkey === undefined)
    return refuse('actionNotAllowed');
  const now = platform.clock.now();
  // Claimed before M-Pesa is called, so that two presses at once make one request.
  const claimId = `${order.id}/${now.getTime()}`;
  const problem = await platform.db.tx(async (tx) => {
    const waits = await tx.query(sql`
      select 1 from waiting_orders where order_id = ${order.id} and account_id = ${access.accountId} and not timed_out for update`);
    // The order was paid, ended or went to another account since it was read.
    if (waits.length === 0) return refuse('actionNotAllowed');
    const asked = await tx.query<{ askedAt: Date; resultCode: number | null }>(sql`
      select asked_at as "askedAt", result_code as "resultCode" from stk_pushes where order_id = ${order.id} order by asked_at desc`);
    const [last] = asked;
    const isOpen = last && last.resultCode === null && now.getTime() - last.askedAt.getTime() < PUSH_EVERY;
    if (isOpen || asked.length >= MOST_PUSHES) return refuse('conflict', {}, { reason: 'askedJustNow' });
    await tx.query(sql`
      insert into stk_pushes (checkout_id, order_id, account_id, asked_at)
      values (${claimId}, ${order.id}, ${access.accountId}, ${now})`);
    return undefined;
  });
  if (problem) return problem;
  const answer = await daraja
    .stkPush(access, {
      phone,
      amount: order.payable!,
      reference: order.identifyCode,
      callbackUrl: await stkAddress(platform, order.id),
    })
    .catch((error: unknown) => ({ unknown: error instanceof Error ? error.message : String(error) }));
  const outcome =
    'checkoutId' in answer
      ? sql`checkout_id = ${answer.checkoutId}`
      : 'refused' in answer
        ? sql`result_code = -1, result_text = ${answer.refused.slice(0, 200)}, ended_at = ${now}`
        : sql`result_text = ${answer.unknown.slice(0, 200)}`;
  await platform.db.query(sql`update stk_pushes set ${outcome} where checkout_id = ${claimId}`);
  return 'refused' in answer ? refuse('conflict', {}, { reason: 'notAsked' }) : { state: 'asked' };
}

/** Takes the result of a request. What was paid counts by its receipt number, which the payment's confirmation names too. */
export async function takeStkResult(platform: Platform, call: WebhookCall): Promise<WebhookAnswer> {
  const { params, body } = call;
  const orderId = BigInt(/^\d{1,19}$/.test(params['order'] ?? '') ? params['order']! : 0);
  if (!isMpesa(platform, { order: orderId }, call)) return { status: 404, body: {} };
  const told = callback.safeParse(parseJson(body.toString('utf8'))).data?.Body.stkCallback;
  if (!told) return { status: 400, body: {} };
  const accountId = await askedOn(platform, orderId, told.CheckoutRequestID);
  const items = new Map((told.CallbackMetadata?.Item ?? []).map(({ Name, Value }) => [Name, Value]));
  const [receipt, amount] = [items.get('MpesaReceiptNumber') ?? '', centsOf(items.get('Amount'))];
  const order = await readOrder(platform.db, orderId);
  const access = accountId === undefined ? undefined : await mpesaAccess(platform, accountId);
  const isPaid = told.ResultCode === 0;
  const isWhole = order && access && amount !== undefined && /^[A-Z0-9]{10}$/.test(receipt);
  if (isPaid && isWhole) {
    const at = items.get('TransactionDate') ?? '';
    await receiveCredits(platform, [
      {
        key: `mpesa/${receipt}`,
        kind: 'web',
        account: await railAccount(platform, access),
        sender: 'MPESA',
        text: `${receipt} Ksh${items.get('Amount')} ${order.identifyCode} ${items.get('PhoneNumber') ?? ''}`.trim(),
        amount,
        balance: null,
        reference: receipt,
        payer: null,
        at: /^\d{14}$/.test(at) ? kenyanTime(at) : platform.clock.now(),
        isExact: false,
      },
    ]);
  }
  // A request that is reported as paid, but cannot be booked, stays open: M-Pesa is asked about it, and the desk is notified.
  if (!isPaid || isWhole)
    await end(platform.db, platform.clock.now(), told.CheckoutRequestID, {
      code: told.ResultCode,
      text: told.ResultDesc ?? '',
    });
  return { status: 200, body: { ResultCode: 0, ResultDesc: 'Accepted' } };
}

/**
 * The account that a request asked to pay; the order may wait on another by now. A result may come before the answer that names the
 * request. Then it belongs to the order's newest request without a name, and names that one. Undefined if several accounts are possible:
 * the payment's confirmation names its account and books the money.
 */
async function askedOn(platform: Platform, orderId: bigint, checkoutId: string): Promise<bigint | undefined> {
  const asked = await platform.db.query<{ checkoutId: string; accountId: bigint }>(sql`
    select checkout_id as "checkoutId", account_id as "accountId" from stk_pushes
    where order_id = ${orderId}
      and (checkout_id = ${checkoutId} or (${UNNAMED}))
    order by asked_at desc`);
  const named = asked.find((push) => push.checkoutId === checkoutId);
  if (named) return named.accountId;
  const [newest] = asked;
  if (!newest || asked.some(({ accountId }) => accountId !== newest.accountId)) return undefined;
  await platform.db.query(
    sql`update stk_pushes set checkout_id = ${checkoutId} where checkout_id = ${newest.checkoutId}`,
  );
  return newest.accountId;
}

/** Ends a request. False if it had ended before. */
async function end(db: Queryable, at: Date, checkoutId: string, { code, text }: StkResult): Promise<boolean> {
  const ended = await db.query(sql`
    update stk_pushes set result_code = ${code}, result_text = ${text.slice(0, 200)}, ended_at = ${at}
    where checkout_id = ${checkoutId} and result_code is null returning 1`);
  return ended.length > 0;
}

/**
 * Ends a request by M-Pesa's answer to our question. The answer names no receipt. If the payment's confirmation has not completed the order
 * by now, it was lost: the desk is notified and looks for the money.
 */
async function endAsked(
  platform: Platform,
  { accountId, bank, shortCode }: MpesaAccess,
  { checkoutId, orderId }: { readonly checkoutId: string; readonly orderId: bigint },
  result: StkResult,
): Promise<void> {
  await platform.db.tx(async (tx) => {
    if (!(await end(tx, platform.clock.now(), checkoutId, result)) || result.code !== 0) return;
    const order = await readOrder(tx, orderId);
    if (order && order.received !== null && order.accountId === accountId) return;
    await notify(platform, tx, { roles: DESK }, 'paidUnreported', {
      order: String(orderId),
      account: `${bank} ${shortCode}`,
    });
  });
}

/**
 * Asks M-Pesa about requests without a result, and returns their number. In random order, and each by itself: requests of an account whose
 * keys M-Pesa refuses must not keep the others from being asked about.
 */
export async function askStk(platform: Platform, daraja: Daraja): Promise<number> {
  const now = platform.clock.now();
  const before = new Date(now.getTime() - ASK_AFTER);
  await platform.db.query(sql`
    update stk_pushes set result_code = -1, result_text = coalesce(result_text, 'no word'), ended_at = ${now}
    where result_code is null and asked_at <= ${new Date(now.getTime() - FORGOTTEN_AFTER)}`);
  const silent = await platform.db.query<{ checkoutId: string; orderId: bigint; accountId: bigint }>(sql`
    select checkout_id as "checkoutId", order_id as "orderId", account_id as "accountId" from stk_pushes
    where result_code is null and not (${UNNAMED}) and asked_at <= ${before} order by random() limit 8`);
  for (const push of silent) {
    try {
      const access = await mpesaAccess(platform, push.accountId);
      const result = access && (await daraja.stkResult(access, push.checkoutId));
      if (result) await endAsked(platform, access, push, result);
    } catch (error) {
      const of = { orderId: String(push.orderId), accountId: String(push.accountId) };
      platform.log.warn({ err: error, ...of }, 'M-Pesa was not asked about a request');
    }
  }
  return silent.length;
}
