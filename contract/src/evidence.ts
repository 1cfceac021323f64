import type { Currency } from './money.ts';

/** How reliable a verdict of matching is. `low`: a person has to look. */
export const CONFIDENCES = ['certain', 'high', 'medium', 'low'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** What joined a message to an order, and how sure that is. The names are those in message_matches. */
const EVIDENCE: Readonly<Record<string, Confidence>> = {
  payerUtr: 'certain',
  identifyCode: 'certain',
  exactAmount: 'high',
  amountAndName: 'high',
  supplement: 'certain',
  payoutUtr: 'certain',
  payoutAmount: 'medium',
};

/** Reasons for which a message completed nothing. Some of them are certain: a copy or a debit stays one, whatever comes later. */
const REASONS: Readonly<Record<string, Confidence>> = {
  sameMovement: 'certain',
  utrUsed: 'certain',
  settledOutside: 'certain',
  debit: 'certain',
  orderFrozen: 'high',
  delay: 'high',
  orderClosed: 'high',
  reversed: 'high',
  future_or_due: 'high',
  failed: 'high',
  collect_request: 'high',
  balance_only: 'high',
  outgoing_confirmation: 'high',
  promo: 'high',
  other: 'medium',
  noOrder: 'medium',
  underpaid: 'medium',
  overpaid: 'medium',
  amountDiffers: 'medium',
};

export interface Verdict {
  /** Key of the text for it (console, `verdicts`). */
  readonly reason: string;
  readonly confidence: Confidence;
}

/** Why a message has its state, and how sure that is. Every decision of matching has both. */
export function verdictOf(state: string, reason: string | null, evidence: string | null): Verdict {
  if (state === 'matched') {
    const by = evidence ?? 'supplement';
    return { reason: by, confidence: EVIDENCE[by] ?? 'medium' };
  }
  const why = reason ?? (state === 'unmatched' ? 'noOrder' : state);
  return { reason: why, confidence: REASONS[why] ?? 'low' };
}

/**
 * How many hours before its order was placed on the account a credit may have moved, when the order's payer names it by its
 * UTR. An operator decides about older credits, because they may have been refunded. For bank transfers and mobile money: a
 * payer who paid for an order that ran out orders again within a day. A transfer on a chain is public, so naming it proves
 * nothing.
 */
export const HOURS_BEFORE_ORDER: Readonly<Record<Currency, number>> = { INR: 24, KES: 24, USDT: 0 };
