import type { GatewayAccess } from '../../accounts/paying-gateway.ts';
import type { CheckAnswer, GatewayPayout, SendAnswer, SentPayout } from '../payout-channel.ts';

/** What a gateway sent to its webhook. */
export interface WebhookMessage {
  readonly header: (name: string) => string | undefined;
  /** As received, because the signature is over these bytes. */
  readonly body: Buffer;
}

/** A webhook event as read. 'refused' is answered to the sender and has no effect. */
export type WebhookReading =
  | { readonly kind: 'refused'; readonly reason: 'signature' | 'stale' | 'unread' }
  | { readonly kind: 'other'; readonly eventId: string; readonly event: string }
  | {
      readonly kind: 'payout';
      /** The same each time the event is sent. */
      readonly eventId: string;
      readonly event: string;
      /** Our key, which the send contained. */
      readonly key: string | null;
      readonly reference: string;
      /** Minor units. */
      readonly amount: bigint;
      readonly answer: CheckAnswer;
    };

/** The payout API of one provider. To add one, add a file with one of these and a line in payout-channels.ts. `givenUp`: see `PayoutChannel`. */
export interface Gateway {
  send(access: GatewayAccess, payout: GatewayPayout, key: string, givenUp?: AbortSignal): Promise<SendAnswer>;
  check(access: GatewayAccess, sent: SentPayout): Promise<CheckAnswer>;
  /** The money that is free for payouts, in minor units. Throws when it is not told. Absent: the API has no call for it. */
  balance?(access: GatewayAccess): Promise<bigint>;
  readWebhook(access: GatewayAccess, message: WebhookMessage, now: Date): WebhookReading;
}
