/** Where merchants of the demo receive and show the notifications of orders that a visitor makes. */
export const DEMO_CATCHER = 'http://127.0.0.1:8093';

export const catcherUrl = (mchId: string, mchOrderNo: string): string =>
  `${DEMO_CATCHER}/notify/${mchId}/${encodeURIComponent(mchOrderNo)}`;

/** A notification as the demo's merchant endpoint received it. */
export interface CaughtNotification {
  readonly mchId: string;
  readonly mchOrderNo: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly signatureValid: boolean;
  /** 1 for the first attempt of its order. */
  readonly attempt: number;
}
