import type { SignType } from '@sangam/contract/signature.ts';
import { SECOND } from '../../platform/clock.ts';
import { keepFresh } from '../../platform/keep-fresh.ts';
import { perPlatform } from '../../platform/node-state.ts';
import type { Platform } from '../../platform/platform.ts';
import { refuse, type Refusal } from '../../platform/refusal.ts';
import { addressMatcher } from '../../platform/net/addresses.ts';
import type { LimitsRow } from './columns.ts';
import { countNodes, readLimited } from './store.ts';

/** A call of the merchant API as the limits see it. 'any' may come from addresses of either direction's list. */
export interface LimitedCall {
  readonly merchantId: bigint;
  readonly about: 'payIn' | 'payout' | 'any';
  readonly ip: string;
  readonly signType: SignType;
  /** The platform makes the call itself: it may come from any address. */
  readonly isOwnTest?: boolean;
}

interface Limited {
  readonly callsPerSecond: number | null;
  readonly namesPayoutIps: boolean;
  readonly allows: Readonly<Record<LimitedCall['about'] | 'console', (ip: string) => boolean>>;
}

interface Known {
  readonly byMerchant: ReadonlyMap<bigint, Limited>;
  readonly nodes: number;
}

export interface MerchantLimits {
  /**
   * 1107 from an address that is not allowed, and for an MD5 payout without a list of addresses; 429 above the rate. Answered
   * from memory.
   */
  callProblem(call: LimitedCall): Promise<Refusal | undefined>;
  /** Whether the merchant's users may use the console from this address. Null (no merchant): always. */
  consoleAllows(merchantId: bigint | null, ip: string): Promise<boolean>;
  /** Reads the limits again now: called after a write, so that this node applies it at once. */
  refresh(): Promise<void>;
}

/**
 * The limits of merchants, at most a second old on every node. Each node allows its share of a merchant's rate: a common count
 * would be a hot row in every call. So a merchant that uses one node of several gets only that node's share.
 */
export const merchantLimits = perPlatform((platform: Platform): MerchantLimits => {
  const { db, clock } = platform;
  const buckets = new Map<bigint, { tokens: number; at: number }>();

  const known = keepFresh(platform.state, async (): Promise<Known> => {
    const [rows, nodes] = await Promise.all([readLimited(db), countNodes(db)]);
    return {
      byMerchant: new Map(rows.map((row) => [row.id, limitedBy(row)])),
      nodes: Math.max(1, nodes),
    };
  });

  /** Takes one of the merchant's tokens. They refill continuously, up to one second's worth. */
  function takeToken(merchantId: bigint, perSecond: number): boolean {
    const now = clock.now().getTime();
    const most = Math.max(1, perSecond);
    const { tokens, at } = buckets.get(merchantId) ?? { tokens: most, at: now };
    const refilled = Math.min(most, tokens + ((now - at) / SECOND) * perSecond);
    buckets.set(merchantId, { tokens: refilled >= 1 ? refilled - 1 : refilled, at: now });
    return refilled >= 1;
  }

  return {
    refresh: known.refresh,
    async callProblem({ merchantId, about, ip, signType, isOwnTest = false }) {
      const { byMerchant, nodes } = await known.now();
      const limits = byMerchant.get(merchantId);
      // An MD5 signature never expires, so without a list a stolen call would pay out from any address.
      if (about === 'payout' && signType === 'md5' && !limits?.namesPayoutIps)
        return refuse('ipNotAllowed', {}, { reason: 'payoutNeedsAddresses' });
      if (!limits) return undefined;
      if (!isOwnTest && !limits.allows[about](ip)) return refuse('ipNotAllowed');
      const { callsPerSecond } = limits;
      if (callsPerSecond === null || takeToken(merchantId, callsPerSecond / nodes)) return undefined;
      return refuse('tooMany');
    },
    async consoleAllows(merchantId, ip) {
      if (merchantId === null) return true;
      return (await known.now()).byMerchant.get(merchantId)?.allows.console(ip) ?? true;
    },
  };
});

function limitedBy(row: LimitsRow): Limited {
  const allowed = (entries: readonly string[]) =>
    entries.length === 0 ? () => true : addressMatcher(entries);
  const payIn = allowed(row.payInIps);
  const payout = allowed(row.payoutIps);
  return {
    callsPerSecond: row.callsPerSecond,
    namesPayoutIps: row.payoutIps.length > 0,
    allows: { payIn, payout, any: (ip) => payIn(ip) || payout(ip), console: allowed(row.consoleIps) },
  };
}
