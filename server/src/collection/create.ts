import { createHash } from 'node:crypto';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { businessDay } from '@sangam/contract/time.ts';
import type { PayeeAccount } from '../accounts/load.ts';
import { readAllocationPool } from '../accounts/allocation-pool.ts';
import { hasChannel } from '../channels/channels.ts';
import { type Queryable, type Tx, violated } from '../platform/db/database.ts';
import {
  type MerchantOrder,
  claimMerchantOrders,
  findMerchantOrders,
  assertNumbersFree,
  numberKey,
} from '../order-numbers/numbers.ts';
import { nameScreen } from '../screening/screen.ts';
import { timed } from '../platform/stage-times.ts';
import type { Platform } from '../platform/platform.ts';
import { productsById } from '../terms/products/products.ts';
import { merchantDays, merchantTerms, termsKey, type MerchantTerms } from '../terms/products/terms.ts';
import { beginTermsDays, countTowardsTerms } from '../terms/products/terms-day.ts';
import { acceptOrder } from '../terms/products/accept-order.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import { allocate, guessSpan, supplierDays, type Allocation } from './allocate.ts';
import type { AllocationRequest } from './search.ts';
import { SYSTEM, writeEvents, type OrderEvent } from '../history/events.ts';
import { holdDeposits } from './hold.ts';
import { frozenAddresses } from '../traffic/frozen.ts';
import { newIdentifyCode } from './identify-code.ts';
import type { CollectionOrder } from './order.ts';
import { termsCountsOf } from './waiting.ts';
import { insertOrders, orderOf, readOrders, takenAmounts, type AmountSpan, type OrderRow } from './store.ts';
import { markTests } from './test-orders.ts';

/** A merchant's request for a collection order. */
export interface NewOrder {
  readonly merchantId: bigint;
  readonly mchOrderNo: string;
  readonly productId: number;
  /** Minor units. */
  readonly amount: bigint;
  readonly notifyUrl: string;
  readonly returnUrl: string | null;
  readonly subject: string | null;
  readonly body: string | null;
  readonly clientIp: string | null;
  readonly userName: string | null;
  readonly param1: string | null;
  readonly param2: string | null;
  readonly callerIp: string | null;
}

/**
 * Creates collection orders and allocates an account to each, in one transaction; each input succeeds or is refused alone. A
 * known order number answers its existing order (1103 when the content differs). An order that no account can take is kept with
 * status 5.
 */
export async function createOrders(
  platform: Platform,
  inputs: readonly NewOrder[],
  at: Date = platform.clock.now(),
): Promise<(CollectionOrder | Refusal)[]> {
  const created = await createForPayers(platform, inputs, at);
  return created.map((result) => (isRefusal(result) ? result : result.order));
}

/** An order and the account its payer pays into. The account is undefined where none was allocated and where the order existed before. */
export interface CreatedOrder {
  readonly order: CollectionOrder;
  readonly payee: PayeeAccount | undefined;
}

/** Does what `createOrders` does, and answers the account of each order too. */
export async function createForPayers(
  platform: Platform,
  inputs: readonly NewOrder[],
  at: Date = platform.clock.now(),
): Promise<(CreatedOrder | Refusal)[]> {
  // Read before the transaction: inside it the reads would need a second connection.
  await Promise.all([
    nameScreen(platform).ready(),
    ...inputs.map(({ clientIp }) => frozenAddresses(platform).isFrozen(clientIp)),
  ]);
  // Only the first attempt uses the guess. Where the guess was wrong, the transaction runs again without it.
  let guess = await guessFor(platform, inputs, at);
  const create = () =>
    timed(platform, 'create', () =>
      platform.db.calls.tx((tx) => {
        const first = guess;
        guess = undefined;
        return createInTx(platform, tx, inputs, at, first);
      }),
    );
  const { results, committed } = await create().catch((error: unknown) => {
    // Beside 100,000 waiting orders, one in four million gets the code of another one. The next try makes new codes.
    if (violated(error) === 'waiting_orders_identify_code_key') return create();
    throw error;
  });
  committed();
  // Another request claimed these numbers while our transaction ran. Its orders are committed now.
  const rivals = results.flatMap((result, index) => (result === 'claimedByRival' ? [index] : []));
  const settled = await answersOfExisting(
    platform,
    rivals.map((index) => inputs[index]!),
  );
  return results.map((result, index) =>
    result === 'claimedByRival' ? settled[rivals.indexOf(index)]! : result,
  );
}

