import type { PayoutChannels } from './payout-channel.ts';

/** No gateway is built in yet: payouts of gateway products wait until one is, or until a person pays them. */
export const PAYOUT_CHANNELS: PayoutChannels = new Map();
