import type { Channel } from '@sangam/contract/products.ts';
import { type PayeeFields, readPayee } from '../../payout/payee.ts';
import { maskAccountNumber, maskVpa } from '../../platform/masking.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';
import type { PaidTo } from './store.ts';

type Kind = 'bank' | 'upi';

const kindOf = ({ vpa }: Pick<PaidTo, 'vpa'>): Kind => (vpa === null ? 'bank' : 'upi');

/** Reads a beneficiary: a valid payee of a payout of this kind, with the name that the bank has. */
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

/** The fields of a payout that pays this beneficiary. */
export function payeeOf({ name, bank, account, ifsc, vpa }: PaidTo): PayeeFields {
  return vpa === null
    ? { userName: name, bankName: bank!, cardNumber: account!, ifscCode: ifsc! }
    : { userName: name, vpa };
}

/** Whether payouts of a channel can pay this beneficiary. */
export function isPaidBy(to: PaidTo, channel: Channel): boolean {
  return channel === 'gateway' || channel === kindOf(to);
}

/** What the merchant sees: enough to tell one from another. */
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
