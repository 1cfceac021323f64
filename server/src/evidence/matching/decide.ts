import { SLACK, type WaitingOrder } from '../../collection/waiting.ts';
import { IDENTIFY_CODE } from '../../collection/identify-code.ts';

/** A credit on a known account, as told by one message. */
export interface Credit {
  readonly accountId: bigint;
  /** Minor units. */
  readonly amount: bigint;
  readonly reference: string | null;
  readonly payer: string | null;
  readonly text: string;
  /** When the money moved: the bank's time where it is precise enough, else when the device got the message. */
  readonly at: Date;
}

export type Evidence = 'payerUtr' | 'identifyCode' | 'exactAmount' | 'amountAndName';

export type Decision =
  | { readonly kind: 'match'; readonly order: WaitingOrder; readonly evidence: Evidence }
  | { readonly kind: 'none' }
  | { readonly kind: 'ambiguous'; readonly reason: 'severalOrders' | 'amountDiffers' | 'nameDiffers' };

/** The order keys a text carries. */
export function identifyCodesIn(text: string): string[] {
  return text.toUpperCase().match(IDENTIFY_CODE) ?? [];
}

/**
 * Which waiting order a credit pays, by the order of evidence of domain.md: the UTR the payer gave, our code in the
 * remark, the unique exact amount, amount and payer's name. The first kind that points at any order decides: exactly
 * one completes, several are left to an operator. Evidence that names an order of another amount is never booked
 * by itself; with `needsName` nor is a payer whose name is not the one the order expects, where it expects one.
 */
export function decide(
  credit: Credit,
  waiting: readonly WaitingOrder[],
  { needsName }: { readonly needsName: boolean },
): Decision {
  const open = waiting.filter(
    (order) =>
      order.accountId === credit.accountId &&
      credit.at.getTime() >= order.allocatedAt.getTime() - SLACK &&
      credit.at.getTime() <= order.releaseAt.getTime() + SLACK,
  );
  const codes = identifyCodesIn(credit.text);
  const tried: [Evidence, WaitingOrder[]][] = [
    ['payerUtr', open.filter((order) => credit.reference !== null && order.payerUtr === credit.reference)],
    ['identifyCode', open.filter((order) => codes.includes(order.identifyCode))],
    ['exactAmount', open.filter((order) => order.payable === credit.amount)],
    [
      'amountAndName',
      open.filter((order) => order.amount === credit.amount && sameName(order.userName, credit.payer)),
    ],
  ];
  for (const [evidence, orders] of tried) {
    if (orders.length > 1) return { kind: 'ambiguous', reason: 'severalOrders' };
    const order = orders[0];
    if (!order) continue;
    // The payer may round the floating part away; any other sum is an operator's business.
    const amountFits = credit.amount === order.payable || credit.amount === order.amount;
    if (!amountFits) return { kind: 'ambiguous', reason: 'amountDiffers' };
    if (needsName && order.userName !== null && !sameName(order.userName, credit.payer))
      return { kind: 'ambiguous', reason: 'nameDiffers' };
    return { kind: 'match', order, evidence };
  }
  return { kind: 'none' };
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
