import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import { shownMark } from '@sangam/contract/orders.ts';
import { payoutActions, PAYOUT_STATUS, type PayoutStatus } from '@sangam/contract/payouts.ts';
import { seesWhole } from '@sangam/contract/personal-data.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { type Sql, sql } from '../platform/db/database.ts';
import { maskAccountNumber, maskAddress, maskName, maskPhone, maskVpa } from '../platform/masking.ts';
import { isStaff, type Viewer } from '../platform/viewer.ts';
import { payoutVersion, subjectOf } from './actions.ts';
import { PAYOUT_COLUMNS, type PayoutOrder } from './order.ts';

/** A payout order joined with the names a list shows. */
export interface NamedPayout extends PayoutOrder {
  readonly productName: string;
  readonly merchantName: string;
  readonly supplierName: string | null;
}

/** Select list of a NamedPayout; use with NAMED_JOINS. */
export const NAMED_COLUMNS: Sql = sql`
  ${PAYOUT_COLUMNS}, p.name as "productName", m.name as "merchantName", s.name as "supplierName"`;

// Outer joins on primary keys: PostgreSQL leaves them out of a count.
export const NAMED_JOINS: Sql = sql`
  left join products p on p.id = o.product_id
  left join merchants m on m.id = o.merchant_id
  left join suppliers s on s.id = o.supplier_id`;

const number = (minor: bigint | null) => (minor === null ? null : Number(minor));
const time = (moment: Date | null) => (moment === null ? null : formatTime(moment));

/** Statuses of a payout that its claimer still has to pay, or has to find out whether it paid. */
export const UNDER_WAY: readonly PayoutStatus[] = [
  PAYOUT_STATUS.preparing,
  PAYOUT_STATUS.inProgress,
  PAYOUT_STATUS.toBeConfirmed,
  PAYOUT_STATUS.submitted,
  PAYOUT_STATUS.processingError,
];

/** SQL condition of the payouts whose payee a supplier sees unmasked; the same rule as in `payoutRow`. */
export function seenWhole({ supplierId }: Viewer): Sql {
  return sql`o.supplier_id = ${supplierId} and o.status = any(${UNDER_WAY})`;
}

/**
 * The payout as this viewer may see it. Merchants see no supplier; suppliers see no merchant and no fee. The payee is unmasked for the
 * roles that see payees (`seesWhole`) and for the claimer who still has to pay. `actions` are those the action table allows now.
 */
export function payoutRow(order: NamedPayout, viewer: Viewer): PayoutOrderRow {
  const staff = isStaff(viewer);
  const subject = subjectOf(order, viewer);
  const common = {
    id: String(order.id),
    orderCode: String(order.id),
    version: payoutVersion(order),
    mchOrderNo: order.mchOrderNo,
    orderStatusId: order.status,
    orderMark: shownMark(order.mark, staff),
    reversed: order.reversedAt !== null,
    locked: subject.locked,
    claim: subject.claim,
    productId: order.productId,
    productName: order.productName,
    currency: order.currency,
    amount: Number(order.amount),
    utr: order.utr,
    // Staff write it for the merchant.
    rejectReason: viewer.role === 'supplier' ? null : order.rejectReason,
    ...(viewer.role === 'merchant' ? {} : { unproven: order.unproven }),
    ...payeeOf(
      order,
      seesWhole(viewer, 'payee') || (subject.claim === 'mine' && UNDER_WAY.includes(order.status)),
    ),
    createTime: formatTime(order.createdAt),
    claimTime: time(order.claimedAt),
    claimExpireTime: time(order.claimedUntil),
    finishTime: time(order.finishedAt),
    // An agent sees its team's payouts; only the supplier that claimed one may act on it.
    actions: viewer.role === 'supplier' && subject.claim === 'other' ? [] : payoutActions(viewer, subject),
  } satisfies PayoutOrderRow;
  const merchantSide = {
    merchantId: String(order.merchantId),
    merchantName: order.merchantName,
    fee: Number(order.fee),
    ipAddress: order.clientIp,
  };
  const supplierSide = {
    supplierId: order.supplierId === null ? null : String(order.supplierId),
    supplierName: order.supplierName,
    supplierCommission: number(order.supplierCommission),
  };
  if (staff) {
    const { frozen, legalHold, gatewayRef: gatewayReference } = order;
    return { ...common, ...merchantSide, ...supplierSide, gatewayReference, frozen, legalHold };
  }
  // A merchant does not learn whether a supplier has claimed the payout, or which.
  return viewer.role === 'merchant'
    ? { ...common, claim: 'none', claimTime: null, claimExpireTime: null, ...merchantSide }
    : { ...common, ...supplierSide };
}

function payeeOf(order: PayoutOrder, whole: boolean) {
  const shown = (text: string | null, mask: (text: string) => string) =>
    text === null || whole ? text : mask(text);
  return {
    userName: whole ? order.payeeName : maskName(order.payeeName),
    cardNumber: shown(order.payeeAccount, maskAccountNumber),
    ifscCode: order.payeeIfsc,
    bankName: order.payeeBank,
    vpa: shown(order.payeeVpa, maskVpa),
    usdtAddress: shown(order.payeeAddress, maskAddress),
    phone: shown(order.payeePhone, maskPhone),
  };
}
