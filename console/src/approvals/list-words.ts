import type { ParseKeys } from 'i18next';
import { FILTER_OFFSET } from '@sangam/contract/money.ts';
import type { NameGroup } from '../language/names.ts';

/** Text keys of list fields and filters: the names on the list's own screen. */
const FIELDS = {
  orderCode: 'orders.orderCode',
  orderStatusId: 'orders.status',
  payoutStatus: 'orders.status',
  orderType: 'messages.direction',
  callbackId: 'orders.callbacks',
  of: 'lost.orders',
  mchOrderNo: 'orders.mchOrderNo',
  merchantOrderId: 'orders.mchOrderNo',
  merchantOrderCode: 'orders.mchOrderNo',
  orderMark: 'orders.mark',
  amount: 'orders.amount',
  amountFrom: 'orders.amountFrom',
  amountTo: 'orders.amountTo',
  usdtCount: 'orders.usdtCount',
  payableAmount: 'orders.payable',
  currentReceivedMoney: 'orders.received',
  fee: 'orders.fee',
  income: 'orders.income',
  supplierCommission: 'orders.commission',
  merchantName: 'orders.merchant',
  merchantId: 'orders.merchant',
  supplierName: 'orders.supplier',
  supplierId: 'orders.supplier',
  productName: 'orders.product',
  productId: 'orders.product',
  accountName: 'orders.account',
  resourceId: 'orders.accountId',
  cardNumber: 'orders.accountNumber',
  usdtAddress: 'orders.receivingAddress',
  identifyCode: 'orders.identifyCode',
  userName: 'orders.userName',
  validateUserName: 'orders.wholeUserName',
  createTime: 'orders.createTime',
  payTime: 'orders.payTime',
  ipAddress: 'orders.ipAddress',
  description: 'orders.description',
  source: 'orders.sourceCell',
  supplementStatus: 'orders.supplementStatus',
  supplementType: 'orders.supplementType',
  reversed: 'orders.reversed',
  isProxy: 'orders.viaAgent',
  currency: 'orders.currency',
  bank: 'orders.bank',
  counted: 'orders.counted',
  filing: 'statistics.filing',
  countedScope: 'statistics.whose',
  weekday: 'orders.weekday',
  halfHour: 'orders.halfHour',
  payBucket: 'orders.payBucket',
  startTime: 'list.from',
  endTime: 'list.to',
  batchId: 'batches.number',
  processState: 'payouts.processState',
  unproven: 'payouts.unproven',
  bankName: 'payouts.bankName',
  phone: 'payouts.phone',
  claimTime: 'payouts.claimTime',
  claimExpireTime: 'payouts.claimExpireTime',
  finishTime: 'payouts.finishTime',
  rejectReason: 'payouts.rejectReason',
  state: 'messages.state',
  verdict: 'messages.verdict',
  text: 'messages.text',
  sender: 'messages.sender',
  payer: 'messages.payer',
  balance: 'messages.balance',
  direction: 'messages.direction',
  monitorId: 'messages.monitorId',
  bankTime: 'messages.bankTime',
  receivedTime: 'messages.receivedTime',
  reportedTime: 'messages.reportedTime',
  within: 'lost.within',
  time: 'callbacks.time',
  url: 'callbacks.url',
  status: 'callbacks.lastAnswer',
  answer: 'callbacks.lastAnswer',
  error: 'payScripts.problem',
  durationMs: 'callbacks.duration',
  httpMethod: 'callbacks.method',
  systemFlag: 'callbacks.systemFlag',
} as const satisfies Readonly<Record<string, ParseKeys>>;

/** Fields that mean another person or account on payout lists than on lists of collection orders. */
const OF_PAYOUTS = {
  userName: 'payouts.payeeName',
  validateUserName: 'payouts.wholePayeeName',
  cardNumber: 'payouts.cardNumber',
  usdtAddress: 'payouts.usdtAddress',
} as const satisfies Partial<Record<keyof typeof FIELDS, ParseKeys>>;

const isOfPayouts = (list: string) => list.includes('/payoutOrder/');

/** The key of the text that names a list's field; undefined where the name is the same in every language, such as UTR. */
export function fieldTextKey(list: string, field: string): ParseKeys | undefined {
  const payouts: Readonly<Record<string, ParseKeys>> = OF_PAYOUTS;
  const all: Readonly<Record<string, ParseKeys>> = FIELDS;
  return (isOfPayouts(list) ? payouts[field] : undefined) ?? all[field];
}

/** The group of names for a filter's values, where the values are codes. */
export function namesOfFilter(list: string, field: string): NameGroup | undefined {
  switch (field) {
    case 'orderStatusId':
      return isOfPayouts(list) ? 'payoutStatus' : 'collectionStatus';
    case 'payoutStatus':
      return 'payoutStatus';
    case 'orderMark':
      return 'orderMark';
    case 'productId':
      return 'products';
    case 'state':
      return 'messageStates';
    case 'direction':
      return 'directions';
    default:
      return undefined;
  }
}

const AMOUNTS: ReadonlySet<string> = new Set(['amount', 'currentReceivedMoney']);

/** A filter value as the user typed it. Amounts in filters carry an offset on the wire, which is taken off here. */
export function filterValue(field: string, value: unknown): string {
  if (AMOUNTS.has(field) && typeof value === 'number')
    return String(Math.round((value - FILTER_OFFSET) * 1e6) / 1e6);
  return String(value);
}