/** The amounts that an order created alone will probably choose from. */
async function guessFor(
  platform: Platform,
  inputs: readonly NewOrder[],
  at: Date,
): Promise<AmountSpan | undefined> {
  const [input] = inputs;
  if (!input || inputs.length > 1) return undefined;
  const product = (await productsById(platform)).get(input.productId);
  if (!product) return undefined;
  return guessSpan(platform, requestOf(input, { id: 0n, code: '', currency: product.currency }), at);
}

function requestOf(
  input: NewOrder,
  order: Pick<AllocationRequest, 'currency'> & { readonly id: bigint; readonly code: string },
): AllocationRequest {
  return {
    orderId: order.id,
    merchantId: input.merchantId,
    productId: input.productId,
    currency: order.currency,
    amount: input.amount,
    identifyCode: order.code,
    userName: input.userName,
    payerUtr: null,
    avoid: null,
  };
}

async function createInTx(
  platform: Platform,
  tx: Tx,
  inputs: readonly NewOrder[],
  at: Date,
  guess?: AmountSpan,
): Promise<{ results: (CreatedOrder | Refusal | 'claimedByRival')[]; committed: () => void }> {
  const merchantIds = inputs.map((input) => input.merchantId);
  const productIds = inputs.map((input) => input.productId);
  const [terms, pool, taken] = await Promise.all([
    merchantTerms(platform, tx, merchantIds, productIds, at),
    readAllocationPool(platform, tx, productIds, at),
    guess && takenAmounts(tx, [guess], [], at),
  ]);
  await beginTermsDays(tx, [...merchantDays(terms, businessDay(at)), ...supplierDays(pool, businessDay(at))]);
  const settings = await platform.settings.all();
  const frozen = await Promise.all(
    inputs.map(({ clientIp }) => frozenAddresses(platform).isFrozen(clientIp)),
  );
  const names = await nameScreen(platform).ready();
  const known = new Set<string>();
  const prepared = inputs.map((input, index) => {
    if (known.has(numberKey(input))) return 'claimedByRival' as const;
    if (frozen[index]) return refuse('ipNotAllowed');
    const accepted = acceptOrder(input, {
      terms: terms.get(termsKey(input.merchantId, input.productId)),
      direction: 'in',
      isKycRequired: settings.KYC,
      read: ({ channel }) => (hasChannel(channel) ? undefined : refuse('productNotEnabled')),
    });
    if (isRefusal(accepted)) return accepted;
    if (names.hit({ name: input.userName }, 'collection', `merchant:${input.merchantId}`))
      return refuse('nameBlacklisted');
    known.add(numberKey(input));
    return { input, terms: accepted.terms, id: platform.ids.next(at), code: newIdentifyCode() };
  });
  const fresh = prepared.filter((item): item is Prepared => item !== 'claimedByRival' && !isRefusal(item));
  const numbers = fresh.map((item): MerchantOrder => ({
    merchantId: item.input.merchantId,
    mchOrderNo: item.input.mchOrderNo,
    orderId: item.id,
    direction: 'in',
    contentHash: contentHash(item.input),
  }));
  // Accounts are chosen for all orders while the numbers are claimed: a used number is rare, and waiting for the claims costs
  // time.
  const { byOrder: allocations, committed } = await timed(platform, 'allocate', () =>
    allocate(
      platform,
      tx,
      fresh.map((item) => requestOf(item.input, { ...item, currency: item.terms.currency })),
      at,
      pool,
      {
        claims: {
          ask: () => claimMerchantOrders(tx, numbers),
          assert_or_retry: () => assertNumbersFree(tx, numbers),
        },
        guess: guess && taken && { span: guess, taken },
      },
    ),
  );
  const mine = fresh.filter((item) => allocations.has(item.id));
  const rows = mine.map((item) => orderRow(item, allocations.get(item.id)!, at));
  insertOrders(tx, rows);
  markTests(tx, rows);
  await countTowardsTerms(
    tx,
    mine.flatMap((item) => countsOf(item, allocations.get(item.id)!)),
  );
  await writeEvents(
    platform,
    tx,
    mine.flatMap((item) => creationEvents(item, allocations.get(item.id)!, at)),
  );
  await holdDeposits(
    platform,
    tx,
    [...allocations.values()].flatMap(({ waiting }) => waiting ?? []),
  );
  const created = new Map(
    rows.map((row) => [row.id, { order: orderOf(row), payee: allocations.get(row.id)!.payee }]),
  );
  const refused = inputs.filter((_, index) => isRefusal(prepared[index]));
  const existing = new Set((await findExisting(tx, refused)).map(numberKey));
  const results = prepared.map((item, index) => {
    if (item === 'claimedByRival') return item;
    // The terms may have changed since the first request. A repeated request gets the same answer all the same.
    if (isRefusal(item)) return existing.has(numberKey(inputs[index]!)) ? 'claimedByRival' : item;
    return created.get(item.id) ?? 'claimedByRival';
  });
  return { results, committed };
}

