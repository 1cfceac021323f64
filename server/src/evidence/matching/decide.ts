import { SECOND_WORDING, SLACK, type WaitingOrder } from '../../collection/waiting.ts';
import { IDENTIFY_CODE } from '../../collection/identify-code.ts';
import type { Credit, Evidence } from './credit.ts';
import { later, type RememberedAmount, type Told } from './reported-amounts.ts';

export type Decision =
  | { readonly kind: 'match'; readonly order: WaitingOrder; readonly evidence: Evidence }
  | { readonly kind: 'none' }
  | { readonly kind: 'ambiguous'; readonly reason: Ambiguity };

export type Ambiguity =
  | 'severalOrders'
  | 'amountDiffers'
  | 'nameDiffers'
  /** It names an order of ours that waits no more, or not here. */
  | 'codeNotOpen'
  /** It may be a payment that has been matched a moment ago, in another wording. */
  | 'amountJustMatched'
  /** It may be a payment that was reported a moment ago and left to an operator, in another wording. */
  | 'amountJustReported'
  /** It may be a payment that was settled outside the platform, in another wording. */
  | 'wordingSettled'
  /** An order of this amount ended unpaid, and this slow payment may have been for it. */
  | 'amountOfEndedOrder';

/** The order keys a text carries. */
export function identifyCodesIn(text: string): string[] {
  return text.toUpperCase().match(IDENTIFY_CODE) ?? [];
}

/**
 * Which waiting order a credit pays, by the order of evidence of docs/domain.md#matching-a-credit: our code in the remark, the UTR the payer
 * gave, the unique exact amount, amount and payer's name. The first kind that points at any order decides: exactly
 * one completes, several are left to an operator. Evidence that names an order of another amount is never booked
 * by itself; with `needsName` nor is a payer whose name is not the one the order expects, where it expects one.
 *
 * A credit that names an order pays that one or none: with a code of an order that waits, on whatever account, no typed UTR counts, and
 * with one of an order that waits no more no amount does. Where
 * payers name their orders (gateways, paybills) an amount alone says nothing. `known`: what became of other credits of this amount
 * on the account within a day, of which it may be another wording. `now`: when it is reported.
 */
export function decide(
  credit: Credit,
  waiting: readonly WaitingOrder[],
  { needsName, known, now }: { needsName: boolean; known?: RememberedAmount | undefined; now: Date },
): Decision {
  if (credit.isExact) return decideExact(credit, waiting);
  const open = waiting.filter(
    (order) =>
      order.accountId === credit.accountId &&
      credit.at.getTime() >= order.allocatedAt.getTime() - SLACK &&
      credit.at.getTime() <= order.releaseAt.getTime() + SLACK,
  );
  const codes = identifyCodesIn(credit.text);
  const unnamed = open.filter(({ slot }) => slot === 0n);
  const isCoded = ({ identifyCode }: WaitingOrder) => codes.includes(identifyCode);
  const isTyped = ({ payerUtr }: WaitingOrder) => credit.reference !== null && payerUtr === credit.reference;
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
  // Whatever it names: that money is gone again.
  if (mayBeAgain(credit, known, 'settled', now)) return { kind: 'ambiguous', reason: 'wordingSettled' };
  const paidAt = lastOther(credit, known?.paid);
  const mayBePaid = mayBeAgain(credit, known, 'paid', now) || (paidAt && known?.ended?.awaitsMessage);
  // Its reference, typed into a later order, would pay that with this payment again: so this is the reason, whatever else speaks against it.
  const left = (reason: Ambiguity): Decision => ({
    kind: 'ambiguous',
    reason: mayBePaid && credit.reference !== null ? 'amountJustMatched' : reason,
  });
  const mayBeOpen = mayBeAgain(credit, known, 'open', now);
  const mayBeEarlier = known?.ended?.isUnpaid === true && credit.isSlow === true;
  for (const [evidence, orders] of tried) {
    if (!isNamed(evidence) && codes.length > 0) return left('codeNotOpen');
    // Our code names an order that stood when the money moved; a UTR may be typed into one that was made afterwards.
    if (evidence !== 'identifyCode' && orders.length > 0 && mayBePaid) return left('amountJustMatched');
    if (!isNamed(evidence) && orders.length > 0 && mayBeOpen) return left('amountJustReported');
    if (!isNamed(evidence) && orders.length > 0 && mayBeEarlier) return left('amountOfEndedOrder');
    if (orders.length > 1) return left('severalOrders');
    const order = orders[0];
    if (!order) continue;
    if (!isAsked(order, credit)) return left('amountDiffers');
    if (isNamed(evidence) && waitedWhenPaid(order, paidAt))
      return { kind: 'ambiguous', reason: 'amountJustMatched' };
    // Who knows another payer's UTR may have asked the same sum.
    if (evidence === 'payerUtr' && isContested(order, open, credit)) return left('severalOrders');
    if (needsName && isOtherPayer(order, credit)) return left('nameDiffers');
    return { kind: 'match', order, evidence };
  }
  return mayBePaid ? { kind: 'ambiguous', reason: 'amountJustMatched' } : { kind: 'none' };
}

