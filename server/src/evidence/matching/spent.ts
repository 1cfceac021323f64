import { endedAmounts } from '../../collection/matchable.ts';
import { MESSAGE_TO_COME } from '../../collection/waiting.ts';
import { firstIdAt, ID_SLACK } from '../../platform/db/ids.ts';
import { type Tx, hot, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { refuse, type Refusal } from '../../platform/refusal.ts';
import { endAlike, IS_SPENT, lockOtherWordings } from './reported-amounts.ts';

/** The money that a request is about: a stored credit, or the payment of an order whose UTR no message states. */
export type Money =
  | { readonly messageId: bigint }
  | { readonly accountId: bigint; readonly orderId: bigint; /** Minor units. */ readonly amount: bigint };

/**
 * The ids of the credits that may be this money and have completed an order or were settled outside the platform, and of orders that an
 * operator has completed and whose message it may be. A request keeps the list
 * as it is when somebody asks; `spentSince` compares it with the list when a second person agrees. Locks the credits.
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
        ? [
            ...(await lockOtherWordings(tx, money.messageId, at)),
            ...(await itself(tx, money.messageId)),
            ...(await awaited(tx, money.messageId, at)),
          ]
        : await lockUnstated(tx, money, at);
    spent.push(...found.filter(({ isSpent }) => isSpent).map(({ id }) => String(id)));
  }
  return spent;
}

/** 409 if a credit has completed an order or was settled outside since the request: the asker did not know of it. */
export function spentSince(seen: readonly string[], now: readonly string[]): Refusal | undefined {
  return now.every((id) => seen.includes(id)) ? undefined : refuse('conflict', {}, { reason: 'paidSince' });
}

interface Found {
  readonly id: bigint;
  readonly isSpent: boolean;
}

/** The credit itself may have completed an order meanwhile, or one that was reversed since. Or its payer is known to be listed only now. */
function itself(tx: Tx, messageId: bigint): Promise<Found[]> {
  return tx.query<Found>(
    hot(
      'read spent credit',
      sql`
    select id, ${IS_SPENT} as "isSpent" from messages where id = ${messageId}`,
    ),
  );
}

/** An order that an operator has completed with the sum of a credit without a reference: the credit may be its message. */
async function awaited(tx: Tx, messageId: bigint, at: Date): Promise<Found[]> {
  const credits = await tx.query<{ accountId: bigint; amount: bigint }>(sql`
    select a.id as "accountId", m.amount from messages m
    join accounts a on a.id = m.account_id or m.account_id is null and a.monitor_id = m.monitor_id and a.currency = m.currency
      and ${endAlike(sql`a.account_number`, sql`m.account_tail`)}
    where m.id = ${messageId} and m.utr is null and m.amount is not null`);
  const ended = credits.length > 0 ? await endedAmounts(tx, credits, [messageId], at) : [];
  return ended.flatMap(({ awaitingIds }) => awaitingIds.map((id) => ({ id, isSpent: true })));
}

/** Locks the account's credits of this sum that state no reference, from a day before the order on. */
function lockUnstated(
  tx: Tx,
  { accountId, orderId, amount }: Exclude<Money, { readonly messageId: bigint }>,
  at: Date,
): Promise<Found[]> {
  const day = firstIdAt(at) - firstIdAt(new Date(at.getTime() - MESSAGE_TO_COME)) + ID_SLACK;
  return tx.query<Found>(
    hot(
      'unstated credits of a sum',
      sql`
    select id, ${IS_SPENT} as "isSpent" from messages
    where account_id = ${accountId} and amount = ${amount} and utr is null and direction = 'credit' and id > ${orderId - day}
    order by id for update`,
    ),
  );
}
