import { businessDay } from '@sangam/contract/time.ts';
import { sql } from '../platform/db/database.ts';
import { createBatch, type BatchRequest, type CreatedBatch } from '../payout/batch/create.ts';
import { seedTemplates } from '../payout/batch/templates/manage.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { makePayoutShop, type PayoutShop } from './payouts.ts';
import { makeAccount, makeMonitor, makeUser, viewerOf } from './world.ts';

/** A payout shop whose first supplier has a paying account at ICICI, and the admin who makes batches. */
export interface BatchShop extends PayoutShop {
  readonly accountId: bigint;
  readonly accountNumber: string;
  readonly monitorId: bigint;
  readonly monitorSecret: string;
  readonly admin: Viewer;
}

export async function makeBatchShop(platform: Platform, funds = 1_000_000_00n): Promise<BatchShop> {
  await seedTemplates(platform);
  const shop = await makePayoutShop(platform, funds);
  const { monitorId, secret } = await makeMonitor(platform, { supplierId: shop.supplierId });
  const account = await makeAccount(platform, {
    supplierId: shop.supplierId,
    monitorId,
    direction: 'out',
    bank: 'ICIC',
    senderHeader: 'ICICIB',
    products: [2001],
  });
  const { id: userId } = await makeUser(platform, { role: 'admin' });
  return {
    ...shop,
    ...account,
    monitorId,
    monitorSecret: secret,
    admin: viewerOf(platform, { role: 'admin', userId }),
  };
}

export async function templateId(platform: Platform, name: string): Promise<string> {
  const [row] = await platform.db.query<{ id: bigint }>(
    sql`select id from payout_templates where name = ${name}`,
  );
  return String(row!.id);
}

let made = 0;

/** A request for a batch of all waiting payouts, in ICICI's format. */
export async function batchRequest(
  platform: Platform,
  shop: Pick<BatchShop, 'accountId'>,
  fields: Partial<BatchRequest> = {},
): Promise<BatchRequest> {
  const key = `key${(made += 1)}`;
  return {
    accountId: String(shop.accountId),
    templateId: await templateId(platform, 'ICICI CIB'),
    minAmount: 1,
    maxAmount: 1_000_000_00,
    orderCount: 500,
    payTime: `${businessDay(platform.clock.now())} 23:59:59`,
    key,
    ...fields,
  };
}

/** Makes a batch that must succeed. */
export async function makeBatch(
  platform: Platform,
  shop: BatchShop,
  fields: Partial<BatchRequest> = {},
): Promise<CreatedBatch> {
  const batch = await createBatch(platform, shop.admin, await batchRequest(platform, shop, fields));
  if (isRefusal(batch)) throw new Error(`batch refused: ${batch.code} ${JSON.stringify(batch.data)}`);
  return batch;
}

/** What ICICI's report says about one row. */
export interface SaidRow {
  readonly reference: string;
  readonly amount: string;
  readonly status: string;
  readonly utr?: string;
  readonly reason?: string;
}

/** A 'Consolidated Status Report' of ICICI: some of its columns, in its words. */
export function iciciReport(rows: readonly SaidRow[]): string {
  const header =
    'File_Sequence_Num,Amount,Pymt_Date,Reference_no,STATUS,Current Step,Rejection Reason,UTR NO';
  const lines = rows.map(
    ({ reference, amount, status, utr, reason }, index) =>
      `${index + 1},${amount},16-11-2026,${reference},${status},Paid,${reason ?? ''},${utr ?? ''}`,
  );
  return [header, ...lines].join('\r\n');
}
