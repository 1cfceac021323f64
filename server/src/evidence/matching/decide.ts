import { namesOf } from '@sangam/contract/references.ts';
import { SECOND_WORDING, SLACK, type WaitingOrder } from '../../collection/waiting.ts';
import { IDENTIFY_CODE } from '../../collection/identify-code.ts';
import { DAY } from '../../platform/clock.ts';
import type { Credit, Evidence } from './credit.ts';
import { isAwaited, later, type RememberedAmount, type Told } from './reported-amounts.ts';

export type Decision =
  | { readonly kind: 'match'; readonly order: WaitingOrder; readonly evidence: Evidence }
  | { readonly kind: 'none' }
  | { readonly kind: 'ambiguous'; readonly reason: Ambiguity };

export type Ambiguity =
  | 'severalOrders'
  | 'amountDiffers'
  | 'nameDiffers'
  /** Its text carries a code, but no order with that code waits on this account. */
  | 'codeNotOpen'
  /** It may be another wording of a payment that was matched before. */
  | 'amountJustMatched'
  /** It may be another wording of a payment that was reported before and left to an operator. */
  | 'amountJustReported'
  /** It may be another wording of a credit that pays no order by itself (`RememberedAmount.barred`). */
  | 'wordingSettled'
  /** An order of this amount ended unpaid, and this slow payment (NEFT) may have been meant for it. */
  | 'amountOfEndedOrder';

/** The identify codes in a text. */
export function identifyCodesIn(text: string): string[] {
  return text.toUpperCase().match(IDENTIFY_CODE) ?? [];
}

/**
 * Decides which waiting order a credit completes, by the order of evidence in docs/domain.md#matching-a-credit. The first kind of evidence
 * that finds any order decides: one order is completed, several are ambiguous. `needsName`: where the order expects a name, the payer's
 * name must fit. `known`: the account's other credits of this amount within a day, because this credit may be another wording of one of
 * them. `merchants`: whose orders the credit names (`merchantsNamed`). `now`: when the credit is reported.
 */
export function decide(
  credit: Credit,
  waiting: readonly WaitingOrder[],
  {
    needsName,
    known,
    merchants,
    now,
  }: {
    needsName: boolean;
    known?: RememberedAmount | undefined;
    merchants?: readonly bigint[] | undefined;
    now: Date;
  },
): Decision {
  if (credit.isExact) return decideExact(credit, waiting);
  const open = waiting.filter(
    (order) =>
      order.accountId === credit.accountId &&
      credit.at.getTime() >= order.allocatedAt.getTime() - SLACK &&
      credit.at.getTime() <= order.releaseAt.getTime() + SLACK,
  );
  const codes = identifyCodesIn(credit.text);
  // On gateways and paybills the payer names the order (each order has a slot), so an amount alone says nothing there.
  const unnamed = open.filter(({ slot }) => slot === 0n);
  const isCoded = ({ identifyCode }: WaitingOrder) => codes.includes(identifyCode);
  const isTyped = ({ payerUtr }: WaitingOrder) => credit.reference !== null && payerUtr === credit.reference;
  // With the code of a waiting order, on whatever account, no typed UTR counts.
  const tried: [Evidence, WaitingOrder[]][] = [
    ['identifyCode', open.filter(isCoded)],
    ['payerUtr', waiting.some(isCoded) ? [] : open.filter(isTyped)],
    ['exactAmount', unnamed.filter((order) => order.payable === credit.amount)],
    [
      'amountAndName',
      unnamed.filter((order) => order.amount === credit.amount && sameName(order.userName, credit.payer)),
    ],
  ];
  const isNamed = (evidence: Evidence) => evidence === 'payerUtr' || evidence === 'identifyCode';
  // Whatever order the credit names: the money may be gone again, or people have to decide about its payer.
  if (mayBeAgain(credit, known, 'barred', now)) return { kind: 'ambiguous', reason: 'wordingSettled' };
  const paidAt = lastOther(credit, known?.paid);
  const mayBePaid = mayBeAgain(credit, known, 'paid', now) || (paidAt && isAwaited(known));
  // A credit with a reference always gets this reason here. `isOpenToMessages` excludes it, so a payer who types the reference into a later
  // order gets nothing for it.
  const left = (reason: Ambiguity): Decision => ({
    kind: 'ambiguous',
    reason: mayBePaid && credit.reference !== null ? 'amountJustMatched' : reason,
  });
  const mayBeOpen = mayBeAgain(credit, known, 'open', now);
  const mayBeEarlier = known?.ended?.isUnpaid === true && credit.isSlow === true;
  for (const [evidence, orders] of tried) {
    // A code that no waiting order here has: the credit never falls through to its amount.
    if (!isNamed(evidence) && codes.length > 0) return left('codeNotOpen');
    // Our code names an order that existed when the money moved. A UTR may be typed into an order that was made afterwards.
    if (evidence !== 'identifyCode' && orders.length > 0 && mayBePaid) return left('amountJustMatched');
    if (!isNamed(evidence) && orders.length > 0 && mayBeOpen) return left('amountJustReported');
    if (!isNamed(evidence) && orders.length > 0 && mayBeEarlier) return left('amountOfEndedOrder');
    if (orders.length > 1) return left('severalOrders');
    const order = orders[0];
    if (!order) continue;
    if (!isAsked(order, credit)) return left('amountDiffers');
    if (isNamed(evidence) && waitedWhenPaid(order, paidAt))
      return { kind: 'ambiguous', reason: 'amountJustMatched' };
    // Somebody who knows another payer's UTR may have made an order of the same sum and typed it there.
    if (evidence === 'payerUtr' && (isContested(order, open, credit) || isOfOther(order, merchants)))
      return left('severalOrders');
    if (needsName && isOtherPayer(order, credit)) return left('nameDiffers');
    return { kind: 'match', order, evidence };
  }
  return mayBePaid ? { kind: 'ambiguous', reason: 'amountJustMatched' } : { kind: 'none' };
}

