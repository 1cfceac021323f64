import type { Currency } from '@sangam/contract/money.ts';
import type { Direction } from '@sangam/contract/products.ts';
import type { Role } from '@sangam/contract/roles.ts';
import type { Filing, MeasureName } from '@sangam/contract/statistics.ts';
import { formatTime, parseTime } from '@sangam/contract/time.ts';
import { cellLink, type ListLink } from '../statistics/cell-link.ts';
import type { GroupKeys } from '../statistics/figures.ts';

const HOUR_MS = 60 * 60_000;

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

/** An hour of a day. */
export function hourSpan(day: string, hour: number): Span {
  const at = new Date(parseTime(day)!.getTime() + hour * HOUR_MS);
  return { startTime: formatTime(at), endTime: formatTime(new Date(at.getTime() + HOUR_MS)) };
}

/** A link to the orders of a supplier's team whose payment stands: those on which it earned. */
export function teamLink(
  role: Role,
  direction: Direction,
  filing: Filing,
  currency: Currency,
  span: Span,
): ListLink | undefined {
  return cellLink(
    role,
    direction,
    { ...span, filing, scope: 'team' },
    {},
    { ...WHOLE, currency },
    'commission',
  );
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
