import { isDeepStrictEqual } from 'node:util';
import { updateLimits, updateMerchant } from '@sangam/contract/endpoints/merchant.ts';
import { z } from 'zod';
import { type Started, startApproval } from '../../approvals/start.ts';
import { notify } from '../../inbox/notify.ts';
import { usersToTell } from '../../inbox/party-users.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';

/** A requested change that would let others call or sign as a merchant; `before`: the door at the time of the request. */
export const accessChange = z.discriminatedUnion('change', [
  z.object({ change: z.literal('secret'), overlapMinutes: z.int() }),
  z.object({
    change: z.literal('signType'),
    input: updateMerchant.input.pick({ id: true, signType: true, cancelByMd5: true }),
    before: z.unknown(),
  }),
  z.object({ change: z.literal('addresses'), input: updateLimits.input, before: z.unknown() }),
]);

/** Asks for a second person. */
export function askForAccess(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  merchantId: bigint,
  payload: z.input<typeof accessChange>,
): Promise<Started | Refusal> {
  return startApproval(platform, tx, viewer, {
    kind: 'merchantAccess',
    subjectKind: 'merchant',
    subjectId: merchantId,
    payload,
    reason: null,
    sole: true,
  });
}

/** Whether the door is still as it was at the time of the request. */
export function isAsBefore(row: unknown, before: unknown): boolean {
  return before === undefined || isDeepStrictEqual(row, before);
}

/** Notifies the merchant's users who are responsible for its keys of each change in how it signs or calls, whoever made it. */
export async function tellMerchant(
  platform: Platform,
  tx: Tx,
  merchantId: bigint,
  kind: 'secretChanged' | 'signTypeChanged' | 'addressesChanged',
): Promise<void> {
  const userIds = await usersToTell(tx, { merchantId, supplierId: null }, 'keys');
  await notify(platform, tx, { userIds }, kind, {});
}
