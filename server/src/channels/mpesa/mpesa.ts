import type { Channel } from '../channel.ts';

/** M-Pesa: a paybill with the order's code as account, a till, or a phone number. */
export const mpesa: Channel = {
  prepare: (order, { accountNumber, mpesaType, ownerName, hasApi }) => ({
    payeeName: ownerName,
    ...(hasApi && mpesaType !== 'phone' ? { stkPush: true } : {}),
    ...(mpesaType === 'paybill' ? { paybill: accountNumber, accountReference: order.identifyCode } : {}),
    ...(mpesaType === 'till' ? { till: accountNumber } : {}),
    ...(mpesaType === 'phone' ? { phone: accountNumber } : {}),
  }),
};