/** When a payment was last told of that this credit may tell of again: one of the two states no reference. */
export function lastOther({ reference }: Pick<Credit, 'reference'>, told: Told | undefined) {
  return reference === null ? later(told?.bareAt, told?.statedAt) : told?.bareAt;
}

/** Whether the order stood when its sum paid another: its payer may have rounded to what that one asked. */
export function waitedWhenPaid({ allocatedAt }: WaitingOrder, paidAt: ReturnType<typeof lastOther>): boolean {
  return Boolean(paidAt && paidAt.getTime() >= allocatedAt.getTime() - SLACK);
}

/**
 * Whether a credit may be a payment that was told of already, in another wording: that was a moment ago, or after this one's money
 * had moved. One that names no minute may be any of the day, where one of the two states no reference; where neither does, only their
 * balances tell them apart.
 */
function mayBeAgain(
  credit: Credit,
  known: RememberedAmount | undefined,
  which: 'paid' | 'open' | 'settled',
  now: Date,
): boolean {
  const told = known?.[which];
  const last = lastOther(credit, told)?.getTime();
  if (last === undefined) return false;
  const isToldApart =
    credit.reference === null && typeof credit.balance === 'bigint' && known?.hasNoOtherBalance !== true;
  const isOfDay = credit.isVague === true && (!isToldApart || Boolean(told?.statedAt));
  return isOfDay || now.getTime() - last < SECOND_WORDING || credit.at.getTime() <= last + SLACK;
}

/** Whether the order expects another payer's name. */
export function isOtherPayer({ userName }: WaitingOrder, { payer }: Pick<Credit, 'payer'>): boolean {
  return userName !== null && !sameName(userName, payer);
}

/** Whether the order asks this sum: the payer may round the floating part away; any other sum is an operator's business. */
export function isAsked({ payable, amount }: WaitingOrder, credit: Pick<Credit, 'amount'>): boolean {
  return credit.amount === payable || credit.amount === amount;
}

/**
 * Whether a credit whose reference this order's payer has given may be another's: its payer has given the same for this sum, or the
 * credit is exactly the other's sum and not this one's, and its payer has named no other payment.
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

/** By the time of a chain's block, which needs no slack. Anybody can name a transaction, so a name alone keeps it from no order of its sum. */
function decideExact(
  { accountId, amount, reference, at }: Credit,
  waiting: readonly WaitingOrder[],
): Decision {
  const open = waiting.filter(
    (order) => order.accountId === accountId && at >= order.allocatedAt && at <= order.releaseAt,
  );
  const isNamed = (order: WaitingOrder) => order.payerUtr === reference;
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
