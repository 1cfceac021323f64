import type { GatewayEnd } from './ends.ts';

/** A payout that the gateway has taken. */
export interface TakenPayout {
  readonly wire: 'razorpayx' | 'cashfree';
  readonly id: string;
  /** The idempotency key of its send. */
  readonly key: string;
  readonly bodyHash: string;
  readonly referenceId: string;
  readonly accountNumber: string;
  readonly payee: string;
  /** Paise. */
  readonly amount: number;
  readonly mode: string;
  readonly end: GatewayEnd;
  readonly takenAt: number;
  readonly utr: string;
}

/** The state of a payout, in words of our own, not of a provider. */
export type TakenState = 'processing' | 'processed' | 'failed' | 'reversed';

/** A payout request, the same for both APIs. */
export type Wanted = Pick<
  TakenPayout,
  'wire' | 'key' | 'bodyHash' | 'referenceId' | 'accountNumber' | 'payee' | 'amount' | 'mode'
>;

/** The answer to a request. Undefined: no answer, and the connection stays open or breaks. */
export interface WireReply {
  readonly status: number;
  readonly body: object;
}

/** The part of a gateway that the API of one provider works on. */
export interface GatewayStore {
  readonly all: () => readonly TakenPayout[];
  readonly byKey: (wire: TakenPayout['wire'], key: string) => TakenPayout | undefined;
  readonly byId: (id: string) => TakenPayout | undefined;
  readonly stateOf: (payout: TakenPayout) => TakenState;
  /** Records a send, whatever is answered. */
  readonly heard: (key: string) => void;
  /** Its accounts, and the paise that they all pay from. */
  readonly accountNumbers: () => readonly string[];
  readonly balance: () => number;
  readonly take: (wanted: Wanted) => TakenPayout;
}
