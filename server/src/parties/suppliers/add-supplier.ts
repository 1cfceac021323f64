import { audit } from '../../platform/audit/record.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Viewer } from '../../platform/viewer.ts';

export interface NewSupplier {
  readonly userId: bigint;
  readonly name: string;
  readonly agentId: bigint | null;
  /** The merchant that was made together with it. */
  readonly relatedMerchantId: bigint | null;
}

/** Writes a supplier for a user that has none. The caller has checked its agent. */
export async function addSupplier(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  supplier: NewSupplier,
): Promise<bigint> {
  const { userId, name, agentId, relatedMerchantId } = supplier;
  const [row] = await tx.query<{ id: bigint }>(sql`
    insert into suppliers (user_id, name, agent_id, related_merchant_id, created_at)
    values (${userId}, ${name}, ${agentId}, ${relatedMerchantId}, ${platform.clock.now()})
    returning id`);
  await audit(platform, tx, {
    userId: viewer.userId,
    action: 'supplier.create',
    subject: `supplier:${row!.id}`,
    after: {
      userId: String(userId),
      name,
      agentId: agentId && String(agentId),
      relatedMerchantId: relatedMerchantId && String(relatedMerchantId),
    },
    ip: viewer.ip,
  });
  return row!.id;
}
