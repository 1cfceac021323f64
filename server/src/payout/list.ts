import type {
  getPayoutList,
  getPayoutStatusSummary,
  PayoutOrderFilters,
} from '@sangam/contract/endpoints/payout.ts';
import type { z } from 'zod';
import { empty, type Sql, sql } from '../db/database.ts';
import { amountFilter, escapeLike, idFilter, readPage, timeFilter } from '../db/page.ts';
import type { Platform } from '../platform.ts';
import { normaliseReference } from '../references/references.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Viewer } from '../viewer.ts';
import { payoutScope } from './actions.ts';
import { NAMED_COLUMNS, NAMED_JOINS, payoutRow, type NamedPayout } from './row.ts';

const DEFAULT_DAYS = 31;

/** Payout orders the viewer may see, newest first. */
export async function listPayouts(
  platform: Platform,
  viewer: Viewer,
  input: PayoutOrderFilters,
): Promise<z.input<typeof getPayoutList.output> | Refusal> {
  const page = await readPage<NamedPayout>(platform, input, {
    columns: NAMED_COLUMNS,
    from: sql`from payout_orders o ${NAMED_JOINS} where true ${visible(platform, viewer, input)} ${statusFilter(input)}`,
    key: sql`o.id`,
  });
  return isRefusal(page) ? page : { ...page, list: page.list.map((order) => payoutRow(order, viewer)) };
}

/** Count and amount per status and currency under the same filters; the status filter itself is left out. */
export async function summarisePayouts(
  platform: Platform,
  viewer: Viewer,
  input: PayoutOrderFilters,
): Promise<z.input<typeof getPayoutStatusSummary.output>> {
  const rows = await platform.db.query<{
    orderStatusId: NamedPayout['status'];
    currency: NamedPayout['currency'];
    count: number;
    amount: bigint;
  }>(sql`
    select o.status as "orderStatusId", o.currency, count(*)::int as count, sum(o.amount)::bigint as amount
    from payout_orders o where true ${visible(platform, viewer, input)} group by 1, 2 order by 2, 1`);
  return { list: rows.map((row) => ({ ...row, amount: Number(row.amount) })) };
}

function statusFilter(input: PayoutOrderFilters): Sql {
  return input.orderStatusId === undefined
    ? empty
    : sql`and o.status = any(${input.orderStatusId.split(',').map(Number)})`;
}

/** Scope and every filter but the status. A code or number looked for is found whatever its age. */
function visible(platform: Platform, viewer: Viewer, input: PayoutOrderFilters): Sql {
  const named = input.orderCode ?? input.merchantOrderId ?? input.utr;
  const equals = (column: Sql, value: string | number | boolean | undefined) =>
    value === undefined ? empty : sql`and ${column} = ${value}`;
  return sql`
    ${payoutScope(viewer, input.scope ?? 'own')}
    ${timeFilter(sql`o.id`, input, platform.clock.now(), named === undefined ? DEFAULT_DAYS : null)}
    ${input.orderCode === undefined ? empty : idFilter(sql`o.id`, input.orderCode)}
    ${input.merchantOrderId === undefined ? empty : sql`and o.id in (select order_id from merchant_orders where mch_order_no = ${input.merchantOrderId})`}
    ${equals(sql`o.merchant_id`, input.merchantId)}
    ${equals(sql`o.supplier_id`, input.supplierId)}
    ${equals(sql`o.product_id`, input.productId)}
    ${equals(sql`o.client_ip`, input.ipAddress)}
    ${equals(sql`o.mark`, input.orderMark)}
    ${equals(sql`o.payee_account`, input.cardNumber)}
    ${equals(sql`o.payee_ifsc`, input.ifscCode?.toUpperCase())}
    ${equals(sql`o.payee_address`, input.usdtAddress)}
    ${equals(sql`o.utr`, input.utr && normaliseReference(input.utr))}
    ${equals(sql`o.unproven`, input.unproven)}
    ${input.userName === undefined ? empty : sql`and o.payee_name ilike ${`%${escapeLike(input.userName)}%`}`}
    ${input.amount === undefined ? empty : amountFilter(sql`o.amount`, sql`o.currency`, input.amount)}
    ${input.reversed === undefined ? empty : input.reversed ? sql`and o.reversed_at is not null` : sql`and o.reversed_at is null`}`;
}
