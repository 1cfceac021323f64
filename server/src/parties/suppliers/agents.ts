import { type Tx, sql } from '../../platform/db/database.ts';
import { type Refusal, refuse } from '../../platform/refusal.ts';
import { MOST_AGENT_LEVELS } from '../../platform/viewer.ts';

/**
 * Why an agent is not possible for a supplier (null: a supplier still to be made): it does not exist, it would be above itself,
 * or the chain would have more than five agents. Changes of the tree run one after another: two at once could close a circle
 * that neither sees.
 */
export async function agentProblem(
  tx: Tx,
  supplierId: bigint | null,
  agentId: bigint | null,
): Promise<Refusal | undefined> {
  if (agentId === null) return undefined;
  await tx.query(sql`lock table suppliers in share row exclusive mode`);
  const above = await tx.query<{ id: bigint }>(sql`
    with recursive above (id, agent_id, level) as (
      select id, agent_id, 1 from suppliers where id = ${agentId}
      union all
      select s.id, s.agent_id, a.level + 1 from suppliers s join above a on s.id = a.agent_id where a.level <= ${MOST_AGENT_LEVELS}
    ) select id from above`);
  if (above.length === 0) return refuse('invalidInput', { fields: 'agentId' }, { reason: 'agentUnknown' });
  if (above.some(({ id }) => id === supplierId)) return refuse('conflict', {}, { reason: 'agentCircle' });
  const below = supplierId === null ? 0 : await levelsBelow(tx, supplierId);
  return above.length + below > MOST_AGENT_LEVELS
    ? refuse('conflict', {}, { reason: 'agentTooDeep' })
    : undefined;
}

async function levelsBelow(tx: Tx, supplierId: bigint): Promise<number> {
  const [row] = await tx.query<{ levels: number }>(sql`
    with recursive team (id, level) as (
      select id, 1 from suppliers where agent_id = ${supplierId}
      union all
      select s.id, t.level + 1 from suppliers s join team t on s.agent_id = t.id where t.level <= ${MOST_AGENT_LEVELS}
    ) select coalesce(max(level), 0)::int as levels from team`);
  return row!.levels;
}
