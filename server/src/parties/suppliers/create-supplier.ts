import type { z } from 'zod';
import type { createSupplier as contract } from '@sangam/contract/endpoints/merchant.ts';
import { ADMINS } from '@sangam/contract/roles.ts';
import { addMerchant } from '../merchants/add-merchant.ts';
import { orAccountExists } from '../../access/add-user.ts';
import { partyUser, relatedUser } from '../../access/party-user.ts';
import { listedProblem } from '../../screening/listed-problem.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { addSupplier } from './add-supplier.ts';
import { agentProblem } from './agents.ts';

/** A supplier with its user, under an agent or none, and, where AutoCreateRelateMerchant is on, its paired merchant. */
export async function createSupplier(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.input>,
): Promise<z.input<typeof contract.output> | Refusal> {
  if (!ADMINS.includes(viewer.role)) return refuse('forbidden');
  const { AutoCreateRelateMerchant: pairs } = await platform.settings.all();
  const { name } = input;
  const listed = await listedProblem(platform, { name }, 'party', 'supplier:new');
  if (listed) return listed;
  const agentId = input.agentId === undefined ? null : BigInt(input.agentId);
  return orAccountExists(() =>
    platform.db.tx(async (tx) => {
      const problem = await agentProblem(tx, null, agentId);
      if (problem) return problem;
      const user = await partyUser(platform, tx, viewer, 'supplier', name, input);
      if (isRefusal(user)) return user;
      const paired = pairs ? await pair(user) : null;
      if (isRefusal(paired)) return paired;
      const relatedMerchantId = paired && BigInt(paired.id);
      const id = await addSupplier(platform, tx, viewer, {
        userId: user.id,
        name,
        agentId,
        relatedMerchantId,
      });
      return { id: String(id), userId: String(user.id), merchant: paired };

      async function pair(first: { readonly id: bigint; readonly account: string }) {
        const other = await relatedUser(platform, tx, viewer, 'merchant', name, first);
        if (isRefusal(other)) return other;
        const { id: merchantId } = await addMerchant(platform, tx, viewer, {
          userId: other.id,
          name,
          signType: 'hmac-sha256-v2',
          callbackTransport: null,
        });
        return { id: String(merchantId), userId: String(other.id), account: other.account };
      }
    }),
  );
}
