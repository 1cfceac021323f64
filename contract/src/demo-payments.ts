/**
 * How a visitor of the demo pays: as asked; half of it; as asked with the bank's message half a minute late; the whole sum twice; from
 * somebody else's account. A file of its own: the payment page takes it in without the endpoints' schemas.
 */
export const DEMO_PAYMENTS = ['exact', 'half', 'late', 'twice', 'friend'] as const;
export type DemoPaymentKind = (typeof DEMO_PAYMENTS)[number];

/**
 * Amounts (paise) of a merchant's order that the demo's outside world takes as what is to happen: how a payer pays it, and what
 * becomes of a payout. Its own orders are of whole rupees.
 */
export const DEMO_AMOUNTS = [
  { amount: 777_01, payer: 'exact', payout: 'paid' },
  { amount: 777_02, payer: 'late', payout: 'paidLate' },
  { amount: 777_03, payer: 'half', payout: 'rejected' },
  { amount: 777_04, payer: 'never', payout: 'never' },
  { amount: 777_05, payer: 'twice', payout: 'never' },
] as const satisfies readonly {
  readonly amount: number;
  readonly payer: DemoPaymentKind | 'never';
  readonly payout: 'paid' | 'paidLate' | 'rejected' | 'never';
}[];
export type DemoAmount = (typeof DEMO_AMOUNTS)[number];

/** A payment that the demo's bank makes for a visitor. Paise. */
export interface DemoPayment {
  readonly how: DemoPaymentKind;
  readonly amount: number;
  /** Of the account that is paid: one of the two. */
  readonly vpa?: string | undefined;
  readonly accountNumber?: string | undefined;
}
