import type { z } from 'zod';
import type { createMerchant as contract } from '@sangam/contract/endpoints/merchant.ts';
import { ADMINS } from '@sangam/contract/roles.ts';
import { orAccountExists } from '../../access/add-user.ts';
import { partyUser, relatedUser } from '../../access/party-user.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../../platform/refusal.ts';
import { listedProblem } from '../../screening/listed-problem.ts';
import { addSupplier } from '../suppliers/add-supplier.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { addMerchant } from './add-merchant.ts';

/**
 * Creates a merchant with its user, who issues its secret; with AutoCreateRelateSupplier also the supplier it is paired with.
 * The merchant can create no order until it has terms and an approved KYC record.
 */
export async function createMerchant(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.input>,
): Promise<z.input<typeof contract.output> | Refusal> {
  if (!ADMINS.includes(viewer.role)) return refuse('forbidden');
  const { AutoCreateRelateSupplier: pairs } = await platform.settings.all();
  const { name, signType, callbackTransport } = input;
  const listed = await listedProblem(platform, { name }, 'party', 'merchant:new');
  if (listed) return listed;
  return orAccountExists(() =>
    platform.db.tx(async (tx) => {
      const user = await partyUser(platform, tx, viewer, 'merchant', name, input);
      if (isRefusal(user)) return user;
      const merchant = { userId: user.id, name, signType, callbackTransport };
      const { id } = await addMerchant(platform, tx, viewer, merchant);
      const answer = { id: String(id), userId: String(user.id) };
      if (!pairs) return { ...answer, supplier: null };
      const other = await relatedUser(platform, tx, viewer, 'supplier', name, user);
      if (isRefusal(other)) return other;
      const supplier = { userId: other.id, name, agentId: null, relatedMerchantId: id };
      const supplierId = await addSupplier(platform, tx, viewer, supplier);
      const { account } = other;
      return { ...answer, supplier: { id: String(supplierId), userId: String(other.id), account } };
    }),
  );
}
