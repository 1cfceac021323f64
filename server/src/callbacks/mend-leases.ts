import { MINUTE } from '../platform/clock.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Mend } from '../platform/mend.ts';

/** The next claim takes expired leases away; one that is older than this was met by none. */
const OLD = 10 * MINUTE;

/** Leases of callbacks that a dead node left and no claim has met since: their callbacks are due again. */
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
