import type { removeBeneficiary as contract } from '@sangam/contract/endpoints/withdrawal.ts';
import type { z } from 'zod';
import { audit } from '../../platform/audit/record.ts';
import type { Platform } from '../../platform/platform.ts';
import { refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { beneficiaryOf, endBeneficiary } from './store.ts';

/** Removes a beneficiary from the list. A second call changes nothing. */
export async function removeBeneficiary(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.input>,
): Promise<z.input<typeof contract.output> | Refusal> {
  const { merchantId } = viewer;
  if (merchantId === null) return refuse('forbidden');
  const id = BigInt(input.id);
  return platform.db.tx(async (tx) => {
    const found = await beneficiaryOf(tx, merchantId, id);
    if (!found) return refuse('notFound');
    if (!(await endBeneficiary(tx, merchantId, id, platform.clock.now()))) return {};
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'beneficiary.remove',
      subject: `merchant:${merchantId}`,
      before: { beneficiaryId: String(id), userName: found.name },
      ip: viewer.ip,
    });
    return {};
  });
}
