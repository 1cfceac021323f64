import { notify } from '../inbox/notify.ts';
import { sql, type Tx } from '../platform/db/database.ts';
import { sourceOf } from '../platform/net/source.ts';
import type { Platform } from '../platform/platform.ts';

/**
 * Notifies a user of a sign-in whose address or browser is in none of its sessions of the last 30 days. A user who did not sign
 * in then ends that session and changes the password. The very first sign-in is not reported.
 */
export async function tellOfNewDevice(
  platform: Platform,
  tx: Tx,
  userId: bigint,
  { ip, userAgent }: { readonly ip: string; readonly userAgent: string },
): Promise<void> {
  const earlier = await tx.query<{ ip: string; userAgent: string }>(sql`
    select distinct ip, user_agent as "userAgent" from sessions where user_id = ${userId} and stage = 'full'`);
  if (earlier.length === 0) return;
  const source = sourceOf(ip);
  const device = userAgent.slice(0, 512);
  const isKnown =
    earlier.some((each) => sourceOf(each.ip) === source) && earlier.some((each) => each.userAgent === device);
  if (!isKnown)
    await notify(platform, tx, { userIds: [userId] }, 'newSignIn', { ip, device: device.slice(0, 120) });
}
