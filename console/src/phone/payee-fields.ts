import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import { formatMinor } from '@sangam/contract/money.ts';
import { upiLink } from '@sangam/contract/upi-link.ts';

type Payee = Pick<PayoutOrderRow, 'cardNumber' | 'vpa' | 'usdtAddress' | 'phone'>;

/** The account that the money is sent to. */
export const payeeAccount = ({ cardNumber, vpa, usdtAddress, phone }: Payee): string | null =>
  cardNumber ?? vpa ?? usdtAddress ?? phone;

type Payable = Pick<PayoutOrderRow, 'orderCode' | 'amount' | 'currency' | 'userName' | 'vpa'>;

/** A link that opens a UPI app with the payout filled in; undefined for a payout that is not paid by UPI. */
export function payoutUpiLink({ orderCode, amount, currency, userName, vpa }: Payable): string | undefined {
  if (vpa === null || currency !== 'INR') return undefined;
  return upiLink([
    ['pa', vpa],
    ['pn', userName ?? ''],
    ['am', formatMinor(amount, currency)],
    ['cu', currency],
    ['tn', orderCode],
  ]);
}
