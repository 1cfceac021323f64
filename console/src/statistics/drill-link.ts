import type { Grouping } from '@sangam/contract/statistics.ts';
import type { GroupKeys } from './figures.ts';

/** Keys in the address of a statistics screen that a drill-down sets. */
export const DRILL_PARAMS = { groupBy: 'g', merchantId: 'm', supplierId: 'sp' } as const;

/**
 * The query that shows one row's merchant or supplier by product. All else that was asked, such as the period, stays. Undefined for rows
 * of another grouping, and for orders without a supplier.
 */
export function drillQuery(
  search: string,
  grouping: Grouping,
  row: Pick<GroupKeys, 'merchantId' | 'supplierId'>,
): string | undefined {
  if (grouping !== 'merchant' && grouping !== 'supplier') return undefined;
  const name = grouping === 'merchant' ? 'merchantId' : 'supplierId';
  const id = row[name];
  if (id === null || id === '0') return undefined;
  const query = new URLSearchParams(search);
  query.set(DRILL_PARAMS[name], id);
  query.set(DRILL_PARAMS.groupBy, 'product' satisfies Grouping);
  return `?${query}`;
}
