import type { Channel } from '../channel.ts';

/** A gateway's own page: there is nothing to tell the payer but its address, which the account's script asks for. */
export const gateway: Channel = { prepare: () => ({}) };
