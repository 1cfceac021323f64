/** An order or payout that did not go the whole way, and why. */
export interface ResidueLine {
  readonly orderCode: string;
  readonly why: string;
  readonly explained: boolean;
}
