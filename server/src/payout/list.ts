import type {
  getPayoutList,
  getPayoutStatusSummary,
  PayoutOrderFilters,
} from '@sangam/contract/endpoints/payout.ts';
import type { getLastOrder } from '@sangam/contract/endpoints/order.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { SettingValues } from '@sangam/contract/settings.ts';
import type { z } from 'zod';
import { empty, type Sql, sql } from '../platform/db/database.ts';
import { readPage, timeFilter } from '../platform/db/page.ts';
import {
  contains,
  equals,
  isSet,
  sameText,
  scopeAsked,
  seenOnly,
  seenPersons,
  orderFilters,
  statusFilter,
  usdtFilter,
} from '../order-numbers/filters.ts';
import { countedFilter } from '../statistics/counted.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { payoutScope } from './actions.ts';
import { expectedCommissions } from './expected-commission.ts';
import { waitingHandBacks } from './hand-backs.ts';
import { NAMED_COLUMNS, NAMED_JOINS, payoutRow, seenWhole, type NamedPayout } from './row.ts';

/** Payout orders the viewer may see, newest first. */
export async function listPayouts(
  platform: Platform,
  viewer: Viewer,
  input: PayoutOrderFilters,
): Promise<z.input<typeof getPayoutList.output> | Refusal> {
  const settings = await platform.settings.all();
  const page = await readPage<NamedPayout>(platform, input, {
    columns: NAMED_COLUMNS,
    from: sql`from payout_orders o ${NAMED_JOINS} where true ${visible(platform, viewer, input, settings)} ${statusFilter(input.orderStatusId)}`,
    key: sql`o.id`,
    searched: input.userName !== undefined,
  });
  if (isRefusal(page)) return page;
  const [expected, handBacks] = await Promise.all([
    expectedCommissions(platform, viewer, page.list),
    waitingHandBacks(platform, viewer, page.list),
  ]);
  const list = page.list.map((order) => {
    const commission = expected.get(order.id);
    return {
      ...payoutRow(order, viewer),
      ...(commission !== undefined && { expectedCommission: Number(commission) }),
      ...(handBacks.has(order.id) && { handBackWaits: true as const }),
    };
  });
  return { ...page, list };
}

/** Count and sum by status and currency, with the filters of the list except the status filter. */
export async function summarisePayouts(
  platform: Platform,
  viewer: Viewer,
  input: PayoutOrderFilters,
): Promise<z.input<typeof getPayoutStatusSummary.output>> {
  const settings = await platform.settings.all();
  const rows = await platform.db.query<{
    orderStatusId: NamedPayout['status'];
    currency: NamedPayout['currency'];
    count: number;
    amount: bigint;
  }>(sql`
    select o.status as "orderStatusId", o.currency, count(*)::int as count, sum(o.amount)::bigint as amount
    from payout_orders o where true ${visible(platform, viewer, input, settings)} group by 1, 2 order by 2, 1`);
  return { list: rows.map((row) => ({ ...row, amount: Number(row.amount) })) };
}

/** The newest payout the viewer may see. The console's notifier polls it. */
export async function lastPayout(
  platform: Platform,
  viewer: Viewer,
): Promise<z.input<typeof getLastOrder.output>> {
  const [row] = await platform.db.query<{ id: bigint; createdAt: Date }>(sql`
    select o.id, o.created_at as "createdAt" from payout_orders o
    where true ${timeFilter(sql`o.id`, {}, platform.clock.now(), 1)} ${payoutScope(viewer)} order by o.id desc limit 1`);
  return {
    orderCode: row ? String(row.id) : null,
    createTime: row ? formatTime(row.createdAt) : null,
    notice: false,
  };
}

const PAYEE = ['cardNumber', 'usdtAddress', 'validateUserName', 'userName'] as const;

/** SQL: what the viewer may see, and every filter except the status. */
function visible(
  platform: Platform,
  viewer: Viewer,
  input: PayoutOrderFilters,
  settings: SettingValues,
): Sql {
  return sql`
    ${payoutScope(viewer, scopeAsked(viewer, input, settings))}
    ${seenOnly(viewer, input, { merchant: ['unproven'], supplier: [] })}
    ${viewer.role === 'supplier' ? empty : seenPersons(viewer, 'payee', input, PAYEE)}
    ${countedFilter('out', input, settings.OrderStatisticsTimeFormat)}
    ${viewer.role === 'supplier' && input.counted !== undefined ? sql`and o.supplier_id is not null` : empty}
    ${viewer.role === 'supplier' && PAYEE.some((name) => input[name] !== undefined) ? sql`and ${seenWhole(viewer)}` : empty}
    ${orderFilters(viewer, input, platform.clock.now(), sql`o.finished_at`, settings)}
    ${equals(sql`o.payee_account`, input.cardNumber)}
    ${equals(sql`o.payee_ifsc`, input.ifscCode?.toUpperCase())}
    ${equals(sql`o.payee_address`, input.usdtAddress)}
    ${equals(sql`o.unproven`, input.unproven)}
    ${isSet(sql`o.locked_by`, input.processState === undefined ? undefined : input.processState === 1)}
    ${usdtFilter(sql`o.amount`, input.usdtCount)}
    ${sameText(sql`o.payee_name`, input.validateUserName)}
    ${contains([sql`o.payee_name`], input.userName)}
    ${input.batchId === undefined ? empty : batchFilter(viewer, BigInt(input.batchId), platform.clock.now())}`;
}

/** Payouts of a merchant's upload or of a batch payout. A merchant may filter by its own upload only, and does not see our batches. */
function batchFilter(viewer: Viewer, batchId: bigint, now: Date): Sql {
  if (viewer.role === 'merchant') return sql`and o.upload_id = ${batchId}`;
  return sql`and o.id in (
    select order_id from payout_batch_orders where batch_id = ${batchId}
    union all select id from payout_orders where upload_id = ${batchId} ${timeFilter(sql`id`, {}, now, null)})`;
}
