import { mpesaAccess } from '../accounts/mpesa-access.ts';
import type { Daraja } from '../channels/mpesa/daraja.ts';
import { MINUTE, SECOND } from '../platform/clock.ts';
import type { Platform } from '../platform/platform.ts';
import { c2bAddresses } from '../channels/mpesa/paths.ts';
import { beginWatches, noteRegistered, noteWatched, registeredUrl, takeDueWatches } from './store.ts';

const BATCH = 16;
const LOOK_EVERY = 20 * SECOND;
const AGAIN_AFTER_TROUBLE = 30 * SECOND;

/**
 * Makes M-Pesa report payments to the short codes that have credentials: registers our addresses once, and keeps these accounts online
 * while that holds. Phones are left to their monitors. Returns the number of accounts that were looked at.
 */
export async function watchMpesa(platform: Platform, daraja: Daraja): Promise<number> {
  await beginWatches(platform, 'mpesa', 'M-Pesa');
  const watches = await takeDueWatches(platform, 'mpesa', { limit: BATCH, leaseMs: MINUTE });
  for (const { account, problem: before } of watches) {
    const now = platform.clock.now();
    const next = (afterMs: number) => ({
      nextAt: new Date(now.getTime() + afterMs),
      readUntil: null,
      rescannedAt: null,
    });
    try {
      const isRegistered = await register(platform, daraja, account.id);
      await noteWatched(platform.db, account.id, {
        ...next(LOOK_EVERY),
        seenAt: isRegistered ? now : null,
        problem: null,
      });
    } catch (error) {
      const problem = (error instanceof Error ? error.message : String(error)).slice(0, 200);
      // Logged once, not at every look while it lasts.
      if (problem !== before)
        platform.log.warn(
          { err: error, accountId: String(account.id) },
          'M-Pesa does not tell of an account',
        );
      await noteWatched(platform.db, account.id, { ...next(AGAIN_AFTER_TROUBLE), seenAt: null, problem });
    }
  }
  return watches.length;
}

/** Registers our addresses where needed. Returns whether M-Pesa reports the account's payments to us. */
async function register(platform: Platform, daraja: Daraja, accountId: bigint): Promise<boolean> {
  const access = await mpesaAccess(platform, accountId);
  if (!access || access.type === 'phone') return false;
  const urls = await c2bAddresses(platform, accountId);
  if ((await registeredUrl(platform.db, accountId)) === urls.confirmation) return true;
  // The owner of a short code can see our addresses at M-Pesa and report payments to himself.
  if (platform.config.mpesaAddresses === undefined)
    throw new Error('MPESA_ADDRESSES does not say from where M-Pesa may call');
  await daraja.registerUrls(access, urls);
  await noteRegistered(platform.db, accountId, urls.confirmation);
  return true;
}
