/** The outcome of a payout through the simulated gateway, by the last two digits of the payee's account. */
export const GATEWAY_ENDS = {
  success: '00',
  /** The beneficiary's bank refuses it after a while. */
  failed: '01',
  /** Processed, and taken back later. */
  reversed: '02',
  /** Stays in progress for ever. */
  stuck: '03',
  /** Taken and paid, but the answer is 500. */
  errorAfter: '04',
  /** Taken and paid, but no answer comes. */
  silentAfter: '05',
  /** Taken and paid, but the connection breaks in place of an answer. */
  tornAfter: '06',
  /** Low balance: refused at once. */
  refused: '07',
  /** Answer 500, and nothing was taken. */
  errorBefore: '08',
} as const;

export type GatewayEnd = keyof typeof GATEWAY_ENDS;

export function endOf(payee: string): GatewayEnd {
  const ends = Object.keys(GATEWAY_ENDS) as GatewayEnd[];
  return ends.find((end) => payee.endsWith(GATEWAY_ENDS[end])) ?? 'success';
}
