import type { Channel } from '../channel.ts';

/** Bank transfer: account and IFSC shown, the identify code goes into the remarks. */
export const bank: Channel = {
  prepare: (_order, account) => ({
    payeeName: account.ownerName,
    accountNumber: account.accountNumber,
    bankName: account.bank,
    ...(account.ifsc ? { ifsc: account.ifsc } : {}),
  }),
};