async function findExisting(db: Queryable, inputs: readonly NewOrder[]): Promise<MerchantOrder[]> {
  if (inputs.length === 0) return [];
  const merchantIds = inputs.map((input) => input.merchantId);
  return findMerchantOrders(
    db,
    merchantIds,
    inputs.map((input) => input.mchOrderNo),
  );
}

interface Prepared {
  readonly input: NewOrder;
  readonly terms: MerchantTerms;
  readonly id: bigint;
  readonly code: string;
}

/** The daily limits that an allocated order counts towards: those of its merchant's and its supplier's terms. */
function countsOf({ terms }: Prepared, { waiting, supplierDay }: Allocation) {
  if (!waiting || !supplierDay) return [];
  const [ofMerchant, ofSupplier] = termsCountsOf(waiting, 1);
  return [
    { ...ofMerchant!, termsDay: terms.termsDay },
    { ...ofSupplier!, termsDay: supplierDay },
  ];
}

function orderRow(item: Prepared, { waiting }: Allocation, at: Date): OrderRow {
  const { input, terms } = item;
  return {
    id: item.id,
    merchantId: input.merchantId,
    mchOrderNo: input.mchOrderNo,
    productId: input.productId,
    currency: terms.currency,
    amount: input.amount,
    payable: waiting?.payable ?? null,
    status: waiting ? COLLECTION_STATUS.allocated : COLLECTION_STATUS.allocationFailed,
    supplierId: waiting?.supplierId ?? null,
    accountId: waiting?.accountId ?? null,
    identifyCode: item.code,
    clientIp: input.clientIp,
    userName: input.userName,
    notifyUrl: input.notifyUrl,
    returnUrl: input.returnUrl,
    subject: input.subject,
    body: input.body,
    param1: input.param1,
    param2: input.param2,
    merchantRatePpm: terms.ratePpm,
    merchantFixedFee: terms.fixedFee,
    allocatedAt: waiting?.allocatedAt ?? null,
    expiresAt: waiting?.expiresAt ?? null,
    createdAt: at,
  };
}

function creationEvents(item: Prepared, { waiting, explanation }: Allocation, at: Date): OrderEvent[] {
  const merchant = { kind: 'merchant', id: item.input.merchantId, ip: item.input.callerIp } as const;
  const { created, allocated, allocationFailed } = COLLECTION_STATUS;
  return [
    { orderId: item.id, kind: 'created', from: null, to: created, actor: merchant, at },
    {
      orderId: item.id,
      kind: waiting ? 'allocated' : 'allocationFailed',
      from: created,
      to: waiting ? allocated : allocationFailed,
      actor: SYSTEM,
      data: { ...explanation },
      at,
    },
  ];
}

/**
 * Answers for existing order numbers: the order, 1103 when the content differs, or a refusal with `archived` when the order is
 * archived.
 */
async function answersOfExisting(
  platform: Platform,
  inputs: readonly NewOrder[],
): Promise<(CreatedOrder | Refusal)[]> {
  if (inputs.length === 0) return [];
  const found = await findExisting(platform.db, inputs);
  const byNumber = new Map(found.map((row) => [numberKey(row), row]));
  const orders = new Map(
    (
      await readOrders(
        platform.db,
        found.map((row) => row.orderId),
      )
    ).map((order) => [order.id, order]),
  );
  return inputs.map((input) => {
    const row = byNumber.get(numberKey(input));
    if (!row?.contentHash.equals(contentHash(input))) return refuse('orderNumberReused');
    const order = orders.get(row.orderId);
    return order
      ? { order, payee: undefined }
      : refuse('orderNumberReused', {}, { archived: String(row.orderId) });
  });
}

/** Two requests with the same hash are the same order. The payer's addresses and the signing fields may differ between tries. */
export function contentHash(
  input: Pick<NewOrder, 'productId' | 'amount' | 'notifyUrl' | 'userName' | 'param1' | 'param2'>,
): Buffer {
  const content = [
    input.productId,
    input.amount,
    input.notifyUrl,
    input.userName,
    input.param1,
    input.param2,
  ];
  return createHash('sha256')
    .update(JSON.stringify(content.map((part) => part?.toString() ?? null)))
    .digest();
}
