import type { BalanceMode } from '@sangam/contract/chain.ts';
import { MINUTE } from '../../platform/clock.ts';
import { type Tx } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { SettingValues } from '../../platform/settings/settings.ts';
import { isChecked } from './judge.ts';
import { demandsOf } from './place.ts';
import { changeEvidence, insertHolds, type Hold } from './store.ts';

/** A credit that may complete an order, or a debit that may complete a payout. */
export interface CheckedCredit {
  readonly currency: string;
  /** Minor units. */
  readonly amount: bigint;
  readonly balance: bigint | null;
  readonly balanceMode: BalanceMode;
  readonly evidence: string;
  /** Its chain corroborates it. */
  readonly isPassed: boolean;
}

/** The UTR was stated by the party whose phone reported the message. Without a balance nothing else supports it. */
export const OWN_STATEMENT = 'ownStatement';

/** Evidence that names the order, and not only a sum. */
const NAMES_ORDER: ReadonlySet<string> = new Set(['payerUtr', 'identifyCode', 'payoutUtr']);

/**
 * Whether a credit may complete an order by itself. A message without balance cannot be corroborated by the chain. If the account's bank
 * never states balances, the evidence must name the order. If it sometimes does, amounts below the check amount pass.
 */
export function mayComplete(credit: CheckedCredit, settings: SettingValues): boolean {
  if (!settings.EnableSystemCheck || credit.isPassed || credit.currency === 'USDT') return true;
  if (credit.balance !== null || credit.evidence === OWN_STATEMENT) return false;
  if (credit.balanceMode === 'none') return NAMES_ORDER.has(credit.evidence);
  return credit.balanceMode === 'optional' && !isChecked(credit.amount, demandsOf(settings));
}

/** Holds credits that their chain does not corroborate yet. When `lookForwardMinutes` are over, an operator decides. */
export async function holdForChain(
  platform: Platform,
  tx: Tx,
  credits: readonly Omit<Hold, 'until'>[],
  at: Date,
): Promise<void> {
  if (credits.length === 0) return;
  const { lookForwardMinutes } = (await platform.settings.all()).GlobalSecuritySetting;
  const until = new Date(at.getTime() + lookForwardMinutes * MINUTE);
  await insertHolds(
    tx,
    credits.map((credit) => ({ ...credit, until })),
    at,
  );
}

/**
 * The payer has typed the UTR of these credits. They were held for this order on weaker evidence, or for another order by its amount. Now
 * they are held for this order and decided anew at the next sweep.
 */
export function nameHolds(tx: Tx, orderId: bigint, messageIds: readonly bigint[]): Promise<void> {
  return changeEvidence(tx, orderId, messageIds, 'payerUtr');
}

/** Ends holds: the credits wait for no order any more. */
export { deleteHolds as dropHolds } from './store.ts';
