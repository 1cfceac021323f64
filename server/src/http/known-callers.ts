import { sourceOf } from '../platform/net/source.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import { type CallKind, comeAgainIn, takeCall, waitOf } from './call-rates.ts';
import { createLetIn } from './let-in.ts';

export interface SignedCall {
  readonly ip: string;
  /** Who the call says that it is from. */
  readonly caller: string;
  /** Whose wrong signatures are counted: all of the address (empty), or only the caller's at the address. */
  readonly counted: string;
}

export interface KnownCallers {
  /**
   * Checks a call (`check` verifies the signature), or answers 429 after too many wrong signatures. Callers that have signed from their
   * address before are always checked. So a stranger who knows a caller's id cannot lock the caller out, not even from the same address.
   */
  admit<Signed>(call: SignedCall, check: () => Promise<Signed | Refusal>): Promise<Signed | Refusal>;
}

/** The callers of one kind that have signed at this node; `misses` is the rate of wrong signatures. */
export function knownCallers(platform: Platform, misses: CallKind): KnownCallers {
  const signed = createLetIn();
  return {
    async admit({ ip, caller, counted }, check) {
      const pair = `${caller} ${sourceOf(ip)}`;
      const wait = signed.has(pair) ? 0 : waitOf(platform, misses, ip, counted);
      if (wait > 0) return comeAgainIn(wait);
      const result = await check();
      if (isRefusal(result)) {
        if (result.code === 'wrongSignature') takeCall(platform, misses, ip, counted);
        return result;
      }
      signed.note(pair);
      return result;
    },
  };
}
