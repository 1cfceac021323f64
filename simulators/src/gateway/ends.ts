/** How a payout through the simulated gateway ends, chosen by the last two digits of the payee's account. */
export const GATEWAY_ENDS = {
  success: '00',
  /** The beneficiary's bank refuses it after a while. */
  failed: '01',
  /** Processed, and taken back later. */
  reversed: '02',
  /** Under way for ever. */
  stuck: '03',
  /** Taken, and paid, but the answer says 500. */
  errorAfter: '04',
  /** Taken, and paid, but the answer never comes. */
  silentAfter: '05',
  /** Taken, and paid, but the connection breaks instead of an answer. */
  tornAfter: '06',
  /** Low balance: refused at once. */
  refused: '07',
  /** 500, and nothing was taken. */
  errorBefore: '08',
} as const;

export type GatewayEnd = keyof typeof GATEWAY_ENDS;

export function endOf(payee: string): GatewayEnd {
  const ends = Object.keys(GATEWAY_ENDS) as GatewayEnd[];
  return ends.find((end) => payee.endsWith(GATEWAY_ENDS[end])) ?? 'success';
}
