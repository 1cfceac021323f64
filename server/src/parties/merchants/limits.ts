import type {
  getLimits as readContract,
  updateLimits as contract,
} from '@sangam/contract/endpoints/merchant.ts';
import { ADMINS } from '@sangam/contract/roles.ts';
import type { z } from 'zod';
import { approvalNeeded } from '../../approvals/start.ts';
import { audit } from '../../platform/audit/record.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import { scopeOf, type Viewer } from '../../platform/viewer.ts';
import { merchantLimits } from '../../access/limits/limits.ts';
import { askForAccess, isAsBefore, tellMerchant } from './access-change.ts';
import { LIMIT_COLUMNS, type LimitsRow } from '../../access/limits/columns.ts';
import { type Door, letsInMore, lockDoor } from './door.ts';

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

type Input = z.output<typeof contract.input>;

/** Changes the given limits; every node applies them within a second. A list that lets in a new address needs a second person (1205). */
export async function updateLimits(
  platform: Platform,
  viewer: Viewer,
  input: Input,
): Promise<Output | Refusal> {
  if (!ADMINS.includes(viewer.role)) return refuse('forbidden');
  const id = BigInt(input.id);
  const changed = await platform.db.tx(async (tx) => {
    const before = await lockDoor(tx, id);
    if (!before) return refuse('notFound');
    return letsInMore(before, changedBy(before, input))
      ? askForAccess(platform, tx, viewer, id, { change: 'addresses', input, before })
      : applyLimits(platform, tx, viewer, input);
  });
  if (isRefusal(changed)) return changed;
  if ('todoId' in changed) return approvalNeeded(changed);
  await merchantLimits(platform).refresh();
  return changed;
}

const ADDRESS_LISTS = ['payInIps', 'payoutIps', 'consoleIps'] as const;

const changedBy = (before: Door, given: Input): Door => ({
  signType: before.signType,
  cancelByMd5: before.cancelByMd5,
  callsPerSecond: given.callsPerSecond === undefined ? before.callsPerSecond : given.callsPerSecond,
  payInIps: given.payInIps ?? before.payInIps,
  payoutIps: given.payoutIps ?? before.payoutIps,
  consoleIps: given.consoleIps ?? before.consoleIps,
});

/** Refuses (409) where the merchant's door differs from `seen`, the door at the time of the request. */
export async function applyLimits(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  input: Input,
  seen?: unknown,
): Promise<Output | Refusal> {
  const id = BigInt(input.id);
  const before = await lockDoor(tx, id);
  if (!before) return refuse('notFound');
  if (!isAsBefore(before, seen)) return refuse('conflict');
  const after = changedBy(before, input);
  await tx.query(sql`
    update merchants set calls_per_second = ${after.callsPerSecond}, pay_in_ips = ${after.payInIps},
      payout_ips = ${after.payoutIps}, console_ips = ${after.consoleIps}
    where id = ${id}`);
  await audit(platform, tx, {
    userId: viewer.userId,
    action: 'merchant.updateLimits',
    subject: `merchant:${id}`,
    before: outputOf(before),
    after: outputOf(after),
    ip: viewer.ip,
  });
  if (ADDRESS_LISTS.some((list) => !isAsBefore(after[list], before[list])))
    await tellMerchant(platform, tx, id, 'addressesChanged');
  return outputOf(after);
}
