import { isFrozen, completeOrders } from '../../collection/complete.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { nameScreen } from '../../screening/screen.ts';
import { type HeldCredit, heldAccounts, overdueAccounts, takeRipe } from '../trusted-chain/ripe.ts';
import type { Evidence } from './credit.ts';
import { noteHeld } from './held.ts';
import { joinMessage } from './join.ts';
import { leaveListed } from './listed.ts';
import { settleRefused } from './refused.ts';

/**
 * Completes orders whose held credits the chain corroborates now. Credits that the chain did not corroborate in time become untrusted, and
 * an operator decides. A sweep: one transaction per account, safe on any number of nodes. Returns the number of credits it decided.
 */
export async function releaseHeld(platform: Platform): Promise<number> {
  let decided = 0;
  for (const accountId of await heldAccounts(platform)) decided += await release(platform, accountId, false);
  return decided;
}

/**
 * Looks again at credits that are untrusted and whose chain has changed since. A patch, a late message or the next message may corroborate
 * them after their time. Returns the number of orders it completed or found closed.
 */
export async function releaseOverdue(platform: Platform): Promise<number> {
  let decided = 0;
  for (const accountId of await overdueAccounts(platform))
    decided += await release(platform, accountId, true);
  return decided;
}

async function release(platform: Platform, accountId: bigint, isOverdue: boolean): Promise<number> {
  // Loaded before the transaction: inside it, loading would need a second connection.
  await nameScreen(platform).ready();
  return platform.db.tx(async (tx) => {
    const { corroborated, overdue } = await takeRipe(platform, tx, accountId, isOverdue);
    for (const credit of corroborated) await complete(platform, tx, credit);
    for (const { messageId, reason } of overdue)
      await tx.query(
        sql`update messages set state = 'untrusted', reason = ${reason} where id = ${messageId} and state in ('held', 'untrusted')`,
      );
    return corroborated.length + (isOverdue ? 0 : overdue.length);
  });
}

async function complete(platform: Platform, tx: Tx, credit: HeldCredit): Promise<void> {
  const { orderId, messageId, accountId, amount, utr, monitorId } = credit;
  const evidence = credit.evidence as Evidence;
  if (await leaveListed(platform, tx, credit)) return;
  const [settled] = await completeOrders(platform, tx, [
    {
      orderId,
      received: amount,
      utr,
      by: 'message',
      offset: false,
      accountId,
      actor: { kind: 'monitor', id: monitorId, ip: null },
      data: { messageId: String(messageId), evidence },
    },
  ]);
  if (isFrozen(settled!)) {
    await tx.query(sql`update messages set state = 'held', reason = 'orderFrozen' where id = ${messageId}`);
    await noteHeld(platform, tx, [{ orderId, messageId, evidence }]);
  } else if (isRefusal(settled)) await settleRefused(platform, tx, credit, settled);
  else await joinMessage(platform, tx, messageId, orderId, evidence);
}
