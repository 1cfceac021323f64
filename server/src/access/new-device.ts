import { notify } from '../inbox/notify.ts';
import { sql, type Tx } from '../platform/db/database.ts';
import { sourceOf } from '../platform/net/source.ts';
import type { Platform } from '../platform/platform.ts';

/**
 * Tells a user of a sign-in from an address or with a browser that none of its sessions of the last 30 days had: whoever reads it and
 * did not do it ends that session and changes the password. The first sign-in of all is no news.
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
