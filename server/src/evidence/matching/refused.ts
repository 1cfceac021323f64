import { awaitsMessage } from '../../collection/matchable.ts';
import { rememberJoined } from '../../collection/complete.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Refusal } from '../../platform/refusal.ts';
import { joined, judgeUsed } from './booked.ts';
import { verdict } from './credit.ts';
import { joinMessage } from './join.ts';
import { movedAtOf } from './reported-amounts.ts';

/** A stored credit that waited for an order and can no longer complete it. Amounts in minor units. */
export interface RefusedCredit {
  readonly messageId: bigint;
  readonly orderId: bigint;
  readonly accountId: bigint;
  readonly amount: bigint;
  readonly currency: string;
  readonly utr: string | null;
}

/**
 * Decides what becomes of the credit. If an order has used its reference already, `judgeUsed` decides. A credit without a reference becomes
 * the message of its order, if an operator has completed that order with this sum meanwhile. Otherwise the credit is unmatched, and so lost
 * money. `refusal`: why it completes nothing.
 */
export async function settleRefused(
  platform: Platform,
  tx: Tx,
  credit: RefusedCredit,
  refusal: Pick<Refusal, 'code'> | undefined,
): Promise<void> {
  const { messageId, utr } = credit;
  const isUsed = refusal?.code === 'utrUsed' && utr !== null;
  const [judged] = isUsed
    ? await judgeUsed(platform, tx, [{ ...credit, reference: utr, ...(await storedOf(tx, messageId)) }])
    : [];
  const { state, reason, orderId } =
    judged?.[1] ??
    (utr === null && (await isItsMessage(tx, credit))
      ? joined(credit.orderId)
      : verdict('unmatched', 'orderClosed'));
  if (orderId !== null) {
    const { accountId, amount } = credit;
    const message = { orderId, accountId, received: amount, stated: utr !== null };
    rememberJoined(tx, [message], platform.clock.now());
    await joinMessage(platform, tx, messageId, orderId, 'supplement');
  } else
    await tx.query(sql`update messages set state = ${state}, reason = ${reason} where id = ${messageId}`);
}

async function storedOf(tx: Tx, messageId: bigint): Promise<{ readonly text: string; readonly at: Date }> {
  const [message] = await tx.query<{ text: string; at: Date }>(sql`
    select m.text, ${movedAtOf(sql`m`)} as at from messages m where m.id = ${messageId}`);
  return message!;
}

async function isItsMessage(tx: Tx, { orderId, accountId, amount }: RefusedCredit): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from collection_orders o
    where o.id = ${orderId} and o.account_id = ${accountId} and o.received = ${amount} and ${awaitsMessage(sql`o`)}`);
  return rows.length > 0;
}
