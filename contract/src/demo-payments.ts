/**
 * How a visitor of the demo pays: the asked sum; half of it; the asked sum with the bank's message half a minute late; the
 * whole sum twice; from somebody else's account. In its own file, so that the payment page loads it without the endpoints'
 * schemas.
 */
export const DEMO_PAYMENTS = ['exact', 'half', 'late', 'twice', 'friend'] as const;
export type DemoPaymentKind = (typeof DEMO_PAYMENTS)[number];

/**
 * Amounts (paise) of a merchant's order by which the demo's simulated world decides what happens: how a payer pays, and how a
 * payout ends. The simulator's own orders have whole rupees.
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

/** A payment that the demo's bank makes for a visitor, in paise. */
export interface DemoPayment {
  readonly how: DemoPaymentKind;
  readonly amount: number;
  /** The account that is paid: one of the two fields. */
  readonly vpa?: string | undefined;
  readonly accountNumber?: string | undefined;
}
