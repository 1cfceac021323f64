import type { Channel } from '../channel.ts';

/** USDT on TRON: an address and an amount that is this order's alone, to the last of its digits. */
export const usdt: Channel = {
  prepare: (_order, account) => ({ address: account.accountNumber, network: 'TRC20' }),
};
