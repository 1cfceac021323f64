import type { Currency } from '@sangam/contract/money.ts';
import type { Role } from '@sangam/contract/roles.ts';
import type { Filing, MeasureName } from '@sangam/contract/statistics.ts';
import { cellLink, type ListLink } from '../statistics/cell-link.ts';
import type { GroupKeys } from '../statistics/figures.ts';

/** The whole of a currency: no part of it is chosen. */
const WHOLE: Omit<GroupKeys, 'currency'> = {
  day: null,
  weekday: null,
  halfHour: null,
  merchantId: null,
  supplierId: null,
  productId: null,
  bank: null,
  mark: null,
};

/** The time that a figure of home counts. The end is not included. */
export interface Span {
  readonly startTime: string;
  readonly endTime: string;
}

/** A link to the list of exactly the collection orders that a figure of home counts. Home shows a supplier its own orders. */
export function dayLink(
  role: Role,
  filing: Filing,
  currency: Currency,
  span: Span,
  measure: MeasureName,
): ListLink | undefined {
  return cellLink(role, 'in', { ...span, filing, scope: 'own' }, {}, { ...WHOLE, currency }, measure);
}
