import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { splitFee } from '../ledger/fees.ts';
import type { Platform } from '../platform/platform.ts';
import type { Viewer } from '../platform/viewer.ts';
import { supplierTerms } from '../terms/products/commission-terms.ts';
import type { PayoutOrder } from './order.ts';
import { UNDER_WAY } from './row.ts';

/** The supplier's commission, by payout id, of each payout it may claim or still has to pay. Minor units, computed as completion does. */
export async function expectedCommissions(
  platform: Platform,
  viewer: Viewer,
  orders: readonly PayoutOrder[],
): Promise<ReadonlyMap<bigint, bigint>> {
  const { role, supplierId } = viewer;
  if (role !== 'supplier') return new Map();
  const open = orders.filter((order) =>
    order.supplierId === null
      ? order.status === PAYOUT_STATUS.waiting
      : order.supplierId === supplierId && UNDER_WAY.includes(order.status),
  );
  const terms = await supplierTerms(
    platform.db,
    open.map(({ productId, createdAt }) => ({ supplierId, productId, at: createdAt })),
  );
  return new Map(
    open.map(({ id, amount, fee }, index) => {
      const { supplier } = terms[index]!;
      return [id, splitFee(amount, { ratePpm: 0, fixedFee: fee }, supplier, []).supplierCommission];
    }),
  );
}
