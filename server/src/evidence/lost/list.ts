import type { getLostMoney, getLostOrders } from '@sangam/contract/endpoints/lost.ts';
import { CURRENCIES, filterAmountToMinor, type Currency } from '@sangam/contract/money.ts';
import type { z } from 'zod';
import { empty, join, type Sql, sql } from '../../platform/db/database.ts';
import { idFilter, readPage, timeFilter, type TimeRange } from '../../platform/db/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import {
  type Money,
  MONEY_COLUMNS,
  MONEY_FROM,
  type Order,
  ORDER_COLUMNS,
  ORDER_JOINS,
  showMoney,
  showOrder,
} from './rows.ts';

const DEFAULT_DAYS = 31;
/** More than any amount, and far less than a bigint holds. */
const MOST = 9_000_000_000_000_000n;

export interface LostFilters extends TimeRange {
  readonly resourceId?: string | undefined;
  /** In decimal units of the row's currency. */
  readonly amount?: number | undefined;
  readonly within?: number | undefined;
}

/** Credits that completed no order and still may, newest first. */
export async function listLostMoney(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof getLostMoney.input>,
): Promise<z.input<typeof getLostMoney.output> | Refusal> {
  const page = await readPage<Money>(platform, input, {
    columns: MONEY_COLUMNS,
    from: sql`${MONEY_FROM} ${moneyFilters(input, platform.clock.now())}`,
    key: sql`m.id`,
  });
  return isRefusal(page) ? page : { ...page, list: page.list.map((row) => showMoney(row, viewer)) };
}

/** Unpaid orders whose payer says to have paid, or all timed out orders, newest first. */
export async function listLostOrders(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof getLostOrders.input>,
): Promise<z.input<typeof getLostOrders.output> | Refusal> {
  const open =
    input.of === 'timedOut'
      ? sql`o.stage = 2`
      : sql`o.stage in (1, 2) and (o.payer_utr is not null or o.mark = 3)`;
  const page = await readPage<Order>(platform, input, {
    columns: ORDER_COLUMNS,
    from: sql`
      from collection_orders o ${ORDER_JOINS} where ${open}
        ${timeFilter(sql`o.id`, input, platform.clock.now(), DEFAULT_DAYS)}
        ${input.resourceId === undefined ? empty : idFilter(sql`o.account_id`, input.resourceId)}
        ${near(sql`coalesce(o.payable, o.amount)`, sql`o.currency`, input)}`,
    key: sql`o.id`,
  });
  return isRefusal(page) ? page : { ...page, list: page.list.map((order) => showOrder(order, viewer)) };
}

export function moneyFilters(input: LostFilters, now: Date): Sql {
  return sql`
    ${timeFilter(sql`m.id`, input, now, DEFAULT_DAYS)}
    ${input.resourceId === undefined ? empty : idFilter(sql`m.account_id`, input.resourceId)}
    ${near(sql`m.amount`, sql`m.currency`, input)}`;
}

/** SQL: amounts that differ by at most `within` from the one looked for, in the row's own currency. */
function near(amount: Sql, currency: Sql, { amount: value, within = 0 }: LostFilters): Sql {
  if (value === undefined) return empty;
  const ranges = (Object.keys(CURRENCIES) as Currency[]).map((name) => {
    const wanted = filterAmountToMinor(value, name);
    const off = filterAmountToMinor(within, name);
    const [low, high] = [wanted - off, wanted + off].map((bound) =>
      bound > MOST ? MOST : bound < -MOST ? -MOST : bound,
    );
    return sql`(${currency} = ${name} and ${amount} between ${low} and ${high})`;
  });
  return sql`and (${join(ranges, ' or ')})`;
}
