import type { Channel } from '../channel.ts';

/** USDT on TRON: an address, and an amount that no other waiting order of this address has. */
export const usdt: Channel = {
  prepare: (_order, account) => ({ address: account.accountNumber, network: 'TRC20' }),
};
