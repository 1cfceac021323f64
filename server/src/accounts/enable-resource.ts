import type { z } from 'zod';
import type { enableResource as contract } from '@sangam/contract/endpoints/party.ts';
import { audit } from '../platform/audit/record.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import { idFilter } from '../platform/db/page.ts';
import { kycApproved } from '../terms/kyc/approved.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { accountScope, mayToggle } from './resource.ts';

type Input = z.output<typeof contract.input>;

interface LockedResource {
  readonly accountId: bigint;
  readonly state: 0 | 1;
  readonly frozen: boolean;
  readonly supplierKyc: boolean;
  readonly ownershipProven: boolean;
}

/**
 * Opens or closes a receiving account for one product. Orders that wait on it go on waiting; new orders do not get it. Opening
 * an open account changes nothing.
 */
export async function enableResource(
  platform: Platform,
  viewer: Viewer,
  input: Input,
): Promise<{ readonly state: 0 | 1 } | Refusal> {
  if (!mayToggle(viewer)) return refuse('forbidden');
  const { KYC: kycNeeded } = await platform.settings.all();
  return platform.db.tx(async (tx) => {
    const resource = await lockResource(platform, tx, viewer, input);
    if (!resource) return refuse('notFound');
    const state = input.enable ? 0 : 1;
    if (resource.state === state) return { state };
    if (input.enable && resource.frozen) return refuse('conflict', {}, { reason: 'frozen' });
    if (input.enable && kycNeeded) {
      // The same reasons as in the explanation of an allocation.
      if (!resource.supplierKyc) return refuse('conflict', {}, { reason: 'kycMissing' });
      if (!resource.ownershipProven) return refuse('conflict', {}, { reason: 'ownershipUnproven' });
    }
    await tx.query(sql`
      update resources set state = ${state} where account_id = ${resource.accountId} and product_id = ${input.productId}`);
    await audit(platform, tx, {
      userId: viewer.userId,
      action: input.enable ? 'resource.enable' : 'resource.disable',
      subject: `resource:${resource.accountId}/${input.productId}`,
      before: { state: resource.state },
      after: { state },
      ip: viewer.ip,
    });
    return { state };
  });
}

async function lockResource(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  input: Input,
): Promise<LockedResource | undefined> {
  const now = platform.clock.now();
  const rows = await tx.query<LockedResource>(sql`
    select r.account_id as "accountId", r.state, a.frozen, ${kycApproved('supplier', sql`a.supplier_id`, now)} as "supplierKyc",
      ${kycApproved('account', sql`a.id`, now)} as "ownershipProven"
    from resources r join accounts a on a.id = r.account_id
    where r.product_id = ${input.productId}::bigint ${idFilter(sql`r.account_id`, input.resourceId)} ${accountScope(viewer)}
    for update of r`);
  return rows[0];
}
