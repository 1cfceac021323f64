import { ORDER_MARK, shownMark } from '@sangam/contract/orders.ts';
import { type PersonalData, seesWhole } from '@sangam/contract/personal-data.ts';
import type { SettingValues } from '@sangam/contract/settings.ts';
import { WITHOUT } from '@sangam/contract/statistics.ts';
import { empty, join, type Sql, sql } from '../platform/db/database.ts';
import {
  amountFilter,
  type AmountRange,
  amountRange,
  escapeLike,
  idFilter,
  momentFilter,
  timeFilter,
  type TimeRange,
} from '../platform/db/page.ts';
import { isStaff, type Scope, type Viewer } from '../platform/viewer.ts';
import { isNamedBy } from './references.ts';
import { normaliseReference } from '@sangam/contract/references.ts';

/** Filters that the lists of both directions have; the order's table has the alias `o`. */
export interface OrderFilters extends TimeRange, AmountRange {
  readonly orderCode?: string | undefined;
  readonly merchantOrderId?: string | undefined;
  readonly merchantId?: string | undefined;
  readonly supplierId?: string | undefined;
  readonly productId?: number | undefined;
  readonly ipAddress?: string | undefined;
  readonly orderMark?: number | undefined;
  readonly utr?: string | undefined;
  /** Decimal plus 0.0001, as existing clients of this API family send amounts. */
  readonly amount?: number | undefined;
  readonly reversed?: boolean | undefined;
  readonly isProxy?: boolean | undefined;
  readonly currency?: string | undefined;
  /** Bank of the account; WITHOUT (contract, statistics.ts) means orders without a bank. */
  readonly bank?: string | undefined;
  /** Only the orders that a number of the statistics counts. The times of this filter then apply. */
  readonly counted?: string | undefined;
}

const DEFAULT_DAYS = 31;

/** Filters on fields that rows hide from a role (collection/row.ts, payout/row.ts). A list adds the fields that it hides. */
const UNSEEN = {
  merchant: ['supplierId', 'isProxy', 'bank'],
  supplier: ['merchantId', 'ipAddress'],
} as const;

/** Finds nothing when a filter names a field that the viewer's rows hide: a result would reveal the hidden value. */
export function seenOnly<Input extends OrderFilters>(
  viewer: Viewer,
  input: Input,
  masked: Readonly<Record<keyof typeof UNSEEN, readonly (keyof Input)[]>>,
): Sql {
  if (viewer.role !== 'merchant' && viewer.role !== 'supplier') return empty;
  const unseen: readonly (keyof Input)[] = [...UNSEEN[viewer.role], ...masked[viewer.role]];
  return unseen.some((name) => input[name] !== undefined) ? sql`and false` : empty;
}

/**
 * Finds nothing when a filter names personal data that the viewer's rows mask. A merchant has its customer's name from the
 * customer and may filter by the whole name.
 */
export function seenPersons<Input extends { readonly userName?: string | undefined }>(
  viewer: Viewer,
  data: PersonalData,
  input: Input,
  personal: readonly (keyof Input)[],
): Sql {
  if (seesWhole(viewer, data)) return empty;
  const unseen = viewer.role === 'merchant' ? (['userName'] as const) : personal;
  return unseen.some((name) => input[name] !== undefined) ? sql`and false` : empty;
}

export function equals(column: Sql, value: string | number | boolean | undefined): Sql {
  return value === undefined ? empty : sql`and ${column} = ${value}`;
}

/** The whole text; letter case does not matter. */
export function sameText(column: Sql, text: string | undefined): Sql {
  return text === undefined ? empty : sql`and ${column} ilike ${escapeLike(text)}`;
}

/**
 * Whose orders are meant. `scope` decides, then `isProxy` when a supplier asks. Without either, a supplier gets its own orders,
 * and those of its agents too when SupplierUnifyQueryGroup is on.
 */
export function scopeAsked(
  viewer: Viewer,
  input: {
    readonly scope?: 'own' | 'team' | undefined;
    readonly isProxy?: boolean | undefined;
    readonly countedScope?: Scope | undefined;
  },
  { SupplierUnifyQueryGroup }: Pick<SettingValues, 'SupplierUnifyQueryGroup'>,
): Scope {
  if (input.countedScope !== undefined && viewer.role === 'supplier') return input.countedScope;
  if (input.scope !== undefined || viewer.role !== 'supplier') return input.scope ?? 'own';
  if (input.isProxy) return 'team';
  return SupplierUnifyQueryGroup ? 'group' : 'own';
}

