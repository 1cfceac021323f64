import {
  cancelOrder,
  createOrder,
  queryMerchantBalance,
  queryOrder,
  queryUtr,
  uploadPicture,
} from '@sangam/contract/endpoints/outside.ts';
import { merchantAmountFactor } from '@sangam/contract/money.ts';
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { payeeAccounts } from '../accounts/load.ts';
import { cancelByMerchant as cancelCollection } from '../collection/cancel.ts';
import { createForPayers, type CreatedOrder, type NewOrder } from '../collection/create.ts';
import { payParamsOf, payUrlOf } from '../collection/pay-params.ts';
import { gather } from '../platform/db/gather.ts';
import { perPlatform } from '../platform/node-state.ts';
import { comeAgainIn } from '../http/call-rates.ts';
import { merchantRoute, type Caller, type Route } from '../http/route.ts';
import { ownerBalances } from '../ledger/balances.ts';
import { cancelByMerchant as cancelPayout } from '../payout/cancel.ts';
import { createPayouts, type NewPayout } from '../payout/create.ts';
import { reportByPicture } from '../evidence/matching/told-by-picture.ts';
import type { Platform } from '../platform/platform.ts';
import { productsById } from '../terms/products/products.ts';
import { hostedUrlOf, isHostedRefused, openHostedPage, withHostedPage } from '../collection/hosted-page.ts';
import { payoutsClaimedBy } from '../payout/claimed-references.ts';
import { ordersNamedBy } from '../order-numbers/claim.ts';
import { addressOf } from '../traffic/address.ts';
import { noteCaller } from '../traffic/callers.ts';
import { isRefusal, refuse, type Refusal, wrongInput } from '../platform/refusal.ts';
import { findById, findOrder, toApiOrder } from './on-merchant-api.ts';

const BATCH = 128;
/** Two batches at the same time choose the same least-used accounts and wait for each other's locks (measured: 0.68 against 0.72). */
const IN_FLIGHT = 1;
/**
 * How many orders of one merchant a transaction takes while another merchant asks too. 128 take about 40 ms, and whoever comes waits for the
 * rest of one transaction and for its own.
 */
const AT_ONCE = 16;
/** How many orders of one merchant may wait on a node: some seconds of work. Further ones are answered 429 at once. */
const MOST_WAITING = 2_000;

/** One gatherer per node and direction. Creates at the same time share a transaction, and merchants take turns. */
const creators = perPlatform((platform) => {
  const fair = {
    between: ({ merchantId }: { readonly merchantId: bigint }) => merchantId,
    atOnce: AT_ONCE,
    most: MOST_WAITING,
    full: comeAgainIn(1),
  };
  const limits = { batch: BATCH, inFlight: IN_FLIGHT, fair };
  return {
    collection: gather((inputs: readonly NewOrder[]) => createForPayers(platform, inputs), limits),
    payout: gather((inputs: readonly NewPayout[]) => createPayouts(platform, inputs), limits),
    /** Receiving accounts of orders that existed before the call. */
    payee: gather(
      async (accountIds: readonly bigint[]) => {
        const accounts = await payeeAccounts(platform.db, [...new Set(accountIds)]);
        return accountIds.map((id) => accounts.get(id));
      },
      { batch: 256, inFlight: 2 },
    ),
  };
});

type Input = z.output<typeof createOrder.input>;
type Answer = z.input<typeof createOrder.output> | Refusal;

async function createCollection(
  platform: Platform,
  merchantId: bigint,
  input: Input,
  amountMinor: bigint,
  caller: Caller,
): Promise<Answer> {
  noteCaller(platform, merchantId, caller.ip);
  const { collection, payee } = creators(platform);
  const answered = await collection({
    merchantId,
    mchOrderNo: input.mchOrderNo,
    productId: Number(input.productId),
    amount: amountMinor,
    notifyUrl: input.notifyUrl,
    returnUrl: input.returnUrl || null,
    subject: input.subject || null,
    body: input.body || null,
    // In one spelling, because addresses are counted and searched by it.
    clientIp: input.clientIp ? (addressOf(input.clientIp) ?? input.clientIp) : null,
    userName: input.validateUserName || input.userName || null,
    param1: input.param1 || null,
    param2: input.param2 || null,
    callerIp: caller.ip,
  });
  const created = isRefusal(answered) ? await asExisting(platform, merchantId, answered) : answered;
  if (isRefusal(created)) return created;
  const { order } = created;
  const account = created.payee ?? (order.accountId === null ? undefined : await payee(order.accountId));
  const product = (await productsById(platform)).get(order.productId)!;
  const payParams = payParamsOf(order, product.channel, account);
  const hosted =
    product.channel === 'gateway'
      ? created.payee
        ? await openHostedPage(platform, order)
        : (await isHostedRefused(platform.db, order))
          ? 'refused'
          : { url: await hostedUrlOf(platform.db, order) }
      : undefined;
  if (!payParams || hosted === 'refused')
    return refuse('noAccountAvailable', {}, { orderCode: String(order.id) });
  return {
    orderCode: String(order.id),
    payUrl: await payUrlOf(platform, order),
    payParams: withHostedPage(payParams, hosted?.url)!,
  };
}

