import { SECOND } from '../platform/clock.ts';
import { type Queryable, sql } from '../platform/db/database.ts';
import { type TermsDay, termsLimitReached } from '../terms/products/terms-day.ts';
import type { SettingValues } from '../platform/settings/settings.ts';
import type { Offer } from './offers.ts';
import { isOutsideHours, isWelcome } from './openness.ts';

/** A receiving account for one product, with everything that allocation compares. Amounts in minor units. */
export interface Candidate extends Offer {
  readonly lastSeenMs: number;
  /** Shared by the candidates of one account, one for each product. */
  readonly usage: Usage;
  /** Shared by the candidates of one supplier and product. */
  readonly supplierDay: TermsDay;
}

/** The present load of an account; counted on in memory while a batch is placed. */
export interface Usage {
  /** The version of the account's load that was read. */
  readonly version: bigint;
  waitingCount: number;
  dayOrders: number;
  dayAmount: bigint;
  lastUsedMs: number;
}

/** The facts of an order that an account's rules look at. */
export interface CandidateOrder {
  readonly amount: bigint;
  readonly merchantId: bigint;
  readonly userName: string | null;
}

/**
 * By supplier, the room of its deposit: the deposit above its floor, without what is unproven, less what waits on its accounts
 * and is not held from the deposit yet. Just after the setting was switched, when orders with and without holds wait, holds of
 * timed-out orders may hide some of that.
 */
export type DepositRoom = Map<bigint, bigint>;

/** Ids of every account of a product, refused ones too. */
export async function accountsOf(db: Queryable, productId: number): Promise<bigint[]> {
  const rows = await db.query<{ id: bigint }>(sql`
    select account_id as id from resources where product_id = ${productId}`);
  return rows.map(({ id }) => id);
}

/**
 * The first rule that refuses a candidate for every order, or undefined. The names of the rules appear in the explanation of an
 * allocation.
 */
export function standingRefusal(
  candidate: Candidate,
  now: Date,
  settings: SettingValues,
): string | undefined {
  if (candidate.frozen) return 'frozen';
  if (!candidate.enabled) return 'disabled';
  if (candidate.supplierFrozen) return 'supplierFrozen';
  if (!candidate.supplierEnabled) return 'supplierDisabled';
  if (settings.KYC && candidate.supplierKycUntilMs <= now.getTime()) return 'kycMissing';
  if (settings.KYC && candidate.ownershipProvenUntilMs <= now.getTime()) return 'ownershipUnproven';
  if (isOutsideHours(candidate, now)) return 'outsideHours';
  if (candidate.lastSeenMs < now.getTime() - settings.MonitorLiveTime * SECOND)
    return candidate.channel === 'usdt' ? 'chainNodeSilent' : 'monitorOffline';
  return undefined;
}

/** The first rule that refuses a candidate for this order, or undefined when it may take it. */
export function refusalOf(
  candidate: Candidate,
  order: CandidateOrder,
  settings: SettingValues,
  room: DepositRoom,
): string | undefined {
  const { usage } = candidate;
  const { amount } = order;
  if (amount < candidate.minAmount || amount > candidate.maxAmount) return 'outsideLimits';
  if (!isWelcome(candidate, order)) return 'notWhitelisted';
  const limit = settings.LimitMode === 'enforce' ? limitReached(candidate, amount) : undefined;
  if (limit) return limit;
  const supplierLimit = termsLimitReached(candidate.supplierDay, amount);
  if (supplierLimit)
    return supplierLimit === 'count' ? 'supplierDailyCountReached' : 'supplierDailyAmountReached';
  if (usage.waitingCount >= candidate.maxWaiting) return 'busy';
  const { redWalletCount } = settings;
  if (candidate.channel === 'wallet' && redWalletCount > 0 && usage.waitingCount >= redWalletCount)
    return 'walletFull';
  if ((room.get(candidate.supplierId) ?? 0n) < amount) return 'depositInsufficient';
  return undefined;
}

/** The daily limit of the account that an order of this amount would exceed. */
export function limitReached(
  { usage, dailyCountLimit, dailyAmountLimit }: Candidate,
  amount: bigint,
): 'dailyCountReached' | 'dailyAmountReached' | undefined {
  if (dailyCountLimit !== null && usage.dayOrders >= dailyCountLimit) return 'dailyCountReached';
  if (dailyAmountLimit !== null && usage.dayAmount + amount > dailyAmountLimit) return 'dailyAmountReached';
  return undefined;
}
