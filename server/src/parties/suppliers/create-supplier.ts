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
import { askForAgent } from './update-supplier.ts';

/**
 * Creates a supplier with its user; with AutoCreateRelateMerchant also its paired merchant. An agent would earn on its
 * turnover, so the agent is only requested: the supplier has none until a second person agrees.
 */
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
  const { agentId } = input;
  return orAccountExists(() =>
    platform.db.tx(async (tx) => {
      const problem = await agentProblem(tx, null, agentId === undefined ? null : BigInt(agentId));
      if (problem) return problem;
      const user = await partyUser(platform, tx, viewer, 'supplier', name, input);
      if (isRefusal(user)) return user;
      const paired = pairs ? await pair(user) : null;
      if (isRefusal(paired)) return paired;
      const relatedMerchantId = paired && BigInt(paired.id);
      const id = await addSupplier(platform, tx, viewer, {
        userId: user.id,
        name,
        agentId: null,
        relatedMerchantId,
      });
      const asked =
        agentId === undefined ? null : await askForAgent(platform, tx, viewer, id, { agentId, before: null });
      if (isRefusal(asked)) return asked;
      return {
        id: String(id),
        userId: String(user.id),
        merchant: paired,
        agentTodoId: asked && String(asked.todoId),
      };

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
