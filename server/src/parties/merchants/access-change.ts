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

/** What would let others call or sign as a merchant, as it was asked for; `before`: the door that was looked at. */
export const accessChange = z.discriminatedUnion('change', [
  z.object({ change: z.literal('secret'), overlapMinutes: z.int() }),
  z.object({ change: z.literal('signType'), input: updateMerchant.input, before: z.unknown() }),
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

/** Whether the door is still the one that was looked at when it was asked for. */
export function isAsBefore(row: unknown, before: unknown): boolean {
  return before === undefined || isDeepStrictEqual(row, before);
}

/** The merchant's own users who answer for its keys hear of each change of how it proves itself, whoever made it. */
export async function tellMerchant(
  platform: Platform,
  tx: Tx,
  merchantId: bigint,
  kind: 'secretChanged' | 'signTypeChanged' | 'addressesChanged',
): Promise<void> {
  const userIds = await usersToTell(tx, { merchantId, supplierId: null }, 'keys');
  await notify(platform, tx, { userIds }, kind, {});
}
