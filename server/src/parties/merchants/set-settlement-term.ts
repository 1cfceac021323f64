import type { setSettlementTerm as contract } from '@sangam/contract/endpoints/settlement.ts';
import { ADMINS } from '@sangam/contract/roles.ts';
import type { z } from 'zod';
import { audit } from '../../platform/audit/record.ts';
import { sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';

/** Sets after how many days a merchant's credits become available, from the next credit on. */
export function setSettlementTerm(
  platform: Platform,
  viewer: Viewer,
  { merchantId, days, reason }: z.output<typeof contract.input>,
): Promise<Record<string, never> | Refusal> {
  return platform.db.tx(async (tx) => {
    if (!ADMINS.includes(viewer.role)) return refuse('forbidden');
    const [before] = await tx.query<{ days: number }>(sql`
      select settlement_days as days from merchants where id = ${BigInt(merchantId)} for no key update`);
    if (!before) return refuse('notFound');
    await tx.query(sql`update merchants set settlement_days = ${days} where id = ${BigInt(merchantId)}`);
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'settlement.setTerm',
      subject: `merchant:${merchantId}`,
      before,
      after: { days, reason },
      ip: viewer.ip,
    });
    return {};
  });
}
