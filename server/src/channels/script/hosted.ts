import type { Channel } from '../channel.ts';

/** A gateway's own page. The payer needs its address only, and the account's script asks for that. */
export const gateway: Channel = { prepare: () => ({}) };
