import { ADMINS } from '@sangam/contract/roles.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { audit } from '../../platform/audit/record.ts';
import { MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, refuse } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { newSecret } from './add-merchant.ts';

/**
 * Issues a new secret, answered this once. Until the overlap ends calls signed with the old one are accepted too; a
 * secret older than that stops at once. Without overlap (a leak) the old one stops now.
 */
export async function rotateSecret(
  platform: Platform,
  viewer: Viewer,
  input: { readonly id: string; readonly overlapMinutes: number },
): Promise<{ readonly secret: string; readonly previousValidUntil: string | null } | Refusal> {
  if (!ADMINS.includes(viewer.role)) return refuse('forbidden');
  const id = BigInt(input.id);
  const secret = newSecret();
  return platform.db.tx(async (tx) => {
    const overlaps = input.overlapMinutes > 0;
    const until = overlaps ? new Date(platform.clock.now().getTime() + input.overlapMinutes * MINUTE) : null;
    const rows = await tx.query(sql`
      update merchants set secret = ${platform.vault.seal(secret)}, previous_valid_until = ${until},
        previous_secret = case when ${overlaps} then secret end
      where id = ${id} returning id`);
    if (rows.length === 0) return refuse('notFound');
    const previousValidUntil = until && formatTime(until);
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'merchant.rotateSecret',
      subject: `merchant:${id}`,
      after: { previousValidUntil },
      ip: viewer.ip,
    });
    return { secret, previousValidUntil };
  });
}
