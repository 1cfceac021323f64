import { createOrder, queryOrder } from '@sangam/contract/endpoints/outside.ts';
import { merchantAmountFactor } from '@sangam/contract/money.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { payeeAccounts } from '../accounts/load.ts';
import { gather } from '../db/gather.ts';
import { merchantRoute, type Route } from '../http/route.ts';
import type { Platform } from '../platform.ts';
import { productsById } from '../products/products.ts';
import { isRefusal, refuse, type Refusal } from '../refusal.ts';
import { createOrders, type NewOrder } from './create.ts';
import { merchantStatus } from './notification.ts';
import type { CollectionOrder } from './order.ts';
import { payParamsOf, payUrlOf } from './pay-params.ts';
import { findMerchantOrders, readOrders } from './store.ts';

const BATCH = 128;
const IN_FLIGHT = 2;

type Create = (input: NewOrder) => Promise<CollectionOrder | Refusal>;
const gathered = new WeakMap<Platform, Create>();

/** One gatherer a node: concurrent creates share a transaction. */
function createOne(platform: Platform): Create {
  const existing = gathered.get(platform);
  if (existing) return existing;
  const create = gather((inputs: readonly NewOrder[]) => createOrders(platform, inputs), {
    batch: BATCH,
    inFlight: IN_FLIGHT,
  });
  gathered.set(platform, create);
  return create;
}

export const merchantApiRoutes: Route[] = [
  merchantRoute(createOrder, async (platform, merchant, input, caller) => {
    const order = await createOne(platform)({
      merchantId: merchant.id,
      mchOrderNo: input.mchOrderNo,
      productId: Number(input.productId),
      amount: BigInt(input.amount),
      notifyUrl: input.notifyUrl,
      returnUrl: input.returnUrl || null,
      subject: input.subject || null,
      body: input.body || null,
      clientIp: input.clientIp || null,
      userName: input.validateUserName || input.userName || null,
      param1: input.param1 || null,
      param2: input.param2 || null,
      callerIp: caller.ip,
    });
    if (isRefusal(order)) return order;
    const product = (await productsById(platform)).get(order.productId)!;
    const account =
      order.accountId && (await payeeAccounts(platform.db, [order.accountId])).get(order.accountId);
    const payParams = payParamsOf(order, product.channel, account || undefined);
    if (!payParams) return refuse('noAccountAvailable', {}, { orderCode: String(order.id) });
    return { orderCode: String(order.id), payUrl: await payUrlOf(platform, order.id), payParams };
  }),

  merchantRoute(queryOrder, async (platform, merchant, input) => {
    const order = await findOrder(platform, merchant.id, input.mchOrderNo, input.orderCode);
    if (!order) return refuse('notFound');
    const unit = merchantAmountFactor(order.currency);
    const amount = (minor: bigint | null) => (minor === null ? null : Number(minor / unit));
    return {
      mchId: String(order.merchantId),
      mchOrderNo: order.mchOrderNo,
      orderCode: String(order.id),
      productId: order.productId,
      amount: Number(order.amount / unit),
      realAmount: amount(order.received),
      income: order.received === null ? null : amount(order.received - (order.fee ?? 0n)),
      status: merchantStatus(order),
      paySuccessTime: order.paidAt && formatTime(order.paidAt),
      utr: order.utr,
      createTime: formatTime(order.createdAt),
    };
  }),
];

/** A merchant's order by its own number or ours; another merchant's is not found. */
async function findOrder(
  platform: Platform,
  merchantId: bigint,
  mchOrderNo: string | undefined,
  orderCode: string | undefined,
): Promise<CollectionOrder | undefined> {
  const id = mchOrderNo
    ? (await findMerchantOrders(platform.db, [merchantId], [mchOrderNo]))[0]?.orderId
    : orderCode && BigInt(orderCode);
  if (!id) return undefined;
  const [order] = await readOrders(platform.db, [id]);
  return order?.merchantId === merchantId ? order : undefined;
}
