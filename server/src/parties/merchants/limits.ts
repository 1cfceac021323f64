import type {
  getLimits as readContract,
  updateLimits as contract,
} from '@sangam/contract/endpoints/merchant.ts';
import { ADMINS } from '@sangam/contract/roles.ts';
import type { z } from 'zod';
import { audit } from '../../platform/audit/record.ts';
import { sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import { scopeOf, type Viewer } from '../../platform/viewer.ts';
import { merchantLimits } from '../../access/limits/limits.ts';
import { LIMIT_COLUMNS, type LimitsRow } from '../../access/limits/columns.ts';

type Output = z.input<typeof readContract.output>;

const outputOf = (row: LimitsRow): Output => ({
  callsPerSecond: row.callsPerSecond,
  payInIps: [...row.payInIps],
  payoutIps: [...row.payoutIps],
  consoleIps: [...row.consoleIps],
});

export async function getLimits(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof readContract.input>,
): Promise<Output | Refusal> {
  const [row] = await platform.db.query<LimitsRow>(sql`
    select ${LIMIT_COLUMNS} from merchants m where m.id = ${input.id} ${scopeOf(viewer, { merchant: sql`m.id` })}`);
  return row ? outputOf(row) : refuse('notFound');
}

/** Changes the limits that are given. Every node applies them within a second. */
export async function updateLimits(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.input>,
): Promise<Output | Refusal> {
  if (!ADMINS.includes(viewer.role)) return refuse('forbidden');
  const { id, ...given } = input;
  const changed = await platform.db.tx(async (tx) => {
    const [row] = await tx.query<LimitsRow>(
      sql`select ${LIMIT_COLUMNS} from merchants where id = ${id} for update`,
    );
    if (!row) return refuse('notFound');
    const before = outputOf(row);
    const after: Output = {
      callsPerSecond: given.callsPerSecond === undefined ? before.callsPerSecond : given.callsPerSecond,
      payInIps: given.payInIps ?? before.payInIps,
      payoutIps: given.payoutIps ?? before.payoutIps,
      consoleIps: given.consoleIps ?? before.consoleIps,
    };
    await tx.query(sql`
      update merchants set calls_per_second = ${after.callsPerSecond}, pay_in_ips = ${after.payInIps},
        payout_ips = ${after.payoutIps}, console_ips = ${after.consoleIps}
      where id = ${id}`);
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'merchant.updateLimits',
      subject: `merchant:${id}`,
      before,
      after,
      ip: viewer.ip,
    });
    return after;
  });
  if (!isRefusal(changed)) await merchantLimits(platform).refresh();
  return changed;
}
