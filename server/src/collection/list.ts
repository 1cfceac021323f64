import type {
  CollectionOrderFilters,
  getLastOrder,
  getList,
  getStatusSummary,
} from '@sangam/contract/endpoints/order.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { empty, type Sql, sql } from '../db/database.ts';
import { amountFilter, escapeLike, idFilter, readPage, timeFilter } from '../db/page.ts';
import type { Platform } from '../platform.ts';
import { normaliseReference } from '../references/references.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Viewer } from '../viewer.ts';
import { orderScope } from './actions.ts';
import { NAMED_COLUMNS, NAMED_JOINS, orderRow, type NamedOrder } from './row.ts';

const DEFAULT_DAYS = 31;

/** Collection orders the viewer may see, newest first. */
export async function listOrders(
  platform: Platform,
  viewer: Viewer,
  input: CollectionOrderFilters,
): Promise<z.input<typeof getList.output> | Refusal> {
  const [settings, page] = await Promise.all([
    platform.settings.all(),
    readPage<NamedOrder>(platform, input, {
      columns: NAMED_COLUMNS,
      from: sql`from collection_orders o ${NAMED_JOINS} where true ${visible(platform, viewer, input)} ${statusFilter(input)}`,
      key: sql`o.id`,
    }),
  ]);
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
  const rows = await platform.db.query<{
    orderStatusId: NamedOrder['status'];
    currency: NamedOrder['currency'];
    count: number;
    amount: bigint;
  }>(sql`
    select o.status as "orderStatusId", o.currency, count(*)::int as count, sum(o.amount)::bigint as amount
    from collection_orders o where true ${visible(platform, viewer, input)} group by 1, 2 order by 2, 1`);
  return { list: rows.map((row) => ({ ...row, amount: Number(row.amount) })) };
}

/** The newest order the viewer may see: what the notifier polls. */
export async function lastOrder(
  platform: Platform,
  viewer: Viewer,
): Promise<z.input<typeof getLastOrder.output>> {
  const [row] = await platform.db.query<{ id: bigint; createdAt: Date }>(sql`
    select o.id, o.created_at as "createdAt" from collection_orders o
    where true ${timeFilter(sql`o.id`, {}, platform.clock.now(), 1)} ${orderScope(viewer)} order by o.id desc limit 1`);
  return { orderCode: row ? String(row.id) : null, createTime: row ? formatTime(row.createdAt) : null };
}

function statusFilter(input: CollectionOrderFilters): Sql {
  return input.orderStatusId === undefined
    ? empty
    : sql`and o.status = any(${input.orderStatusId.split(',').map(Number)})`;
}

/** Scope and every filter but the status. A code or number looked for is found whatever its age. */
function visible(platform: Platform, viewer: Viewer, input: CollectionOrderFilters): Sql {
  const named = input.orderCode ?? input.merchantOrderId ?? input.utr;
  const equals = (column: Sql, value: string | number | undefined) =>
    value === undefined ? empty : sql`and ${column} = ${value}`;
  return sql`
    ${orderScope(viewer, input.scope ?? 'own')}
    ${timeFilter(sql`o.id`, input, platform.clock.now(), named === undefined ? DEFAULT_DAYS : null)}
    ${input.orderCode === undefined ? empty : idFilter(sql`o.id`, input.orderCode)}
    ${input.merchantOrderId === undefined ? empty : merchantOrderFilter(input.merchantOrderId)}
    ${equals(sql`o.merchant_id`, input.merchantId)}
    ${equals(sql`o.supplier_id`, input.supplierId)}
    ${equals(sql`o.product_id`, input.productId)}
    ${equals(sql`o.client_ip`, input.ipAddress)}
    ${equals(sql`o.mark`, input.orderMark)}
    ${equals(sql`o.supplement_status`, input.supplementStatus)}
    ${equals(sql`o.identify_code`, input.identifyCode?.toUpperCase())}
    ${equals(sql`o.utr`, input.utr && normaliseReference(input.utr))}
    ${input.userName === undefined ? empty : sql`and o.user_name ilike ${`%${escapeLike(input.userName)}%`}`}
    ${input.description === undefined ? empty : sql`and (o.subject ilike ${`%${escapeLike(input.description)}%`} or o.body ilike ${`%${escapeLike(input.description)}%`})`}
    ${input.amount === undefined ? empty : amountFilter(sql`o.amount`, sql`o.currency`, input.amount)}
    ${input.currentReceivedMoney === undefined ? empty : amountFilter(sql`o.received`, sql`o.currency`, input.currentReceivedMoney)}
    ${input.reversed === undefined ? empty : input.reversed ? sql`and o.reversed_at is not null` : sql`and o.reversed_at is null`}`;
}

/** Merchants' numbers are looked up where they are unique, whatever the month. */
function merchantOrderFilter(mchOrderNo: string): Sql {
  return sql`and o.id in (select order_id from merchant_orders where mch_order_no = ${mchOrderNo})`;
}
