import { formatMinor } from '@sangam/contract/money.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { ReportedMessage } from '../evidence/matching/message.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import type { Platform } from '../platform/platform.ts';
import { newReference } from './payments.ts';

/** A paying account at ICICI, and the monitor that reports it. */
export interface PayingAccount {
  readonly accountNumber: string;
  readonly monitorId: bigint;
  readonly supplierId: bigint;
}

/** Amounts in paise. */
export interface ReportedDebit {
  readonly amount: bigint;
  /** Null: the wording has none. */
  readonly utr?: string | null;
  /** The time that the wording names, to the second. Without it the wording names only the day, which is today. */
  readonly movedAt?: Date;
  /** The wording names only the day of `movedAt`. */
  readonly dayOnly?: boolean;
  /** The last digits of the payee's account. */
  readonly to?: string;
  /** The balance in the text. Absent: the text has none. */
  readonly balance?: bigint | undefined;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

let told = 0;

/** A debit in the wording of the account's bank. */
export function debitSms(
  platform: Platform,
  { accountNumber }: Pick<PayingAccount, 'accountNumber'>,
  {
    amount,
    utr = newReference(),
    movedAt,
    dayOnly = movedAt === undefined,
    to = '456',
    balance,
  }: ReportedDebit,
): ReportedMessage {
  told += 1;
  const [day, clock] = formatTime(movedAt ?? platform.clock.now()).split(' ');
  const [year, month, date] = day!.split('-');
  const time = dayOnly ? '' : ` ${clock}`;
  const reference = utr === null ? '' : `IMPS:${utr}.`;
  const stated = balance === undefined ? '' : ` Avl Bal Rs ${formatMinor(balance, 'INR')}.`;
  return {
    messageId: `debit-${told}`,
    kind: 'sms',
    sender: 'AX-ICICIB-S',
    text: `ICICI Bank Acct XX${accountNumber.slice(-4)} debited with Rs ${formatMinor(amount, 'INR')} on ${date}-${MONTHS[Number(month) - 1]}-${year!.slice(2)}${time} & Acct XX${to} credited.${reference}${stated} Call 18002662 for dispute`,
    receivedAt: platform.clock.now(),
    accountHint: undefined,
  };
}

/** The monitor reports a debit. */
export async function reportDebit(
  platform: Platform,
  account: PayingAccount,
  debit: ReportedDebit,
): Promise<void> {
  await receiveMessages(platform, monitorOf(account), [debitSms(platform, account, debit)]);
}

export const monitorOf = ({ monitorId: id, supplierId }: PayingAccount) => ({ id, supplierId });

/** Money that the bank has given back to the account, in the wording of the account's bank. */
export function returnSms(
  platform: Platform,
  { accountNumber }: Pick<PayingAccount, 'accountNumber'>,
  {
    amount,
    utr = newReference(),
    text = '',
  }: Pick<ReportedDebit, 'amount' | 'utr'> & { readonly text?: string },
): ReportedMessage {
  told += 1;
  const [year, month, date] = formatTime(platform.clock.now()).slice(0, 10).split('-');
  const reference = utr === null ? '' : ` with UPI: ${utr}`;
  return {
    messageId: `return-${told}`,
    kind: 'sms',
    sender: 'AX-ICICIB-S',
    text: `Dear Customer, your ICICI Bank Account XX${accountNumber.slice(-4)} has been credited with Rs ${formatMinor(amount, 'INR')} on ${date}-${MONTHS[Number(month) - 1]}-${year!.slice(2)} as reversal of failed transaction${reference}${text}.`,
    receivedAt: platform.clock.now(),
    accountHint: undefined,
  };
}

/** The monitor reports that the bank has given money back to the account. */
export async function reportReturn(
  platform: Platform,
  account: PayingAccount,
  money: Parameters<typeof returnSms>[2],
): Promise<void> {
  await receiveMessages(platform, monitorOf(account), [returnSms(platform, account, money)]);
}