/** When a credit of this amount was last reported that may be this payment in another wording: one of the two states no reference. */
export function lastOther({ reference }: Pick<Credit, 'reference'>, told: Told | undefined) {
  return reference === null ? later(told?.bareAt, told?.statedAt) : told?.bareAt;
}

/** Whether the order was already allocated when its sum completed another order. Its payer may have rounded to that order's amount. */
export function waitedWhenPaid({ allocatedAt }: WaitingOrder, paidAt: ReturnType<typeof lastOther>): boolean {
  return Boolean(paidAt && paidAt.getTime() >= allocatedAt.getTime() - SLACK);
}

/**
 * Whether a credit may be a payment that was reported before, in another wording. The earlier report came less than `SECOND_WORDING` ago,
 * or came after this credit's money had moved. A credit that names no minute may be any payment reported since a day before its money had
 * moved at the latest, if one of the two states no reference. If neither does, only different balances tell them apart.
 */
export function mayBeAgain(
  credit: Credit,
  known: RememberedAmount | undefined,
  which: 'paid' | 'open' | 'barred',
  now: Date,
): boolean {
  const told = known?.[which];
  const last = lastOther(credit, told)?.getTime();
  if (last === undefined) return false;
  const isToldApart =
    credit.reference === null && typeof credit.balance === 'bigint' && known?.hasNoOtherBalance !== true;
  const isWithinDay = last >= credit.at.getTime() - DAY - SLACK;
  const isAnyOfDay = credit.isVague === true && isWithinDay && (!isToldApart || Boolean(told?.statedAt));
  return isAnyOfDay || now.getTime() - last < SECOND_WORDING || credit.at.getTime() <= last + SLACK;
}

/** Whether the order expects a name and the payer has another. */
export function isOtherPayer({ userName }: WaitingOrder, { payer }: Pick<Credit, 'payer'>): boolean {
  return userName !== null && !sameName(userName, payer);
}

/** Whether the credit is the order's payable amount or its asked amount: a payer may round the floating part away. */
export function isAsked({ payable, amount }: WaitingOrder, credit: Pick<Credit, 'amount'>): boolean {
  return credit.amount === payable || credit.amount === amount;
}

/**
 * Whether a credit whose UTR this order's payer typed may belong to another order. Either the other payer typed the same UTR for this sum,
 * or the sum is exactly the other order's payable amount and not this order's, and the other payer typed no UTR.
 */
export function isContested(
  order: WaitingOrder,
  others: readonly WaitingOrder[],
  credit: Pick<Credit, 'amount' | 'reference'>,
): boolean {
  const { amount, reference } = credit;
  return others.some((other) => {
    if (other.orderId === order.orderId) return false;
    const isExactOnlyOf = other.slot === 0n && other.payable === amount && order.payable !== amount;
    return (
      (other.payerUtr === reference && isAsked(other, credit)) || (other.payerUtr === null && isExactOnlyOf)
    );
  });
}

/** Whether the payment names an order of another merchant: then its UTR, typed into this order, pays nothing. */
export function isOfOther({ merchantId }: WaitingOrder, named: readonly bigint[] = []): boolean {
  return merchantId !== null && named.some((each) => each !== merchantId);
}

/**
 * Uses the time of the block, which needs no slack. Anybody can read transaction ids on the chain. So a typed id completes no order of
 * another sum, and keeps the transfer from no order of its sum.
 */
function decideExact(
  { accountId, amount, reference, at }: Credit,
  waiting: readonly WaitingOrder[],
): Decision {
  const open = waiting.filter(
    (order) => order.accountId === accountId && at >= order.allocatedAt && at <= order.releaseAt,
  );
  const names: readonly (string | null)[] = reference === null ? [] : namesOf(reference);
  const isNamed = ({ payerUtr }: WaitingOrder) => names.includes(payerUtr);
  const order = open.find((each) => each.payable === amount);
  if (order) return { kind: 'match', order, evidence: isNamed(order) ? 'payerUtr' : 'exactAmount' };
  return open.some(isNamed) ? { kind: 'ambiguous', reason: 'amountDiffers' } : { kind: 'none' };
}

export function sameName(a: string | null, b: string | null): boolean {
  const fold = (name: string) =>
    name
      .normalize('NFKC')
      .toUpperCase()
      .replace(/[^\p{L}]+/gu, ' ')
      .trim();
  return a !== null && b !== null && fold(a) !== '' && fold(a) === fold(b);
}
