import type { SignedMonitor } from '../../http/route.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { nameScreen } from '../../screening/screen.ts';
import { claimedBy } from './claim-movements.ts';
import type { NewCredit } from './credit.ts';
import { isListed, leaveToOperator } from './listed.ts';
import { creditOf, type ReadMessage } from './read.ts';
import { IS_SPENT } from './reported-amounts.ts';
import { creditsToldAgain } from './store.ts';

/** Messages of a report that tell a movement again, and name a payer that is listed. The message that told it first may name nobody. */
export interface ListedRepeats {
  readonly repeats: readonly NewCredit[];
  /** The credits that told their movements first. They are stored, or of the same report. */
  readonly creditIds: ReadonlySet<bigint>;
}

/** `again`: the messages of a report whose movement another message has told. */
export async function listedRepeats(
  platform: Platform,
  tx: Tx,
  monitor: SignedMonitor,
  again: readonly ReadMessage[],
): Promise<ListedRepeats> {
  const names = await nameScreen(platform).ready();
  const found = again.flatMap((message) =>
    creditOf(message, monitor)
      .filter((credit) => isListed(names, credit))
      .map((credit) => ({ ...credit, fingerprint: claimedBy(message), utr: credit.reference })),
  );
  return {
    repeats: found,
    creditIds: found.length === 0 ? new Set() : await creditsToldAgain(tx, found),
  };
}

/** Whether a credit of the same report has its payer named by one of these messages. */
export const isToldListed = (
  { messageId, accountId, amount, reference }: NewCredit,
  { repeats, creditIds }: ListedRepeats,
): boolean =>
  creditIds.has(messageId) ||
  repeats.some(
    (repeat) =>
      reference !== null &&
      repeat.reference === reference &&
      repeat.accountId === accountId &&
      repeat.amount === amount,
  );

/**
 * Leaves the stored credits that these messages tell again to an operator, with their wordings that are held. Those that have paid stay as
 * they are: the hit tells people. The caller holds their chains, under which held credits pay.
 */
export async function leaveToldListed(
  platform: Platform,
  tx: Tx,
  { creditIds }: ListedRepeats,
): Promise<void> {
  if (creditIds.size === 0) return;
  const open = await tx.query<{ id: bigint }>(sql`
    select id from messages
    where id = any(${[...creditIds]}) and state in ('unmatched', 'ambiguous', 'held', 'untrusted') and not ${IS_SPENT}
    order by id for update`);
  await leaveToOperator(
    platform,
    tx,
    open.map(({ id }) => id),
  );
}
