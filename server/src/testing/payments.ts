import type { NewOrder } from '../collection/create.ts';
import type { CollectionOrder } from '../collection/order.ts';
import type { SignedMonitor } from '../http/route.ts';
import { formatMinor } from '@sangam/contract/money.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { ReportedMessage } from '../evidence/matching/message.ts';
import { createOrders } from '../collection/create.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal } from '../platform/refusal.ts';
import { makeAccount, makeMerchant, makeMonitor, makeSupplier } from './world.ts';

/** One merchant, one supplier with one HDFC account and its monitor: enough to receive payments. */
export interface Shop {
  readonly merchantId: bigint;
  readonly supplierId: bigint;
  readonly accountId: bigint;
  readonly accountNumber: string;
  readonly monitor: SignedMonitor;
  readonly monitorSecret: string;
}

export async function makeShop(platform: Platform, deposit?: bigint): Promise<Shop> {
  const { merchantId } = await makeMerchant(platform);
  const { supplierId } = await makeSupplier(platform, deposit === undefined ? {} : { deposit });
  const { monitorId, secret } = await makeMonitor(platform, { supplierId });
  const { accountId, accountNumber } = await makeAccount(platform, {
    supplierId,
    monitorId,
    maxWaiting: 1000,
  });
  return {
    merchantId,
    supplierId,
    accountId,
    accountNumber,
    monitor: { id: monitorId, supplierId },
    monitorSecret: secret,
  };
}

/** Another account of the shop's phone with the same last digits, so that a message may be of either. `isOpen`: it takes orders. */
export async function makeTwin(
  platform: Platform,
  { monitor, supplierId, accountNumber }: Shop,
  isOpen = false,
): Promise<void> {
  const alike = `6${accountNumber.slice(1)}`;
  await makeAccount(platform, {
    supplierId,
    monitorId: monitor.id,
    accountNumber: alike,
    state: isOpen ? 0 : 1,
  });
}

let made = 0;

export function newOrder(merchantId: bigint, fields: Partial<NewOrder> = {}): NewOrder {
  made += 1;
  return {
    merchantId,
    mchOrderNo: `M${made}`,
    productId: 1010,
    amount: 500_00n,
    notifyUrl: 'http://127.0.0.1:9/notify',
    returnUrl: null,
    subject: null,
    body: null,
    clientIp: '10.0.0.1',
    userName: null,
    param1: null,
    param2: null,
    callerIp: '127.0.0.1',
    ...fields,
  };
}

/** Creates one order that must succeed. */
export async function createOne(
  platform: Platform,
  merchantId: bigint,
  fields: Partial<NewOrder> = {},
): Promise<CollectionOrder> {
  const [order] = await createOrders(platform, [newOrder(merchantId, fields)]);
  if (!order || isRefusal(order)) throw new Error(`order refused: ${JSON.stringify(order)}`);
  return order;
}

/** A reference like those of UPI, different in every call. */
export function newReference(): string {
  made += 1;
  return `6325${String(made).padStart(8, '0')}`;
}

/** HDFC's message about a UPI credit on the shop's account. */
export function creditSms(
  platform: Platform,
  shop: Shop,
  amount: bigint,
  fields: { readonly reference?: string; readonly messageId?: string; readonly receivedAt?: Date } = {},
): ReportedMessage {
  made += 1;
  const receivedAt = fields.receivedAt ?? platform.clock.now();
  const day = formatTime(receivedAt).slice(0, 10).split('-').reverse().join('-');
  const reference = fields.reference ?? newReference();
  return {
    messageId: fields.messageId ?? `sms-${made}`,
    kind: 'sms',
    sender: 'VM-HDFCBK-S',
    text: `Credit Alert! Rs.${formatMinor(amount, 'INR')} credited to HDFC Bank A/c XX${shop.accountNumber.slice(-4)} on ${day} from VPA payer@okbank (UPI ${reference})`,
    receivedAt,
    accountHint: undefined,
  };
}

/** The same payment in a wording without a reference. */
export function withoutReference(told: ReportedMessage): ReportedMessage {
  return { ...told, text: told.text.replace(/ \(UPI (Ref No )?\d+\)/, '') };
}

/** The same payment with an order's code in its remark. */
export function naming({ identifyCode }: CollectionOrder, told: ReportedMessage): ReportedMessage {
  return { ...told, text: `${told.text} ${identifyCode}` };
}

/** A bank's message with the minute and the balance after it. A negative amount is a debit. */
export function statedSms(
  platform: Platform,
  shop: Shop,
  movement: { readonly amount: bigint; readonly balance: bigint; readonly reference?: string },
): ReportedMessage {
  made += 1;
  const { amount, balance, reference = newReference() } = movement;
  const receivedAt = platform.clock.now();
  const [day, time] = formatTime(receivedAt).split(' ') as [string, string];
  const shownDay = day.slice(2).split('-').reverse().join('-');
  const [sum, word, other] =
    amount < 0n
      ? [-amount, 'debited', 'for UPI to shop@okbank']
      : [amount, 'credited', 'by a/c linked to VPA payer@okbank'];
  return {
    messageId: `stated-${made}`,
    kind: 'sms',
    sender: 'VM-HDFCBK-S',
    text: `INR ${formatMinor(sum, 'INR')} ${word} to HDFC Bank A/c XX${shop.accountNumber.slice(-4)} on ${shownDay} at ${time} ${other} (UPI Ref No ${reference}). Avl bal INR ${formatMinor(balance, 'INR')}`,
    receivedAt,
    accountHint: undefined,
  };
}
