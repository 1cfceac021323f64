import type { Channel } from '@sangam/contract/products.ts';
import { type PayeeFields, readPayee } from '../../payout/payee.ts';
import { maskAccountNumber, maskVpa } from '../../platform/masking.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';
import type { PaidTo } from './store.ts';

type Kind = 'bank' | 'upi';

const kindOf = ({ vpa }: Pick<PaidTo, 'vpa'>): Kind => (vpa === null ? 'bank' : 'upi');

/** Who may be a beneficiary: a payee of such a payout, with the name its bank has. */
export function readPaidTo(kind: Kind, fields: PayeeFields): PaidTo | Refusal {
  const { userName, bankName, cardNumber, ifscCode, vpa } = fields;
  const payee =
    kind === 'bank'
      ? readPayee('bank', { userName, bankName, cardNumber, ifscCode })
      : readPayee('gateway', { userName, vpa: vpa?.toLowerCase(), accountType: 'UPI' });
  if (isRefusal(payee)) return payee;
  const { name, bank, account, ifsc } = payee;
  return { name: name!, bank, account, ifsc, vpa: payee.vpa };
}

/** As the fields of a payout that pays it. */
export function payeeOf({ name, bank, account, ifsc, vpa }: PaidTo): PayeeFields {
  return vpa === null
    ? { userName: name, bankName: bank!, cardNumber: account!, ifscCode: ifsc! }
    : { userName: name, vpa };
}

/** Whether payouts of a channel pay it. */
export function isPaidBy(to: PaidTo, channel: Channel): boolean {
  return channel === 'gateway' || channel === kindOf(to);
}

/** As its merchant sees it: enough to tell one from another. */
export function shownPaidTo(to: PaidTo) {
  return {
    kind: kindOf(to),
    userName: to.name,
    bankName: to.bank,
    ifscCode: to.ifsc,
    cardNumber: to.account && maskAccountNumber(to.account),
    vpa: to.vpa && maskVpa(to.vpa),
  };
}
