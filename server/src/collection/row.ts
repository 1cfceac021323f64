import type { CollectionOrderRow } from '@sangam/contract/endpoints/order.ts';
import { collectionActions, type CollectionAction, shownMark } from '@sangam/contract/orders.ts';
import { seesWhole } from '@sangam/contract/personal-data.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { type Sql, sql } from '../platform/db/database.ts';
import { maskName } from '../platform/masking.ts';
import type { SettingValues } from '../platform/settings/settings.ts';
import { isStaff, type Viewer } from '../platform/viewer.ts';
import { orderVersion } from './actions.ts';
import { isUnproven } from './matchable.ts';
import { ORDER_COLUMNS, type CollectionOrder } from './order.ts';

/** A collection order joined with the names a list shows. */
export interface NamedOrder extends CollectionOrder {
  readonly productName: string;
  readonly merchantName: string;
  readonly supplierName: string | null;
  readonly accountName: string | null;
  readonly holdsAccount: boolean;
  /** The supplier or the receiving account is frozen: the supplier's own statement does not count. */
  readonly receiverHeld: boolean;
  /** Supplemented, and the bank's message has not come yet. */
  readonly unproven: boolean;
}

/** Select list of a NamedOrder; use with NAMED_JOINS. */
export const NAMED_COLUMNS: Sql = sql`
  ${ORDER_COLUMNS}, p.name as "productName", m.name as "merchantName", s.name as "supplierName",
  a.bank || ' ' || a.account_tail as "accountName", w.order_id is not null as "holdsAccount",
  coalesce(s.frozen or a.frozen, false) as "receiverHeld",
  ${isUnproven(sql`o`)} as unproven`;

// Outer joins on primary keys: PostgreSQL drops them from a count.
export const NAMED_JOINS: Sql = sql`
  left join products p on p.id = o.product_id
  left join merchants m on m.id = o.merchant_id
  left join suppliers s on s.id = o.supplier_id
  left join accounts a on a.id = o.account_id
  left join waiting_orders w on w.order_id = o.id`;

const number = (minor: bigint | null) => (minor === null ? null : Number(minor));
const time = (moment: Date | null) => (moment === null ? null : formatTime(moment));

/**
 * The order as this viewer may see it. Merchants see no suppliers; suppliers see no merchant and no merchant rates. Roles that
 * answer payers see the payer's whole name. `actions` are what the action table allows now.
 */
export function orderRow(order: NamedOrder, viewer: Viewer, settings: SettingValues): CollectionOrderRow {
  const staff = isStaff(viewer);
  const common = {
    id: String(order.id),
    orderCode: String(order.id),
    version: orderVersion(order),
    mchOrderNo: order.mchOrderNo,
    orderStatusId: order.status,
    orderMark: shownMark(order.mark, staff),
    supplementStatus: order.supplementStatus,
    reversed: order.reversedAt !== null,
    productId: order.productId,
    productName: order.productName,
    currency: order.currency,
    amount: Number(order.amount),
    payableAmount: number(order.payable),
    currentReceivedMoney: number(order.received),
    utr: order.utr,
    identifyCode: order.identifyCode,
    userName: seesWhole(viewer, 'payerName') ? order.userName : maskName(order.userName),
    createTime: formatTime(order.createdAt),
    allocateTime: time(order.allocatedAt),
    expireTime: time(order.expiresAt),
    payTime: time(order.paidAt),
    actions: actionsFor(order, viewer, settings),
  } satisfies CollectionOrderRow;
  const merchantSide = {
    merchantId: String(order.merchantId),
    merchantName: order.merchantName,
    fee: number(order.fee),
    income: order.received === null ? null : Number(order.received - (order.fee ?? 0n)),
    ipAddress: order.clientIp,
  };
  const supplierSide = {
    supplierId: order.supplierId === null ? null : String(order.supplierId),
    supplierName: order.supplierName,
    resourceId: order.accountId === null ? null : String(order.accountId),
    accountName: order.accountName,
    supplierCommission: number(order.supplierCommission),
  };
  if (staff)
    return {
      ...common,
      ...merchantSide,
      ...supplierSide,
      unproven: order.unproven,
      frozen: order.frozen,
      legalHold: order.legalHold,
    };
  return { ...common, ...(viewer.role === 'merchant' ? merchantSide : supplierSide) };
}

function actionsFor(order: NamedOrder, viewer: Viewer, settings: SettingValues): CollectionAction[] {
  // An agent sees its team's orders; only the order's own supplier acts on them.
  if (viewer.role === 'supplier' && order.supplierId !== viewer.supplierId) return [];
  return collectionActions(
    viewer,
    {
      status: order.status,
      holdsAccount: order.holdsAccount,
      reversed: order.reversedAt !== null,
      frozen: order.frozen || (viewer.role === 'supplier' && order.receiverHeld),
    },
    { canTimeoutSupplement: settings.CanTimeoutSupplement },
  );
}
