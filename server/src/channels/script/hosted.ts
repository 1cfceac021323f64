import type { Channel } from '../channel.ts';

/** A gateway's own payment page. The payer needs only its address, and the account's script gets that. */
export const gateway: Channel = { prepare: () => ({}) };
