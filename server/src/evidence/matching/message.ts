import type { BalanceMode } from '@sangam/contract/chain.ts';
import type { MESSAGE_STATES } from '@sangam/contract/endpoints/outside.ts';
import type { Verdict } from './credit.ts';

export type MessageState = (typeof MESSAGE_STATES)[number];

/** A message as a monitor reports it. */
export interface ReportedMessage {
  /** The device's own id of the message. */
  readonly messageId: string;
  readonly kind: 'sms' | 'web' | 'usdt';
  readonly sender: string;
  readonly text: string;
  readonly receivedAt: Date;
  readonly accountHint: string | undefined;
}

/** What became of a reported message. 'discarded': a one-time password, which is never stored. */
export interface MessageResult {
  readonly messageId: string;
  readonly state: MessageState | 'discarded';
  readonly orderId: bigint | null;
}

/** An account that a monitor serves. */
export interface MonitorAccount {
  readonly id: bigint;
  readonly supplierId: bigint;
  readonly bank: string;
  readonly currency: string;
  readonly accountNumber: string;
  readonly senderHeader: string;
  readonly balanceMode: BalanceMode;
}

/** A stored message with its verdict. Amounts in minor units. */
export interface MessageRow extends Verdict {
  readonly id: bigint;
  readonly monitorId: bigint;
  readonly externalId: string;
  readonly kind: string;
  readonly sender: string;
  readonly text: string;
  readonly accountId: bigint | null;
  readonly supplierId: bigint;
  readonly templateId: string | null;
  readonly bank: string | null;
  readonly direction: string | null;
  readonly currency: string | null;
  readonly amount: bigint | null;
  readonly balance: bigint | null;
  readonly accountTail: string | null;
  readonly utr: string | null;
  readonly payer: string | null;
  readonly remark: string | null;
  readonly bankTime: Date | null;
  readonly timePrecision: string | null;
  readonly receivedAt: Date;
  readonly reportedAt: Date;
}
