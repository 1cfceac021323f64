import type { Channel } from '../channel.ts';

/** Bank transfer: the payer sees account and IFSC, and puts the identify code into the remarks. */
export const bank: Channel = {
  prepare: (_order, account) => ({
    payeeName: account.ownerName,
    accountNumber: account.accountNumber,
    bankName: account.bank,
    ...(account.ifsc ? { ifsc: account.ifsc } : {}),
  }),
};
