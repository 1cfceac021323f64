import type { CollectionOrder } from '../../collection/order.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { OpenCredit } from './join.ts';
import { amountKey, isAwaited, lockOtherWordings, rememberedAmounts } from './reported-amounts.ts';
import { spentCredits } from './spent.ts';
import { debitsNaming } from './taken-back.ts';

interface Said {
  readonly utr: string;
  readonly offset: boolean;
}

/** Whether the money that is said to have paid an order is spent already, or gone. */

/**
 * Which credits of the money that is said to have paid the order are spent already (`spentCredits`), and which debits take it back. No
 * credits for an offset: its money came to another account.
 */
export async function spentFor(
  platform: Platform,
  tx: Tx,
  order: CollectionOrder,
  { utr, offset }: Said,
  credit: OpenCredit | undefined,
): Promise<readonly string[]> {
  const { id: orderId, accountId } = order;
  if (credit) return spentCredits(platform, tx, [{ messageId: credit.id }]);
  const found = await debitsNaming(tx, offset ? null : accountId, utr, platform.clock.now());
  const back = found.map(String);
  if (offset || accountId === null) return back;
  // The payer may have rounded the floating part away.
  const sums = [...new Set([receivedBy(order, credit), order.amount])];
  const spent = await spentCredits(
    platform,
    tx,
    sums.map((amount) => ({ accountId, orderId, amount })),
  );
  return [...spent, ...back];
}

/**
 * Whether the money may have completed an order or been settled outside already: in another wording, or because the desk completed an order
 * with this sum whose message has not come. Or it may be gone again: its order was reversed, or the account's bank reports its number as a
 * debit too. Or its payer is listed.
 */
export async function isSpentOtherwise(
  platform: Platform,
  tx: Tx,
  accountId: bigint | null,
  { id, amount, reason, utr }: OpenCredit,
): Promise<boolean> {
  if (reason === 'reversed' || reason === 'wentBack' || reason === 'payerListed') return true;
  const now = platform.clock.now();
  const others = await lockOtherWordings(tx, id, now);
  if (others.some(({ isSpent }) => isSpent)) return true;
  if (utr !== null || accountId === null) return false;
  const known = await rememberedAmounts(tx, [{ accountId, amount }], [id], now);
  return isAwaited(known.get(amountKey({ accountId, amount })));
}

/** Whether a debit names the payment (`debitsNaming`): the bank may have taken it back. */
export async function isTakenBack(
  platform: Platform,
  tx: Tx,
  { accountId }: CollectionOrder,
  { utr, offset }: Said,
): Promise<boolean> {
  const found = await debitsNaming(tx, offset ? null : accountId, utr, platform.clock.now());
  return found.length > 0;
}

/** The sum that counts as received: the credit's, or else what the order asked. Minor units. */
export function receivedBy(order: CollectionOrder, credit: OpenCredit | undefined): bigint {
  return credit?.amount ?? order.payable ?? order.amount;
}
