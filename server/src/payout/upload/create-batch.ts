import { createHash } from 'node:crypto';
import { type createBatch as endpoint, createOrder } from '@sangam/contract/endpoints/outside.ts';
import { MOST_BATCH_ORDERS } from '@sangam/contract/payout-batches.ts';
import { merchantAmountFactor } from '@sangam/contract/money.ts';
import type { Locale } from '@sangam/contract/locale.ts';
import type { z } from 'zod';
import { isProblem, type Problem, problem, refuseFile } from '../../platform/files/problems.ts';
import { hasType, textOf, type UploadedFile } from '../../platform/files/upload.ts';
import { messageOf } from '../../http/messages.ts';
import { createInTx, type NewPayout, TAKEN } from '../create.ts';
import type { Platform } from '../../platform/platform.ts';
import { productsById } from '../../terms/products/products.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import { readUpload, type UploadRow } from './read-file.ts';
import { findUpload, insertUpload, type Upload } from './store.ts';

export interface UploadRequest {
  readonly merchantId: bigint;
  readonly key: string;
  readonly file: UploadedFile;
  readonly callerIp: string;
  readonly locale: Locale;
}

export type UploadAnswer = z.input<typeof endpoint.output>;

/**
 * Creates all payouts of a merchant's file in one transaction, or none. The same key again answers the same upload. Refusals: 1302 not a
 * CSV file, 1301 more than 500 rows, 1303 with the problem of each row, 1103 the key was used with another file.
 */
export async function createBatch(
  platform: Platform,
  request: UploadRequest,
): Promise<UploadAnswer | Refusal> {
  const { merchantId, key, file, locale } = request;
  const contentHash = createHash('sha256').update(file.bytes).digest();
  const known = await findUpload(platform.db, merchantId, key);
  if (known) return answer(known, contentHash);

  const text = textOf(file.bytes);
  if (text === undefined || !hasType(file.name, ['csv'])) return refuse('wrongFileType');
  const rows = readUpload(text);
  if (rows.some(isProblem)) return refuseFile(rows.filter(isProblem), locale);
  const payouts = rows.filter((row): row is UploadRow => !isProblem(row));
  if (payouts.length > MOST_BATCH_ORDERS) return refuse('tooManyOrders');
  const unreadable = payouts.flatMap(fieldProblems);
  if (unreadable.length > 0) return refuseFile(unreadable, locale);

  const at = platform.clock.now();
  const upload: Upload = {
    id: platform.ids.next(at),
    merchantId,
    key,
    contentHash,
    count: payouts.length,
    sum: payouts.reduce((sum, { cells }) => sum + BigInt(cells.amount!), 0n),
  };
  const products = await productsById(platform);
  const inputs = payouts.map(({ cells }) => newPayout(cells, products, request, upload.id));
  const result = await platform.db.tx(async (tx) => {
    if (!(await insertUpload(tx, upload, at))) return TAKEN;
    const made = await createInTx(platform, tx, inputs, at);
    const refused = made.flatMap((each, index) => {
      const refusal = each === TAKEN ? refuse('orderNumberReused') : isRefusal(each) ? each : undefined;
      return refusal
        ? [problem(payouts[index]!.row, 'refused', messageOf(refusal.code, refusal.params, locale))]
        : [];
    });
    return refused.length > 0 ? refuseFile(refused, locale) : upload;
  });
  if (result !== TAKEN) return isRefusal(result) ? result : answer(result, contentHash);
  // The same request was faster, and has committed.
  const rival = await findUpload(platform.db, merchantId, key);
  return rival ? answer(rival, contentHash) : refuse('conflict');
}

function answer(upload: Upload, contentHash: Buffer): UploadAnswer | Refusal {
  if (!upload.contentHash.equals(contentHash)) return refuse('orderNumberReused');
  return { batchId: String(upload.id), count: upload.count, sum: Number(upload.sum) };
}

const { shape } = createOrder.input;

/** The cells that the create call would refuse as a field of that name. */
function fieldProblems({ row, cells }: UploadRow): Problem[] {
  const wrong = Object.entries(shape).filter(([name, schema]) => {
    const cell = cells[name as keyof typeof cells];
    const isNeeded = name === 'mchOrderNo' || name === 'productId' || name === 'amount';
    return (isNeeded || cell !== undefined) && !schema.safeParse(cell).success;
  });
  return wrong.map(([name]) => problem(row, 'fieldWrong', name));
}

function newPayout(
  cells: UploadRow['cells'],
  products: Awaited<ReturnType<typeof productsById>>,
  request: UploadRequest,
  uploadId: bigint,
): NewPayout {
  const { mchOrderNo, productId, amount, notifyUrl, param1, param2, ...payee } = cells;
  return {
    merchantId: request.merchantId,
    mchOrderNo: mchOrderNo!,
    productId: Number(productId),
    amount: BigInt(amount!) * merchantAmountFactor(products.get(Number(productId))?.currency ?? 'INR'),
    payee,
    notifyUrl: notifyUrl ?? null,
    clientIp: null,
    param1: param1 ?? null,
    param2: param2 ?? null,
    callerIp: request.callerIp,
    uploadId,
  };
}
