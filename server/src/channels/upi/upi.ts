import { formatMinor } from '@sangam/contract/money.ts';
import { upiLink } from '@sangam/contract/upi-link.ts';
import type { PayeeAccount } from '../../accounts/load.ts';
import type { Channel, PayableOrder } from '../channel.ts';

/** The UPI link of an order; `tr` is the order's identify code. */
function linkTo(order: PayableOrder, account: PayeeAccount): string {
  return upiLink([
    ['pa', account.vpa ?? ''],
    ['pn', account.ownerName],
    ['am', formatMinor(order.payable, order.currency)],
    ['cu', 'INR'],
    ['tr', order.identifyCode],
    ['tn', order.identifyCode],
  ]);
}

export const upi: Channel = {
  prepare: (order, account) => ({
    ...(account.vpa ? { vpa: account.vpa, upiLink: linkTo(order, account) } : {}),
    payeeName: account.ownerName,
  }),
};
