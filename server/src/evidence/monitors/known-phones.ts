import { callRates, comeAgainIn, takeCall, waitOf } from '../../http/call-rates.ts';
import type { SignedMonitor } from '../../http/route.ts';
import { sourceOf } from '../../platform/net/source.ts';
import { perPlatform } from '../../platform/node-state.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';

/** This many pairs of phone and address are remembered. Beyond that, the pair that signed longest ago is forgotten. */
const MOST = 20_000;

export interface KnownPhones {
  /**
   * Checks a monitor's call (`check` verifies the signature), or answers 429. An address with too many wrong signatures gets 429, unless
   * the named monitor has signed from there before; so does a monitor that signs too many calls. So a stranger who knows a monitor's id
   * cannot lock the monitor out, not even from the same address.
   */
  admit(
    ip: string,
    monitorId: string | undefined,
    check: () => Promise<SignedMonitor | Refusal>,
  ): Promise<SignedMonitor | Refusal>;
}

export const knownPhones = perPlatform((platform: Platform): KnownPhones => {
  const signed = new Set<string>();
  return {
    async admit(ip, monitorId, check) {
      const phone = `${monitorId} ${sourceOf(ip)}`;
      const wait = signed.has(phone) ? 0 : waitOf(platform, 'monitorMisses', ip);
      if (wait > 0) return comeAgainIn(wait);
      const monitor = await check();
      if (isRefusal(monitor)) {
        if (monitor.code === 'wrongSignature') takeCall(platform, 'monitorMisses', ip);
        return monitor;
      }
      signed.delete(phone);
      signed.add(phone);
      if (signed.size > MOST) signed.delete(signed.values().next().value!);
      const seconds = callRates(platform).take('monitor', String(monitor.id));
      return seconds === 0 ? monitor : comeAgainIn(seconds);
    },
  };
});
