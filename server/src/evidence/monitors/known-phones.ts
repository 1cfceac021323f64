import { callRates, comeAgainIn, takeCall, waitOf } from '../../http/call-rates.ts';
import type { SignedMonitor } from '../../http/route.ts';
import { sourceOf } from '../../platform/net/source.ts';
import { perPlatform } from '../../platform/node-state.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';

/** Phones remembered with the address they signed from; beyond it the ones that signed longest ago are forgotten. */
const MOST = 20_000;

export interface KnownPhones {
  /**
   * Lets a call of a monitor be checked (`check`: its signature), or answers 429: to an address whose signatures were wrong too often,
   * unless the monitor it names has signed from there before, and to a monitor that signs too many calls. A stranger who knows a
   * monitor's id therefore keeps it from nothing, also from the same address.
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