/**
 * A repeated call for an archived order answers that order. Answered 1103, the merchant would take another number and make a second order.
 */
async function asExisting(
  platform: Platform,
  merchantId: bigint,
  refusal: Refusal,
): Promise<CreatedOrder | Refusal> {
  const { archived } = (refusal.data ?? {}) as { readonly archived?: string };
  const left = archived === undefined ? undefined : await findById(platform, merchantId, BigInt(archived));
  return left?.direction === 'in' ? { order: left.order, payee: undefined } : refusal;
}

async function createPayout(
  platform: Platform,
  merchantId: bigint,
  input: Input,
  amountMinor: bigint,
  caller: Caller,
): Promise<Answer> {
  const order = await creators(platform).payout({
    merchantId,
    mchOrderNo: input.mchOrderNo,
    productId: Number(input.productId),
    amount: amountMinor,
    payee: {
      userName: input.userName || input.validateUserName,
      cardNumber: input.cardNumber,
      ifscCode: input.ifscCode,
      bankName: input.bankName,
      accountType: input.accountType,
      vpa: input.vpa,
      address: input.address,
      phone: input.phone,
    },
    notifyUrl: input.notifyUrl,
    clientIp: input.clientIp || null,
    param1: input.param1 || null,
    param2: input.param2 || null,
    callerIp: caller.ip,
  });
  if (!isRefusal(order)) return { orderCode: String(order.id) };
  // An archived payout is answered as well: after 1103 the merchant would take another number, and the payee would be paid twice.
  const { archived } = (order.data ?? {}) as { readonly archived?: string };
  return archived === undefined ? order : { orderCode: archived };
}

/** Signed calls of merchants about orders of both directions. */
export const merchantApiRoutes: readonly Route[] = [
  merchantRoute(createOrder, async (platform, merchant, input, caller) => {
    const product = (await productsById(platform)).get(Number(input.productId));
    if (!product) return refuse('productNotEnabled');
    // The merchant API has its own unit; everywhere else amounts are minor units.
    const amountMinor = BigInt(input.amount) * merchantAmountFactor(product.currency);
    const create = product.direction === 'out' ? createPayout : createCollection;
    return create(platform, merchant.id, input, amountMinor, caller);
  }),

  merchantRoute(queryOrder, async (platform, merchant, input) => {
    const found = await findOrder(platform, merchant.id, input);
    return found ? toApiOrder(found) : refuse('notFound');
  }),

  merchantRoute(queryUtr, async (platform, merchant, input) => {
    const named = await Promise.all([
      ordersNamedBy(platform.db, input.utr),
      payoutsClaimedBy(platform.db, input.utr),
    ]);
    for (const orderId of named.flat()) {
      const found = await findById(platform, merchant.id, orderId);
      if (found) return toApiOrder(found);
    }
    return refuse('notFound');
  }),

  merchantRoute(queryMerchantBalance, async (platform, merchant) => {
    const rows = (await ownerBalances(platform.db, 'merchant', [merchant.id]))(merchant.id);
    const balances = [...Map.groupBy(rows, (row) => row.currency)].map(([currency, ofCurrency]) => {
      const unit = merchantAmountFactor(currency);
      const balanceOf = (bucket: string) =>
        Number(BigInt(ofCurrency.find((row) => row.bucket === bucket)?.balance ?? 0) / unit);
      return { currency, available: balanceOf('available'), frozen: balanceOf('frozen') };
    });
    return { mchId: String(merchant.id), balances };
  }),

  merchantRoute(uploadPicture, async (platform, merchant, input, caller) => {
    if (!merchant.file) return wrongInput('file');
    const { bytes } = merchant.file;
    const hash = createHash('sha256').update(bytes).digest('hex');
    if (input.fileHash === undefined ? merchant.signType !== 'md5' : input.fileHash !== hash)
      return wrongInput('fileHash');
    const found = await findOrder(platform, merchant.id, input);
    if (found?.direction !== 'in') return refuse('notFound');
    const actor = { kind: 'merchant', id: merchant.id, ip: caller.ip } as const;
    const told = await reportByPicture(platform, found.order.id, { bytes, utr: input.utr }, actor);
    return isRefusal(told) ? told : { orderCode: String(found.order.id), ...told };
  }),

  merchantRoute(cancelOrder, async (platform, merchant, input, caller) => {
    // Who reads an MD5 call could send it again with another order's number only, but this one at any later time.
    if (!merchant.mayCancel) return refuse('forbidden', {}, { reason: 'cancelByMd5' });
    const found = await findOrder(platform, merchant.id, input);
    if (!found) return refuse('notFound');
    const by = { id: merchant.id, ip: caller.ip };
    const cancelled =
      found.direction === 'in'
        ? await cancelCollection(platform, by, found.order.id)
        : await cancelPayout(platform, by, found.order.id);
    if (isRefusal(cancelled)) return cancelled;
    const ended = await findById(platform, merchant.id, found.order.id);
    return ended ? toApiOrder(ended) : refuse('notFound');
  }),
];