/** Whether the column has a value. */
export function isSet(column: Sql, wanted: boolean | undefined): Sql {
  if (wanted === undefined) return empty;
  return wanted ? sql`and ${column} is not null` : sql`and ${column} is null`;
}

/** The text is part of one of the columns; letter case does not matter. */
export function contains(columns: readonly Sql[], text: string | undefined): Sql {
  if (text === undefined) return empty;
  const pattern = `%${escapeLike(text)}%`;
  return sql`and (${join(
    columns.map((column) => sql`${column} ilike ${pattern}`),
    ' or ',
  )})`;
}

/** An amount in millionths of a USDT; finds orders in USDT only. */
export function usdtFilter(amount: Sql, value: number | undefined): Sql {
  return value === undefined ? empty : sql`and o.currency = 'USDT' and ${amount} = ${value}`;
}

/** One status id, or several joined with commas. */
export function statusFilter(ids: string | undefined): Sql {
  return ids === undefined ? empty : sql`and o.status = any(${ids.split(',').map(Number)})`;
}

/**
 * The filters both directions share. A code, number or UTR finds orders of any age. Times mean the creation; with
 * CompleteTimeFilter they mean the completion, which is column `completed`.
 */
export function orderFilters(
  viewer: Viewer,
  input: OrderFilters,
  now: Date,
  completed: Sql,
  { CompleteTimeFilter }: Pick<SettingValues, 'CompleteTimeFilter'>,
): Sql {
  const named = input.orderCode ?? input.merchantOrderId ?? input.utr;
  const byCompletion = CompleteTimeFilter && (input.startTime ?? input.endTime) !== undefined;
  return sql`
    ${input.counted !== undefined ? empty : byCompletion ? momentFilter(sql`o.id`, completed, input) : timeFilter(sql`o.id`, input, now, named === undefined ? DEFAULT_DAYS : null)}
    ${input.orderCode === undefined ? empty : idFilter(sql`o.id`, input.orderCode)}
    ${input.merchantOrderId === undefined ? empty : numberFilter(input.merchantOrderId)}
    ${equals(sql`o.merchant_id`, input.merchantId)}
    ${input.supplierId === WITHOUT ? sql`and o.supplier_id is null` : equals(sql`o.supplier_id`, input.supplierId)}
    ${equals(sql`o.product_id`, input.productId)}
    ${equals(sql`o.client_ip`, input.ipAddress)}
    ${markFilter(viewer, input.orderMark)}
    ${equals(sql`o.currency`, input.currency)}
    ${input.bank === undefined ? empty : bankFilter(input.bank)}
    ${input.utr === undefined ? empty : sql`and ${isNamedBy(sql`o.utr`, normaliseReference(input.utr))}`}
    ${input.amount === undefined ? empty : amountFilter(sql`o.amount`, sql`o.currency`, input.amount)}
    ${amountRange(sql`o.amount`, sql`o.currency`, input)}
    ${isSet(sql`o.reversed_at`, input.reversed)}
    ${equals(sql`exists (select from suppliers s where s.id = o.supplier_id and s.agent_id is not null)`, input.isProxy)}`;
}

/** Filters by the mark that the viewer's rows show (contract, shownMark). */
function markFilter(viewer: Viewer, wanted: number | undefined): Sql {
  if (wanted === undefined) return empty;
  const read = Object.values(ORDER_MARK).filter((mark) => shownMark(mark, isStaff(viewer)) === wanted);
  return sql`and o.mark = any(${read})`;
}

function bankFilter(bank: string): Sql {
  return bank === WITHOUT
    ? sql`and o.account_id is null`
    : sql`and o.account_id in (select id from accounts where bank = ${bank})`;
}

/** Merchants' numbers are looked up in the table where they are unique, because orders are partitioned by month. */
function numberFilter(mchOrderNo: string): Sql {
  return sql`and o.id in (select order_id from merchant_orders where mch_order_no = ${mchOrderNo})`;
}
