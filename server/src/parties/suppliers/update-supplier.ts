import type { z } from 'zod';
import type { updateSupplier as contract } from '@sangam/contract/endpoints/merchant.ts';
import { ADMINS } from '@sangam/contract/roles.ts';
import { audit } from '../../platform/audit/record.ts';
import { sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, refuse } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { listedProblem } from '../../screening/listed-problem.ts';
import { agentProblem } from './agents.ts';

interface Row {
  readonly name: string;
  readonly enabled: boolean;
  readonly agentId: string | null;
}

/** Changes what is given. A new agent earns on what is settled from now on. */
export async function updateSupplier(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.input>,
): Promise<Record<string, never> | Refusal> {
  if (!ADMINS.includes(viewer.role)) return refuse('forbidden');
  const id = BigInt(input.id);
  const listed =
    input.name && (await listedProblem(platform, { name: input.name }, 'party', `supplier:${id}`));
  if (listed) return listed;
  return platform.db.tx(async (tx) => {
    const problem = await agentProblem(tx, id, input.agentId ? BigInt(input.agentId) : null);
    if (problem) return problem;
    const [before] = await tx.query<Row>(sql`
      select name, enabled, agent_id::text as "agentId" from suppliers where id = ${id} for update`);
    if (!before) return refuse('notFound');
    const after: Row = {
      name: input.name ?? before.name,
      enabled: input.enabled ?? before.enabled,
      agentId: input.agentId === undefined ? before.agentId : input.agentId,
    };
    await tx.query(sql`
      update suppliers set name = ${after.name}, enabled = ${after.enabled}, agent_id = ${after.agentId} where id = ${id}`);
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'supplier.update',
      subject: `supplier:${id}`,
      before,
      after,
      ip: viewer.ip,
    });
    return {};
  });
}
