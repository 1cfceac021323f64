import type { z } from 'zod';
import type { getResourceDetailInfo, getResourceStaticInfo } from '@sangam/contract/endpoints/party.ts';
import type { AccountKind, MpesaType } from '@sangam/contract/account-kinds.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { empty, sql } from '../platform/db/database.ts';
import { idFilter } from '../platform/db/page.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { qrDataUrl } from '../platform/files/qr-code.ts';
import { pictureOf, scannedText, upiAddress } from './qr-code.ts';
import { accountScope, maskedNumber, maskedVpa, monitorOnline, owns } from './resource.ts';

type Detail = z.input<typeof getResourceDetailInfo.output>;
type Counts = z.input<typeof getResourceStaticInfo.output>;

interface DetailRow {
  readonly accountId: bigint;
  readonly productId: number;
  readonly supplierId: bigint;
  readonly supplierName: string;
  readonly productName: string;
  readonly state: 0 | 1;
  readonly kind: AccountKind;
  readonly mpesaType: MpesaType | null;
  readonly ownerName: string;
  readonly accountNumber: string;
  readonly ifsc: string | null;
  readonly vpa: string | null;
  readonly waitingCount: number;
  readonly waitingAmount: bigint;
  readonly currency: Currency;
}

/**
 * One account for one product, with the QR code a payer could scan. Anybody but the owner gets the link and code of the masked
 * fields; revealAccount shows the whole values for a reason.
 */
export async function getResource(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof getResourceDetailInfo.input>,
): Promise<Detail | Refusal> {
  const [row] = await platform.db.query<DetailRow>(sql`
    select r.account_id as "accountId", r.product_id as "productId", a.supplier_id as "supplierId", s.name as "supplierName",
      p.name as "productName", r.state, a.kind, a.mpesa_type as "mpesaType", a.owner_name as "ownerName",
      a.account_number as "accountNumber", a.ifsc, a.vpa, a.currency,
      coalesce(l.waiting_count, 0) as "waitingCount", coalesce(l.waiting_amount, 0) as "waitingAmount"
    from resources r
    join accounts a on a.id = r.account_id
    join suppliers s on s.id = a.supplier_id
    join products p on p.id = r.product_id
    left join account_load l on l.account_id = a.id
    where r.product_id = ${input.productId}::bigint ${idFilter(sql`r.account_id`, input.resourceId)} ${accountScope(viewer)}`);
  if (!row) return refuse('notFound');
  const masked = !owns(viewer, row.supplierId);
  const shown = masked ? { ...row, accountNumber: maskedNumber(row), vpa: maskedVpa(row) } : row;
  const picture = masked ? undefined : await pictureOf(platform.db, row.accountId);
  return {
    id: String(row.accountId),
    productId: row.productId,
    supplierName: row.supplierName,
    productName: row.productName,
    state: row.state,
    link: shown.vpa === null ? null : upiAddress(shown.vpa, row.ownerName),
    jumpLink: null,
    qrCode: picture ?? (await qrDataUrl(scannedText(shown))),
    masked,
    processingOrderCount: row.waitingCount,
    processingOrderAmount: Number(row.waitingAmount),
    currency: row.currency,
  };
}

/** Each of these suppliers with receiving accounts: how many, how many open for at least one product, how many with an online monitor. */
export async function countAccountsOf(
  platform: Platform,
  supplierIds: readonly bigint[],
): Promise<
  { readonly id: bigint; readonly accounts: number; readonly open: number; readonly online: number }[]
> {
  const online = monitorOnline(await platform.settings.all(), platform.clock.now());
  return platform.db.query(sql`
    select a.supplier_id as id, count(*)::int as accounts, (count(*) filter (where v.open))::int as open,
      (count(*) filter (where ${online}))::int as online
    from accounts a
    join lateral (
      select bool_or(r.state = 0) as open from resources r where r.account_id = a.id having count(*) > 0) v on true
    left join monitors m on m.id = a.monitor_id
    where a.direction = 'in' and a.supplier_id = any(${supplierIds}) group by 1`);
}

/**
 * Counts of accounts that are open or online for at least one of the chosen products. Without a product: counts of receiving
 * accounts, and the amount of INR accounts only, because sums never mix currencies.
 */
export async function countResources(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof getResourceStaticInfo.input>,
): Promise<Counts> {
  const online = monitorOnline(await platform.settings.all(), platform.clock.now());
  const { productId } = input;
  const [row] = await platform.db.query<Omit<Counts, 'processingOrderAmount'> & { amount: bigint }>(sql`
    select count(*)::int as total, (count(*) filter (where v.open))::int as enabled, (count(*) filter (where ${online}))::int as online,
      coalesce(sum(l.waiting_count), 0)::int as "processingOrderCount",
      coalesce(sum(l.waiting_amount) ${productId === undefined ? sql`filter (where a.currency = 'INR')` : empty}, 0)::bigint as amount
    from (
      select r.account_id, bool_or(r.state = 0) as open from resources r
      ${productId === undefined ? empty : sql`where r.product_id = ${productId}::bigint`} group by 1
    ) v
    join accounts a on a.id = v.account_id
    left join account_load l on l.account_id = a.id
    left join monitors m on m.id = a.monitor_id
    where ${productId === undefined ? sql`a.direction = 'in'` : sql`true`} ${accountScope(viewer)}
      ${input.supplierId === undefined ? empty : idFilter(sql`a.supplier_id`, input.supplierId)}`);
  const { amount, ...counts } = row!;
  return { ...counts, processingOrderAmount: Number(amount) };
}
