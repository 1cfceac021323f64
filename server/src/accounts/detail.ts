import type { z } from 'zod';
import type { getResourceDetailInfo, getResourceStaticInfo } from '@sangam/contract/endpoints/party.ts';
import type { Currency } from '@sangam/contract/money.ts';
import QRCode from 'qrcode';
import { empty, sql } from '../db/database.ts';
import { idFilter } from '../db/page.ts';
import type { Platform } from '../platform.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { Viewer } from '../viewer.ts';
import { accountScope, monitorOnline } from './resource.ts';

type Detail = z.input<typeof getResourceDetailInfo.output>;
type Counts = z.input<typeof getResourceStaticInfo.output>;

interface DetailRow {
  readonly accountId: bigint;
  readonly productId: number;
  readonly supplierName: string;
  readonly productName: string;
  readonly state: 0 | 1;
  readonly ownerName: string;
  readonly accountNumber: string;
  readonly ifsc: string | null;
  readonly vpa: string | null;
  readonly waitingCount: number;
  readonly waitingAmount: bigint;
  readonly currency: Currency;
}

/** One account for one product, with the QR a payer could scan. */
export async function getResource(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof getResourceDetailInfo.input>,
): Promise<Detail | Refusal> {
  const [row] = await platform.db.query<DetailRow>(sql`
    select r.account_id as "accountId", r.product_id as "productId", s.name as "supplierName", p.name as "productName",
      r.state, a.owner_name as "ownerName", a.account_number as "accountNumber", a.ifsc, a.vpa, a.currency,
      coalesce(l.waiting_count, 0) as "waitingCount", coalesce(l.waiting_amount, 0) as "waitingAmount"
    from resources r
    join accounts a on a.id = r.account_id
    join suppliers s on s.id = a.supplier_id
    join products p on p.id = r.product_id
    left join account_load l on l.account_id = a.id
    where r.product_id = ${input.productId}::bigint ${idFilter(sql`r.account_id`, input.resourceId)} ${accountScope(viewer)}`);
  if (!row) return refuse('notFound');
  const link = row.vpa === null ? null : upiAddress(row.vpa, row.ownerName);
  return {
    id: String(row.accountId),
    productId: row.productId,
    supplierName: row.supplierName,
    productName: row.productName,
    state: row.state,
    link,
    jumpLink: null,
    qrCode: await QRCode.toDataURL(link ?? [row.accountNumber, row.ifsc].filter(Boolean).join(' '), {
      margin: 2,
      width: 320,
    }),
    processingOrderCount: row.waitingCount,
    processingOrderAmount: Number(row.waitingAmount),
    currency: row.currency,
  };
}

/** UPI link that names the payee only: the payer types the amount. Encoded as in channels/upi. */
function upiAddress(vpa: string, payeeName: string): string {
  return `upi://pay?pa=${encodeURIComponent(vpa).replace('%40', '@')}&pn=${encodeURIComponent(payeeName)}&cu=INR`;
}

/**
 * Counts of accounts, open or online for at least one of the chosen products. Without a product the amount is that
 * of INR accounts, since sums never mix currencies.
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
    where true ${accountScope(viewer)}
      ${input.supplierId === undefined ? empty : idFilter(sql`a.supplier_id`, input.supplierId)}`);
  const { amount, ...counts } = row!;
  return { ...counts, processingOrderAmount: Number(amount) };
}
