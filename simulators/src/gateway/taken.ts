import type { GatewayEnd } from './ends.ts';

/** A payout the gateway has taken. */
export interface TakenPayout {
  readonly wire: 'razorpayx' | 'cashfree';
  readonly id: string;
  /** What made its send idempotent. */
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

/** Where a payout stands, in no maker's words. */
export type TakenState = 'processing' | 'processed' | 'failed' | 'reversed';

/** What was asked for, as either wire says it. */
export type Wanted = Pick<
  TakenPayout,
  'wire' | 'key' | 'bodyHash' | 'referenceId' | 'accountNumber' | 'payee' | 'amount' | 'mode'
>;

/** How a request is answered; undefined: never, and the connection stays open or breaks. */
export interface WireReply {
  readonly status: number;
  readonly body: object;
}

/** The part of a gateway that one maker's wire works on. */
export interface GatewayStore {
  readonly all: () => readonly TakenPayout[];
  readonly byKey: (wire: TakenPayout['wire'], key: string) => TakenPayout | undefined;
  readonly byId: (id: string) => TakenPayout | undefined;
  readonly stateOf: (payout: TakenPayout) => TakenState;
  /** Notes a send, whatever is answered. */
  readonly heard: (key: string) => void;
  readonly take: (wanted: Wanted) => TakenPayout;
}
