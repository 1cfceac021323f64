import type { setMerchantCallbacks } from '@sangam/contract/endpoints/callback.ts';
import type { z } from 'zod';
import { audit } from '../../platform/audit/record.ts';
import { sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';

type Contract = typeof setMerchantCallbacks;
type Output = z.input<Contract['output']>;

/**
 * Pauses or resumes a merchant's callbacks, or changes its schedule. While paused, callbacks wait and use up no retries. After
 * resuming, they are sent in the order they fell due, within the merchant's concurrency slots.
 */
export async function setCallbacks(
  platform: Platform,
  viewer: Viewer,
  input: z.output<Contract['input']>,
): Promise<Output | Refusal> {
  if (viewer.role !== 'superAdmin') return refuse('forbidden');
  const id = BigInt(input.merchantId);
  return platform.db.tx(async (tx) => {
    const [before] = await tx.query<Output>(sql`
      select callbacks_paused as paused, callback_waits as "waitSeconds" from merchants where id = ${id} for update`);
    if (!before) return refuse('notFound');
    const after: Output = {
      paused: input.paused ?? before.paused,
      waitSeconds: input.waitSeconds === undefined ? before.waitSeconds : input.waitSeconds,
    };
    await tx.query(sql`
      update merchants set callbacks_paused = ${after.paused}, callback_waits = ${after.waitSeconds} where id = ${id}`);
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'callback.setMerchant',
      subject: `merchant:${id}`,
      before,
      after,
      ip: viewer.ip,
    });
    return after;
  });
}
