import type { PayParams } from '@sangam/contract/endpoints/outside.ts';
import type { Currency } from '@sangam/contract/money.ts';
import type { PayeeAccount } from '../accounts/load.ts';

/** What a channel needs of an order to tell the payer how to pay it. */
export interface PayableOrder {
  readonly orderCode: string;
  readonly identifyCode: string;
  readonly currency: Currency;
  /** Minor units. */
  readonly payable: bigint;
}

/** The fields of payParams a channel adds to the common ones. */
export type ChannelParams = Omit<PayParams, 'payableAmount' | 'currency' | 'identifyCode' | 'expireTime'>;

/** One way to pay. Adding a channel is a folder with one of these and a line in channels.ts. */
export interface Channel {
  prepare(order: PayableOrder, account: PayeeAccount): ChannelParams;
}
