import { formatMinor } from '@sangam/contract/money.ts';
import type { PayeeAccount } from '../../accounts/load.ts';
import type { Channel, PayableOrder } from '../channel.ts';

/**
 * UPI deep link (NPCI UPI Linking Specification 1.6; the QR is the same string): every value percent-encoded,
 * spaces as %20, the `@` of `pa` plain because some apps fail on %40. `tr` is the order's identify code.
 */
function upiLink(order: PayableOrder, account: PayeeAccount): string {
  const fields: [string, string][] = [
    ['pa', account.vpa ?? ''],
    ['pn', account.ownerName],
    ['am', formatMinor(order.payable, order.currency)],
    ['cu', 'INR'],
    ['tr', order.identifyCode],
    ['tn', order.identifyCode],
  ];
  const query = fields.map(([name, value]) => `${name}=${encodeURIComponent(value).replace('%40', '@')}`);
  return `upi://pay?${query.join('&')}`;
}

export const upi: Channel = {
  prepare: (order, account) => ({
    ...(account.vpa ? { vpa: account.vpa, upiLink: upiLink(order, account) } : {}),
    payeeName: account.ownerName,
  }),
};
