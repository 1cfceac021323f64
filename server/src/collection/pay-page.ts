import { MOST_PICTURES, type payPage } from '@sangam/contract/endpoints/outside.ts';
import type { DemoPaymentKind } from '@sangam/contract/demo-payments.ts';
import { SERVED_CHANNELS } from '@sangam/contract/account-kinds.ts';
import { COLLECTION_STATUS, ORDER_MARK } from '@sangam/contract/orders.ts';
import type { Channel } from '@sangam/contract/products.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { payeeAccounts } from '../accounts/load.ts';
import { pictureOf, pictureVersion } from '../accounts/qr-code.ts';
import { hot, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { productsById } from '../terms/products/products.ts';
import { hostedUrlOf, withHostedPage } from './hosted-page.ts';
import { addressOf } from '../traffic/address.ts';
import { frozenAddresses } from '../traffic/frozen.ts';
import { noteSeen } from '../traffic/visits.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import type { CollectionOrder } from './order.ts';
import { demoBank } from './demo-bank.ts';
import { markElsewhere } from './mark.ts';
import { needsName } from './payer-name.ts';
import { payParamsOf } from './pay-params.ts';
import { countPictures } from './picture-store.ts';
import { readOrders } from './store.ts';

type PayPage = z.input<typeof payPage.output>;

const PAY_STATES: Record<CollectionOrder['status'], PayPage['state']> = {
  0: 'preparing',
  1: 'waiting',
  2: 'timedOut',
  3: 'paid',
  4: 'paid',
  5: 'failed',
  6: 'paid',
};

/** A payment that was taken back shows no receipt any more. */
export const payStateOf = ({
  status,
  reversedAt,
}: Pick<CollectionOrder, 'status' | 'reversedAt'>): PayPage['state'] =>
  reversedAt ? 'reversed' : PAY_STATES[status];

/**
 * The payer's view of an order, found by the unguessable token of its page. A caller from a frozen address is not shown where
 * to pay (1107); the state of a paid order is shown to everybody.
 */
export async function readPayPage(platform: Platform, token: string, ip: string): Promise<PayPage | Refusal> {
  const orderId = platform.vault.orderOfPayToken(token);
  const [order] = orderId === undefined ? [] : await readOrders(platform.db, [orderId]);
  if (!order) return refuse('notFound');
  const closed = awaitsPayer(order) ? await closedTo(platform, ip) : undefined;
  if (closed) return closed;
  const settings = await platform.settings.all();
  const isElsewhere = awaitsPayer(order) && isOtherAddress(order.clientIp, ip);
  if (settings.EnableIpChangedCheck && isElsewhere && order.mark === ORDER_MARK.ordinary)
    await markElsewhere(platform, order, ip);
  const [products, accounts, qrVersion, pictures, merchants] = await Promise.all([
    productsById(platform),
    payeeAccounts(platform.db, order.accountId === null ? [] : [order.accountId]),
    awaitsPayer(order) ? pictureVersion(platform.db, order.accountId) : null,
    settings.AllowPictureQueryOrder ? countPictures(platform.db, order.id) : MOST_PICTURES,
    platform.db.query<{ name: string }>(
      hot('merchant name', sql`select name from merchants where id = ${order.merchantId}`),
    ),
  ]);
  const product = products.get(order.productId)!;
  const asksName = needsName(order, product.channel, settings);
  const account = order.accountId === null ? undefined : accounts.get(order.accountId);
  const hostedUrl = product.channel === 'gateway' ? await hostedUrlOf(platform.db, order) : undefined;
  const payParams =
    awaitsPayer(order) && !asksName
      ? (withHostedPage(payParamsOf(order, product.channel, account), hostedUrl) ?? null)
      : null;
  if (payParams) noteSeen(platform, order.id);
  const left = order.expiresAt ? order.expiresAt.getTime() - platform.clock.now().getTime() : 0;
  return {
    state: payStateOf(order),
    orderCode: String(order.id),
    productId: order.productId,
    channel: product.channel,
    merchantName: merchants[0]!.name,
    subject: order.subject,
    amount: Number(order.received ?? order.amount),
    currency: order.currency,
    payParams,
    remainingMs: order.status === COLLECTION_STATUS.allocated ? Math.max(0, left) : 0,
    submittedUtr: order.payerUtr,
    payTime: order.paidAt && formatTime(order.paidAt),
    returnUrl: order.returnUrl,
    contactInfo: settings.ContactInfo,
    qrVersion: showsPicture(product.channel) && !asksName ? qrVersion : null,
    needsName: asksName,
    takesPicture: pictures < MOST_PICTURES,
    demoBank: payParams !== null && showsPicture(product.channel) && demoBank(platform).pay !== undefined,
  };
}

/** 1107 for a caller from a frozen address, who is not helped to pay. */
export async function closedTo(platform: Platform, ip: string): Promise<Refusal | undefined> {
  return (await frozenAddresses(platform).isFrozen(ip))
    ? refuse('ipNotAllowed', {}, { reason: 'frozen' })
    : undefined;
}

/** The QR picture of the account an order waits on; 404 where there is none to show. */
export async function readPayPicture(
  platform: Platform,
  token: string,
  ip: string,
): Promise<{ readonly picture: string } | Refusal> {
  const orderId = platform.vault.orderOfPayToken(token);
  const [order] = orderId === undefined ? [] : await readOrders(platform.db, [orderId]);
  if (!order || !awaitsPayer(order)) return refuse('notFound');
  const closed = await closedTo(platform, ip);
  if (closed) return closed;
  const product = (await productsById(platform)).get(order.productId)!;
  const isShown =
    showsPicture(product.channel) && !needsName(order, product.channel, await platform.settings.all());
  const picture = isShown ? await pictureOf(platform.db, order.accountId) : undefined;
  return picture === undefined ? refuse('notFound') : { picture };
}

/** Has the demo's bank pay a waiting order. 404 where there is no demo bank, or where it cannot pay this order. */
export async function payInDemo(
  platform: Platform,
  token: string,
  how: DemoPaymentKind,
  ip: string,
): Promise<Record<string, never> | Refusal> {
  const { pay } = demoBank(platform);
  if (!pay) return refuse('notFound');
  const page = await readPayPage(platform, token, ip);
  if (isRefusal(page)) return page;
  if (!page.demoBank || !page.payParams) return refuse('notFound');
  const { payableAmount: amount, vpa, accountNumber } = page.payParams;
  pay({ how, amount, vpa, accountNumber });
  return {};
}

/** Whether the merchant named an address, and the caller has another. Both may be written in several ways. */
function isOtherAddress(named: string | null, ip: string): boolean {
  const address = named === null ? undefined : addressOf(named);
  return address !== undefined && address !== (addressOf(ip) ?? ip);
}

function awaitsPayer(order: CollectionOrder): order is CollectionOrder & { readonly accountId: bigint } {
  return order.status === COLLECTION_STATUS.allocated && order.accountId !== null;
}

/** Indian payers scan a picture. The QR code of a chain is drawn from the address alone. */
function showsPicture(channel: Channel): boolean {
  return SERVED_CHANNELS.bank.includes(channel);
}
