import { createHash } from 'node:crypto';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import type { Tx } from '../platform/db/database.ts';
import { writeEvents } from '../history/events.ts';
import { splitFee } from '../ledger/fees.ts';
import { post } from '../ledger/post.ts';
import {
  claimMerchantOrders,
  findMerchantOrders,
  numberKey,
  releaseMerchantOrders,
} from '../order-numbers/numbers.ts';
import type { Platform } from '../platform/platform.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { merchantDays, merchantTerms, termsKey, type MerchantTerms } from '../terms/products/terms.ts';
import { beginTermsDays, countTowardsTerms } from '../terms/products/terms-day.ts';
import { acceptOrder } from '../terms/products/accept-order.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import { nameScreen } from '../screening/screen.ts';
import { payeeParty } from './listed-payees.ts';
import type { Payee, PayoutOrder } from './order.ts';
import { readPayee, type PayeeFields } from './payee.ts';
import { frozenPosting } from './posting.ts';
import { insertPayouts, readPayouts, type PayoutRow } from './store.ts';

/** A merchant's request for a payout. */
export interface NewPayout {
  readonly merchantId: bigint;
  readonly mchOrderNo: string;
  readonly productId: number;
  /** Minor units. */
  readonly amount: bigint;
  readonly payee: PayeeFields;
  readonly notifyUrl: string | null;
  readonly clientIp: string | null;
  readonly param1: string | null;
  readonly param2: string | null;
  readonly callerIp: string | null;
  /** The merchant's upload that it is a row of. */
  readonly uploadId?: bigint;
}

/** The order number is in use, or was when we looked: the order that has it is the answer. */
export const TAKEN = 'taken';

/**
 * Creates payout orders in one transaction and freezes amount and fee of each. Each input succeeds or is refused alone. A known order
 * number answers its existing order (1103 when the content differs). A payout that the available balance does not cover is refused (1203)
 * and leaves nothing: its number stays free.
 */
export async function createPayouts(
  platform: Platform,
  inputs: readonly NewPayout[],
  at: Date = platform.clock.now(),
): Promise<(PayoutOrder | Refusal)[]> {
  // The lists of names are loaded before the transaction: loading them within it would need a second connection.
  await nameScreen(platform).ready();
  const answers = new Map<NewPayout, PayoutOrder | Refusal>();
  let open = inputs;
  // A number is free again when the request that had it was refused (1203): it is tried again. Each round answers at least one request of
  // each number.
  for (let round = 0; open.length > 0 && round <= inputs.length; round += 1) {
    const asked = open;
    const made = await platform.db.calls.tx((tx) => createInTx(platform, tx, asked, at));
    asked.forEach((input, index) => {
      const result = made[index]!;
      if (result !== TAKEN) answers.set(input, result);
    });
    const taken = asked.filter((input) => !answers.has(input));
    for (const [input, answer] of await answersOfExisting(platform, taken)) answers.set(input, answer);
    open = taken.filter((input) => !answers.has(input));
  }
  return inputs.map((input) => answers.get(input) ?? refuse('conflict'));
}

interface Prepared {
  readonly input: NewPayout;
  readonly row: PayoutRow;
}

