import type { BalanceMode } from '@sangam/contract/chain.ts';
import { MINUTE } from '../../platform/clock.ts';
import { type Tx } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { SettingValues } from '../../platform/settings/settings.ts';
import { isChecked } from './judge.ts';
import { demandsOf } from './place.ts';
import { changeEvidence, insertHolds, type Hold } from './store.ts';

/** A credit that would pay an order, or a debit that would complete a payout. */
export interface CheckedCredit {
  readonly currency: string;
  /** Minor units. */
  readonly amount: bigint;
  readonly balance: bigint | null;
  readonly balanceMode: BalanceMode;
  readonly evidence: string;
  /** Its chain bears it out. */
  readonly isPassed: boolean;
}

/** The UTR was named by the party whose phone reported the message: without a balance nobody else speaks for it. */
export const OWN_STATEMENT = 'ownStatement';

/** Evidence that names the order, not merely a sum. */
const NAMES_ORDER: ReadonlySet<string> = new Set(['payerUtr', 'identifyCode', 'payoutUtr']);

/**
 * Whether a credit may complete an order by itself. Without a balance the chain cannot help: an account whose bank never states
 * one asks for evidence that names the order, one whose bank sometimes does lets pass what is below the check amount.
 */
export function mayComplete(credit: CheckedCredit, settings: SettingValues): boolean {
  if (!settings.EnableSystemCheck || credit.isPassed || credit.currency === 'USDT') return true;
  if (credit.balance !== null || credit.evidence === OWN_STATEMENT) return false;
  if (credit.balanceMode === 'none') return NAMES_ORDER.has(credit.evidence);
  return credit.balanceMode === 'optional' && !isChecked(credit.amount, demandsOf(settings));
}

/** Notes credits that wait for their chain to bear them out: until the look-forward time is over, then an operator decides. */
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

/** Credits held for this order by less, or for another by its amount, are named by the payer: they are decided anew at the next sweep. */
export function nameHolds(tx: Tx, orderId: bigint, messageIds: readonly bigint[]): Promise<void> {
  return changeEvidence(tx, orderId, messageIds, 'payerUtr');
}

/** Credits wait for no order any more. */
export { deleteHolds as dropHolds } from './store.ts';
