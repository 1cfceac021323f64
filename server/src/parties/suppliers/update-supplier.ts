import { z } from 'zod';
import type { updateSupplier as contract } from '@sangam/contract/endpoints/merchant.ts';
import { ADMINS } from '@sangam/contract/roles.ts';
import { approvalHandler } from '../../approvals/approval.ts';
import { approvalNeeded, startApproval, type Started } from '../../approvals/start.ts';
import { audit } from '../../platform/audit/record.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { listedProblem } from '../../screening/listed-problem.ts';
import { agentProblem } from './agents.ts';

interface Row {
  readonly name: string;
  readonly enabled: boolean;
  readonly agentId: string | null;
  /** How many claims of payouts it may hold at once. */
  readonly openClaimsMax: number;
}

/**
 * Changes the given fields. Another agent, or none, changes who earns on future payments, so a second person agrees to it
 * (1205); the rest is changed at once.
 */
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
  const outcome = await platform.db.tx(async (tx): Promise<Started | Refusal | null> => {
    const problem = await agentProblem(tx, id, input.agentId ? BigInt(input.agentId) : null);
    if (problem) return problem;
    const before = await lockSupplier(tx, id);
    if (!before) return refuse('notFound');
    const agentId = input.agentId === undefined ? before.agentId : input.agentId;
    const isAsked = agentId !== before.agentId;
    await write(platform, tx, viewer, id, before, {
      name: input.name ?? before.name,
      enabled: input.enabled ?? before.enabled,
      agentId: before.agentId,
      openClaimsMax: input.openClaimsMax ?? before.openClaimsMax,
    });
    return isAsked ? askForAgent(platform, tx, viewer, id, { agentId, before: before.agentId }) : null;
  });
  if (isRefusal(outcome)) return outcome;
  return outcome ? approvalNeeded(outcome) : {};
}

/** Asks, in the caller's transaction, for another agent of a supplier, which exists, or for none. */
export async function askForAgent(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  supplierId: bigint,
  { agentId, before }: { readonly agentId: string | null; readonly before: string | null },
): Promise<Started | Refusal> {
  return startApproval(platform, tx, viewer, {
    kind: 'supplierAgent',
    subjectKind: 'supplier',
    subjectId: supplierId,
    payload: {
      // The dash shows the decider that there will be no agent.
      agent: (await nameOf(tx, agentId)) ?? '–',
      agentBefore: await nameOf(tx, before),
      agentId,
      agentIdBefore: before,
    },
    reason: null,
    sole: false,
  });
}

/** Gives the supplier the requested agent, or none, unless its agent was changed since the request. */
export const supplierAgentApproval = approvalHandler({
  kind: 'supplierAgent',
  payload: z.object({
    agent: z.string(),
    agentBefore: z.string().nullable(),
    agentId: z.string().nullable(),
    agentIdBefore: z.string().nullable(),
  }),
  summary: () => ({ amount: null, currency: null }),
  async execute(platform, tx, { subjectId, payload: { agentId, agentIdBefore } }, decider) {
    const problem = await agentProblem(tx, subjectId, agentId === null ? null : BigInt(agentId));
    if (problem) return problem;
    const before = await lockSupplier(tx, subjectId);
    if (before?.agentId !== agentIdBefore) return refuse('conflict');
    await write(platform, tx, decider, subjectId, before, { ...before, agentId });
    return {};
  },
});

async function lockSupplier(tx: Tx, id: bigint): Promise<Row | undefined> {
  const [row] = await tx.query<Row>(sql`
    select name, enabled, agent_id::text as "agentId", open_claims_max as "openClaimsMax" from suppliers where id = ${id} for update`);
  return row;
}

async function nameOf(tx: Tx, id: string | null): Promise<string | null> {
  const [row] = await tx.query<{ name: string }>(sql`select name from suppliers where id = ${id}::bigint`);
  return row?.name ?? null;
}

async function write(
  platform: Platform,
  tx: Tx,
  { userId, ip }: Viewer,
  id: bigint,
  before: Row,
  after: Row,
): Promise<void> {
  await tx.query(sql`
    update suppliers set name = ${after.name}, enabled = ${after.enabled}, agent_id = ${after.agentId},
      open_claims_max = ${after.openClaimsMax} where id = ${id}`);
  await audit(platform, tx, {
    userId,
    action: 'supplier.update',
    subject: `supplier:${id}`,
    before,
    after,
    ip,
  });
}
