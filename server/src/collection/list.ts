import type { CollectionOrderFilters, getList, getStatusSummary } from '@sangam/contract/endpoints/order.ts';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import type { SettingValues } from '@sangam/contract/settings.ts';
import type { z } from 'zod';
import { UNTOLD_ORDERS } from '../callbacks/state.ts';
import { empty, type Sql, sql } from '../platform/db/database.ts';
import { SUPPLEMENTED } from '../platform/db/statuses.ts';
import { amountFilter, readPage } from '../platform/db/page.ts';
import {
  contains,
  equals,
  sameText,
  scopeAsked,
  seenOnly,
  seenPersons,
  orderFilters,
  usdtFilter,
} from '../order-numbers/filters.ts';
import { countedFilter } from '../statistics/counted.ts';
import { cellFilter, cellTimes } from '../traffic/cell-filter.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { orderScope } from './actions.ts';
import { NAMED_COLUMNS, NAMED_JOINS, orderRow, type NamedOrder } from './row.ts';

/** Collection orders the viewer may see, newest first. */
export async function listOrders(
  platform: Platform,
  viewer: Viewer,
  input: CollectionOrderFilters,
): Promise<z.input<typeof getList.output> | Refusal> {
  const settings = await platform.settings.all();
  const seen = await visible(platform, viewer, input, settings);
  const page = await readPage<NamedOrder>(platform, input, {
    columns: NAMED_COLUMNS,
    from: sql`from collection_orders o ${NAMED_JOINS} where true ${seen} ${statusFilter(input.orderStatusId)}`,
    key: sql`o.id`,
    searched: (input.userName ?? input.description) !== undefined,
  });
  return isRefusal(page)
    ? page
    : { ...page, list: page.list.map((order) => orderRow(order, viewer, settings)) };
}

/** Count and amount per status and currency under the same filters; the status filter itself is left out. */
export async function summariseOrders(
  platform: Platform,
  viewer: Viewer,
  input: CollectionOrderFilters,
): Promise<z.input<typeof getStatusSummary.output>> {
  const settings = await platform.settings.all();
  const rows = await platform.db.query<{
    orderStatusId: NamedOrder['status'];
    currency: NamedOrder['currency'];
    count: number;
    amount: bigint;
  }>(sql`
    select o.status as "orderStatusId", o.currency, count(*)::int as count, sum(o.amount)::bigint as amount
    from collection_orders o where true ${await visible(platform, viewer, input, settings)} group by 1, 2 order by 2, 1`);
  return { list: rows.map((row) => ({ ...row, amount: Number(row.amount) })) };
}

/**
 * One status, or several joined with commas. The index is on the stage, which 'callback under way' shares with 'callback
 * succeeded'. So orders with a callback under way are found by the callbacks that wait to be sent.
 */
function statusFilter(ids: string | undefined): Sql {
  if (ids === undefined) return empty;
  const wanted = ids.split(',').map(Number);
  const stages = wanted.filter((status) => status !== COLLECTION_STATUS.paid);
  const staged = sql`o.stage = any(${stages})`;
  const unreported = sql`o.id = any(array(${UNTOLD_ORDERS}))`;
  const isApart =
    wanted.includes(COLLECTION_STATUS.paid) && !wanted.includes(COLLECTION_STATUS.callbackSucceeded);
  const found = !isApart ? staged : stages.length === 0 ? unreported : sql`(${staged} or ${unreported})`;
  return sql`and ${found} and o.status = any(${wanted})`;
}

const MASKED = { merchant: ['source', 'resourceId'], supplier: ['source'] } as const;

/** Scope and every filter except the status. */
async function visible(
  platform: Platform,
  viewer: Viewer,
  input: CollectionOrderFilters,
  settings: SettingValues,
): Promise<Sql> {
  const { description, currentReceivedMoney, source } = input;
  // Sources count an order by its creation, whatever CompleteTimeFilter says.
  const times =
    source === undefined
      ? orderFilters(viewer, input, platform.clock.now(), sql`o.paid_at`, settings)
      : orderFilters(viewer, { ...input, ...cellTimes(source) }, platform.clock.now(), sql`o.paid_at`, {
          CompleteTimeFilter: false,
        });
  return sql`
    ${orderScope(viewer, scopeAsked(viewer, input, settings))}
    ${seenOnly(viewer, input, MASKED)}
    ${seenPersons(viewer, 'payerName', input, ['userName', 'validateUserName'])}
    ${countedFilter('in', input, settings.OrderStatisticsTimeFormat)}
    ${times}
    ${source === undefined ? empty : cellFilter(source)}
    ${equals(sql`o.supplement_status`, input.supplementStatus)}
    ${equals(sql`o.identify_code`, input.identifyCode?.toUpperCase())}
    ${input.supplementType === undefined ? empty : ofSupplementType(input.supplementType)}
    ${usdtFilter(sql`o.payable`, input.usdtCount)}
    ${await ofAccounts(platform, input)}
    ${sameText(sql`o.user_name`, input.validateUserName)}
    ${contains([sql`o.user_name`], input.userName)}
    ${contains([sql`o.subject`, sql`o.body`], description)}
    ${currentReceivedMoney === undefined ? empty : amountFilter(sql`o.received`, sql`o.currency`, currentReceivedMoney)}`;
}

/**
 * The accounts are looked up first. PostgreSQL can estimate the number of orders of known accounts. Orders are indexed by
 * supplier, whose accounts are few; an account never changes its owner.
 */
async function ofAccounts({ db }: Platform, input: CollectionOrderFilters): Promise<Sql> {
  const { cardNumber, ifscCode, usdtAddress, resourceId } = input;
  if ([cardNumber, ifscCode, usdtAddress, resourceId].every((filter) => filter === undefined)) return empty;
  const accounts = await db.query<{ id: bigint; supplierId: bigint }>(sql`
    select a.id, a.supplier_id as "supplierId" from accounts a where true
      ${resourceId === undefined ? empty : sql`and a.id = ${BigInt(resourceId)}`}
      ${equals(sql`a.account_number`, cardNumber)}
      ${equals(sql`a.ifsc`, ifscCode?.toUpperCase())}
      ${usdtAddress === undefined ? empty : sql`and a.currency = 'USDT' and a.account_number = ${usdtAddress}`}`);
  return sql`and o.account_id = any(${accounts.map(({ id }) => id)})
    and o.supplier_id = any(${[...new Set(accounts.map(({ supplierId }) => supplierId))]})`;
}

/** A supplement whose money came outside the order's account has a posting of kind `collectionOffset`. */
function ofSupplementType(type: 0 | 1): Sql {
  return sql`and o.supplement_status = ${SUPPLEMENTED} and ${type === 1 ? empty : sql`not`} exists (
    select from postings p where p.order_id = o.id and p.kind = 'collectionOffset')`;
}
