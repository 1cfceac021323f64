import { MINUTE } from '../platform/clock.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Mend } from '../platform/mend.ts';

/** The next claim removes expired leases. A lease expired longer ago than this was missed by every claim. */
const OLD = 10 * MINUTE;

/** Leases that a dead node left and no claim has removed since: their callbacks become due again. */
export async function mendCallbackLeases(tx: Tx, at: Date): Promise<Mend[]> {
  const rows = await tx.query<{ claim: bigint; merchantId: bigint; count: number }>(sql`
    delete from callback_leases where until < ${new Date(at.getTime() - OLD)}
    returning claim, merchant_id as "merchantId", cardinality(callback_ids)::int as count`);
  return rows.map(({ claim, merchantId, count }) => ({
    kind: 'callbackLease',
    subject: `callbackLease:${claim}`,
    before: { merchantId: String(merchantId), callbacks: count },
    after: {},
  }));
}