/** The same in the caller's transaction. 'taken': another order has the number. The caller decides whether one refusal refuses all. */
export async function createInTx(
  platform: Platform,
  tx: Tx,
  inputs: readonly NewPayout[],
  at: Date,
): Promise<(PayoutOrder | Refusal | typeof TAKEN)[]> {
  const merchantIds = inputs.map((input) => input.merchantId);
  const terms = await merchantTerms(
    platform,
    tx,
    merchantIds,
    inputs.map((input) => input.productId),
    at,
  );
  const day = businessDay(at);
  await beginTermsDays(tx, merchantDays(terms, day));
  const existing = await findMerchantOrders(
    tx,
    merchantIds,
    inputs.map((input) => input.mchOrderNo),
  );
  const { KYC } = await platform.settings.all();
  const names = await nameScreen(platform).ready();
  const known = new Set(existing.map(numberKey));
  const prepared = inputs.map((input): Prepared | Refusal | typeof TAKEN => {
    if (known.has(numberKey(input))) return TAKEN;
    const accepted = acceptOrder(input, {
      terms: terms.get(termsKey(input.merchantId, input.productId)),
      direction: 'out',
      isKycRequired: KYC,
      read: ({ channel }) => readPayee(channel, input.payee),
    });
    if (isRefusal(accepted)) return accepted;
    const row = payoutRow(platform.ids.next(at), input, accepted.terms, accepted.read, at);
    if (names.hit(payeeParty(row), 'payout', `merchant:${input.merchantId}`))
      return refuse('nameBlacklisted');
    known.add(numberKey(input));
    return { input, row };
  });
  const fresh = prepared.filter((item): item is Prepared => item !== TAKEN && !isRefusal(item));
  const claimed = await claimMerchantOrders(
    tx,
    fresh.map(({ input, row }) => ({
      merchantId: row.merchantId,
      mchOrderNo: row.mchOrderNo,
      orderId: row.id,
      direction: 'out',
      contentHash: contentHash(input),
    })),
  );
  const mine = fresh.filter(({ row }) => claimed.has(row.id));
  const outcomes = await post(
    platform,
    tx,
    mine.map(({ row }) => frozenPosting(row, at)),
  );
  const poor = new Set(mine.filter((_, index) => outcomes[index] !== 'posted').map(({ row }) => row.id));
  await releaseMerchantOrders(tx, [...poor]);
  const rows = mine.flatMap(({ row }) => (poor.has(row.id) ? [] : [row]));
  await insertPayouts(tx, rows);
  await countTowardsTerms(
    tx,
    rows.map(({ merchantId: ownerId, productId, amount }) => ({
      ownerKind: 'merchant' as const,
      ownerId,
      productId,
      day,
      orders: 1 as const,
      amount,
      termsDay: terms.get(termsKey(ownerId, productId))!.termsDay,
    })),
  );
  await writeEvents(
    platform,
    tx,
    mine.flatMap(({ input, row }) =>
      poor.has(row.id)
        ? []
        : [
            {
              orderId: row.id,
              kind: 'created',
              from: null,
              to: PAYOUT_STATUS.waiting,
              actor: { kind: 'merchant', id: row.merchantId, ip: input.callerIp },
              at,
            },
          ],
    ),
  );
  const created = new Map(
    (
      await readPayouts(
        tx,
        rows.map((row) => row.id),
      )
    ).map((order) => [order.id, order]),
  );
  return prepared.map((item) => {
    if (item === TAKEN || isRefusal(item)) return item;
    if (poor.has(item.row.id)) return refuse('balanceInsufficient');
    return created.get(item.row.id) ?? TAKEN;
  });
}

function payoutRow(id: bigint, input: NewPayout, terms: MerchantTerms, payee: Payee, at: Date): PayoutRow {
  return {
    id,
    merchantId: input.merchantId,
    mchOrderNo: input.mchOrderNo,
    productId: input.productId,
    currency: terms.currency,
    amount: input.amount,
    fee: splitFee(input.amount, terms, null, []).fee,
    ...payeeColumns(payee),
    clientIp: input.clientIp,
    notifyUrl: input.notifyUrl,
    param1: input.param1,
    param2: input.param2,
    uploadId: input.uploadId ?? null,
    createdAt: at,
  };
}

function payeeColumns(payee: Payee) {
  return {
    payeeName: payee.name,
    payeeAccount: payee.account,
    payeeIfsc: payee.ifsc,
    payeeBank: payee.bank,
    payeeVpa: payee.vpa,
    payeeAddress: payee.address,
    payeePhone: payee.phone,
  };
}

/**
 * Answers for order numbers that exist: the order, or 1103 when the content differs. For an archived order 1103 with its id as `archived`.
 */
export async function answersOfExisting(
  platform: Platform,
  inputs: readonly NewPayout[],
): Promise<Map<NewPayout, PayoutOrder | Refusal>> {
  if (inputs.length === 0) return new Map();
  const found = await findMerchantOrders(
    platform.db,
    inputs.map((input) => input.merchantId),
    inputs.map((input) => input.mchOrderNo),
  );
  const byNumber = new Map(found.map((row) => [numberKey(row), row]));
  const orders = new Map(
    (
      await readPayouts(
        platform.db,
        found.map((row) => row.orderId),
      )
    ).map((order) => [order.id, order]),
  );
  return new Map(
    inputs.flatMap((input) => {
      const row = byNumber.get(numberKey(input));
      if (!row) return [];
      const same = row.contentHash.equals(contentHash(input));
      const left = refuse('orderNumberReused', {}, same ? { archived: String(row.orderId) } : undefined);
      return [[input, (same && orders.get(row.orderId)) || left] as const];
    }),
  );
}

/** Two requests with the same hash ask for the same payout. Client address, caller address and signature are left out: they may differ. */
function contentHash(input: NewPayout): Buffer {
  const { userName, cardNumber, ifscCode, bankName, accountType, vpa, address, phone } = input.payee;
  const payee = [userName, cardNumber, ifscCode, bankName, accountType, vpa, address, phone];
  const content = [input.productId, input.amount, input.notifyUrl, input.param1, input.param2, ...payee];
  return createHash('sha256')
    .update(JSON.stringify(['out', ...content.map((part) => part?.toString() ?? null)]))
    .digest();
}
