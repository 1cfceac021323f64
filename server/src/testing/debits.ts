import { formatMinor } from '@sangam/contract/money.ts';
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
  readonly utr?: string;
  /** The end of the payee's account. */
  readonly to?: string;
  /** What the text states; absent: none. */
  readonly balance?: bigint | undefined;
}

let told = 0;

/** The device tells of a debit, as the account's bank writes it. */
export async function reportDebit(
  platform: Platform,
  { accountNumber, monitorId, supplierId }: PayingAccount,
  { amount, utr = newReference(), to = '456', balance }: ReportedDebit,
): Promise<void> {
  told += 1;
  const stated = balance === undefined ? '' : ` Avl Bal Rs ${formatMinor(balance, 'INR')}.`;
  await receiveMessages(platform, { id: monitorId, supplierId }, [
    {
      messageId: `debit-${told}`,
      kind: 'sms',
      sender: 'AX-ICICIB-S',
      text: `ICICI Bank Acct XX${accountNumber.slice(-4)} debited with Rs ${formatMinor(amount, 'INR')} on 16-Nov-26 & Acct XX${to} credited.IMPS:${utr}.${stated} Call 18002662 for dispute`,
      receivedAt: platform.clock.now(),
      accountHint: undefined,
    },
  ]);
}
