import type { Currency } from '@sangam/contract/money.ts';
import type { Queryable } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isStaff, type Viewer } from '../platform/viewer.ts';
import { balancesOf, totalBalances } from './store.ts';

export interface Balance {
  readonly currency: Currency;
  readonly bucket: string;
  readonly balance: number;
}

/** Balances of these owners. The caller has chosen the owners within the viewer's scope. */
export async function ownerBalances(
  db: Queryable,
  ownerKind: 'merchant' | 'supplier',
  ownerIds: readonly bigint[],
): Promise<(ownerId: bigint) => Balance[]> {
  const byOwner = Map.groupBy(await balancesOf(db, ownerKind, ownerIds), (row) => row.ownerId);
  return (ownerId) =>
    (byOwner.get(ownerId) ?? []).map(({ currency, bucket, balance }) => ({
      currency,
      bucket,
      balance: Number(balance),
    }));
}

/** The viewer's own balances, for a merchant or supplier; sums over all owners, for staff. */
export async function getTotalBalance(platform: Platform, viewer: Viewer) {
  const rows = isStaff(viewer) ? await totalBalances(platform.db) : await ownBalances(platform.db, viewer);
  return {
    list: rows.map(({ ownerKind, currency, bucket, balance }) => ({
      ownerKind,
      currency,
      bucket,
      balance: Number(balance),
    })),
  };
}

async function ownBalances(db: Queryable, viewer: Viewer) {
  if (viewer.role === 'merchant' && viewer.merchantId !== null)
    return balancesOf(db, 'merchant', [viewer.merchantId]);
  if (viewer.role === 'supplier' && viewer.supplierId !== null)
    return balancesOf(db, 'supplier', [viewer.supplierId]);
  return [];
}
