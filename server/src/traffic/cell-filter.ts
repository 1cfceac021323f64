import { parseSourceCell, type SourceDimension } from '@sangam/contract/order-source.ts';
import { empty, type Sql, sql } from '../platform/db/database.ts';

const COLUMN: Readonly<Record<SourceDimension, Sql>> = {
  hour: sql`lpad(s.hour::text, 2, '0')`,
  referrer: sql`s.referrer`,
  device: sql`s.device`,
  network: sql`s.network`,
  band: sql`s.band::text`,
  bank: sql`s.bank`,
};

/** SQL condition on orders `o`: those that one number of the sources counts (`sourceCellText`). A text that is no cell finds nothing. */
export function cellFilter(text: string): Sql {
  const cell = parseSourceCell(text);
  if (!cell) return sql`and false`;
  const { from, to, currency, reached, of } = cell;
  return sql`and o.id in (
    select s.order_id from order_sources s
    where s.day between ${from} and ${to} and s.currency = ${currency} and s.reached >= ${reached} and not s.test
      ${of ? sql`and ${COLUMN[of.dimension]} = ${of.value}` : empty})`;
}

/** The times of such orders, in the form in which a list is asked. */
export function cellTimes(
  text: string,
): { readonly startTime: string; readonly endTime: string } | undefined {
  const cell = parseSourceCell(text);
  return cell && { startTime: `${cell.from} 00:00:00`, endTime: `${cell.to} 23:59:59` };
}
