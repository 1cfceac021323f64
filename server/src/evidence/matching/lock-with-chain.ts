import type { CollectionAction } from '@sangam/contract/orders.ts';
import { type LockedOrder, lockForAction } from '../../collection/actions.ts';
import { readOrder } from '../../collection/read.ts';
import type { ChosenOrder } from '../../history/row-version.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { holdChain } from '../trusted-chain/fill-gap.ts';

/**
 * Holds the chain of the order's account, then locks the order for an action. A report of the payment, also in another wording, then waits
 * and sees what was decided here: it also holds the chain before it looks at orders.
 */
export async function lockWithChain(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  subject: ChosenOrder,
  action: CollectionAction,
): Promise<LockedOrder | Refusal> {
  const accountId = (await readOrder(tx, subject.orderId))?.accountId ?? null;
  if (accountId !== null) await holdChain(platform, tx, accountId);
  return lockForAction(platform, tx, viewer, subject, action);
}
