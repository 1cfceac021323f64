import { awaitsMessage } from '../../collection/matchable.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Refusal } from '../../platform/refusal.ts';
import { joined, judgeUsed } from './booked.ts';
import { verdict } from './credit.ts';
import { joinMessage } from './join.ts';

/** A stored credit that waited for an order, which it completes no more. Amounts in minor units. */
export interface RefusedCredit {
  readonly messageId: bigint;
  readonly orderId: bigint;
  readonly accountId: bigint;
  readonly amount: bigint;
  readonly currency: string;
  readonly utr: string | null;
}

/**
 * Says what becomes of it: the message of an order that an operator has completed meanwhile is joined to that, what another order
 * has used the reference of is judged beside that one, and anything else is lost money. `refusal`: why it completes nothing.
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
    ? await judgeUsed(platform, tx, [{ ...credit, reference: utr, text: await textOf(tx, messageId) }])
    : [];
  const { state, reason, orderId } =
    judged?.[1] ??
    (utr === null && (await isItsMessage(tx, credit))
      ? joined(credit.orderId)
      : verdict('unmatched', 'orderClosed'));
  if (orderId !== null) await joinMessage(platform, tx, messageId, orderId, 'supplement');
  else await tx.query(sql`update messages set state = ${state}, reason = ${reason} where id = ${messageId}`);
}

async function textOf(tx: Tx, messageId: bigint): Promise<string> {
  const [message] = await tx.query<{ text: string }>(sql`select text from messages where id = ${messageId}`);
  return message!.text;
}

async function isItsMessage(tx: Tx, { orderId, accountId, amount }: RefusedCredit): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from collection_orders o
    where o.id = ${orderId} and o.account_id = ${accountId} and o.received = ${amount} and ${awaitsMessage(sql`o`)}`);
  return rows.length > 0;
}
