/**
 * How a visitor of the demo pays: as asked; half of it; as asked with the bank's message half a minute late; the whole sum twice; from
 * somebody else's account. A file of its own: the payment page takes it in without the endpoints' schemas.
 */
export const DEMO_PAYMENTS = ['exact', 'half', 'late', 'twice', 'friend'] as const;
export type DemoPaymentKind = (typeof DEMO_PAYMENTS)[number];

/** A payment that the demo's bank makes for a visitor. Paise. */
export interface DemoPayment {
  readonly how: DemoPaymentKind;
  readonly amount: number;
  /** Of the account that is paid: one of the two. */
  readonly vpa?: string | undefined;
  readonly accountNumber?: string | undefined;
}
