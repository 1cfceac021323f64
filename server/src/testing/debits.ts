import { formatMinor } from '@sangam/contract/money.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import type { Platform } from '../platform/platform.ts';
import { newReference } from './payments.ts';

/** An ICICI account that pays, and the device that tells of it. */
export interface PayingAccount {
  readonly accountNumber: string;
  readonly monitorId: bigint;
  readonly supplierId: bigint;
}

/** Amounts in paise. */
export interface ReportedDebit {
  readonly amount: bigint;
  /** Null: the wording names none. */
  readonly utr?: string | null;
  /** The second the wording names; without one it names the day alone. */
  readonly movedAt?: Date;
  /** The end of the payee's account. */
  readonly to?: string;
  /** What the text states; absent: none. */
  readonly balance?: bigint | undefined;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

let told = 0;

/** The device tells of a debit, as the account's bank writes it. */
export async function reportDebit(
  platform: Platform,
  { accountNumber, monitorId, supplierId }: PayingAccount,
  { amount, utr = newReference(), movedAt, to = '456', balance }: ReportedDebit,
): Promise<void> {
  told += 1;
  const [day, clock] = formatTime(movedAt ?? platform.clock.now()).split(' ');
  const [year, month, date] = day!.split('-');
  const time = movedAt === undefined ? '' : ` ${clock}`;
  const reference = utr === null ? '' : `IMPS:${utr}.`;
  const stated = balance === undefined ? '' : ` Avl Bal Rs ${formatMinor(balance, 'INR')}.`;
  await receiveMessages(platform, { id: monitorId, supplierId }, [
    {
      messageId: `debit-${told}`,
      kind: 'sms',
      sender: 'AX-ICICIB-S',
      text: `ICICI Bank Acct XX${accountNumber.slice(-4)} debited with Rs ${formatMinor(amount, 'INR')} on ${date}-${MONTHS[Number(month) - 1]}-${year!.slice(2)}${time} & Acct XX${to} credited.${reference}${stated} Call 18002662 for dispute`,
      receivedAt: platform.clock.now(),
      accountHint: undefined,
    },
  ]);
}
