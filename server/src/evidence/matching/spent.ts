import { MESSAGE_TO_COME } from '../../collection/waiting.ts';
import { firstIdAt, ID_SLACK } from '../../platform/db/ids.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { refuse, type Refusal } from '../../platform/refusal.ts';
import { IS_SPENT, lockOtherWordings } from './reported-amounts.ts';

/** The money that a request is about: a stored credit, or what an order was paid by on an account though no message states its UTR. */
export type Money =
  | { readonly messageId: bigint }
  | { readonly accountId: bigint; readonly orderId: bigint; /** Minor units. */ readonly amount: bigint };

/**
 * The credits that may be this money and have paid an order, or were settled outside the platform: as it is when somebody asks. The
 * request keeps it, and `spentSince` holds it against how it is when a second person agrees. The credits are locked.
 */
export async function spentCredits(
  platform: Platform,
  tx: Tx,
  moneys: readonly Money[],
): Promise<readonly string[]> {
  const at = platform.clock.now();
  const spent: string[] = [];
  for (const money of moneys) {
    const found =
      'messageId' in money
        ? [...(await lockOtherWordings(tx, money.messageId, at)), ...(await itself(tx, money.messageId))]
        : await lockUnstated(tx, money, at);
    spent.push(...found.filter(({ isSpent }) => isSpent).map(({ id }) => String(id)));
  }
  return spent;
}

/** 409 where a credit has paid an order, or was settled outside, since somebody asked: that is not what was asked for. */
export function spentSince(seen: readonly string[], now: readonly string[]): Refusal | undefined {
  return now.every((id) => seen.includes(id)) ? undefined : refuse('conflict', {}, { reason: 'paidSince' });
}

interface Found {
  readonly id: bigint;
  readonly isSpent: boolean;
}

/** The credit may have paid an order that was taken back since. */
function itself(tx: Tx, messageId: bigint): Promise<Found[]> {
  return tx.query<Found>(sql`select id, ${IS_SPENT} as "isSpent" from messages where id = ${messageId}`);
}

/** Credits of this sum that state no reference, from a day before the order on. */
function lockUnstated(
  tx: Tx,
  { accountId, orderId, amount }: Exclude<Money, { readonly messageId: bigint }>,
  at: Date,
): Promise<Found[]> {
  const day = firstIdAt(at) - firstIdAt(new Date(at.getTime() - MESSAGE_TO_COME)) + ID_SLACK;
  return tx.query<Found>(sql`
    select id, ${IS_SPENT} as "isSpent" from messages
    where account_id = ${accountId} and amount = ${amount} and utr is null and direction = 'credit' and id > ${orderId - day}
    order by id for update`);
}
