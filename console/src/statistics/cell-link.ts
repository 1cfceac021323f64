import type { Direction } from '@sangam/contract/products.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { screenFor } from '@sangam/contract/screens.ts';
import { type Cell, listFiltersOf, MEASURES, type MeasureName } from '@sangam/contract/statistics.ts';
import { parseTime } from '@sangam/contract/time.ts';
import { listQuery, type LinkFilters } from '../operator-table/list-links.ts';
import type { GroupKeys, Table } from './figures.ts';
import type { Input } from './use-question.ts';

export interface ListLink {
  readonly path: string;
  readonly query: string;
}

type Asked = Pick<Input, 'merchantId' | 'supplierId' | 'productId' | 'bank' | 'orderMark'>;

/** A link to the list of exactly the orders that a number counts; undefined where the role has no such list. */
export function cellLink(
  role: Role,
  direction: Direction,
  table: Pick<Table, 'filing' | 'startTime' | 'endTime' | 'scope'>,
  asked: Asked,
  row: GroupKeys,
  measure: MeasureName,
  payBucket?: number,
): ListLink | undefined {
  const area = direction === 'in' ? 'collectionOrders' : 'payoutOrders';
  const path = screenFor(role, area)?.path;
  if (path === undefined) return undefined;
  const own = <Value>(of: Value | null, filter: unknown) =>
    of ?? ((filter ?? undefined) as Value | undefined);
  const cell: Cell = {
    counted: MEASURES[measure].counted,
    filing: table.filing,
    from: parseTime(table.startTime)!,
    to: parseTime(table.endTime)!,
    currency: row.currency,
    merchantId: own(row.merchantId, asked.merchantId),
    supplierId: own(row.supplierId, asked.supplierId),
    productId: own(row.productId, asked.productId),
    bank: own(row.bank, asked.bank),
    mark: own(row.mark, asked.orderMark),
    day: row.day ?? undefined,
    weekday: row.weekday ?? undefined,
    halfHour: row.halfHour ?? undefined,
    scope: role === 'supplier' ? table.scope : undefined,
  };
  const { startTime, endTime, ...filters } = listFiltersOf(cell);
  const all = {
    ...filters,
    period: `${startTime}~${endTime}`,
    ...(payBucket === undefined ? {} : { payBucket }),
  };
  return { path, query: listQuery(area, all as LinkFilters<typeof area>) };
}
