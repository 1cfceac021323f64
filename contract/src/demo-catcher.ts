/** Where the demo's merchants take notifications of orders that a visitor makes, and show them. */
export const DEMO_CATCHER = 'http://127.0.0.1:8093';

export const catcherUrl = (mchId: string, mchOrderNo: string): string =>
  `${DEMO_CATCHER}/notify/${mchId}/${encodeURIComponent(mchOrderNo)}`;

/** A notification as a merchant's endpoint of the demo took it. */
export interface CaughtNotification {
  readonly mchId: string;
  readonly mchOrderNo: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly signatureValid: boolean;
  /** 1 for the first of its order. */
  readonly attempt: number;
}
