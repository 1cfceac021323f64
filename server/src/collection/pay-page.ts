import type { payPage } from '@sangam/contract/endpoints/outside.ts';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import type { z } from 'zod';
import { payeeAccounts } from '../accounts/load.ts';
import type { Platform } from '../platform.ts';
import { productsById } from '../products/products.ts';
import { refuse, type Refusal } from '../refusal.ts';
import type { CollectionOrder } from './order.ts';
import { payParamsOf } from './pay-params.ts';
import { readOrders } from './store.ts';

type PayPage = z.input<typeof payPage.output>;

export const PAY_STATES: Record<CollectionOrder['status'], PayPage['state']> = {
  0: 'preparing',
  1: 'waiting',
  2: 'timedOut',
  3: 'paid',
  4: 'paid',
  5: 'failed',
  6: 'paid',
};

/** The payer's view of an order, by the unguessable token of its page. */
export async function readPayPage(platform: Platform, token: string): Promise<PayPage | Refusal> {
  const orderId = platform.vault.orderOfPayToken(token);
  const [order] = orderId === undefined ? [] : await readOrders(platform.db, [orderId]);
  if (!order) return refuse('notFound');
  const [products, settings, accounts] = await Promise.all([
    productsById(platform),
    platform.settings.all(),
    payeeAccounts(platform.db, order.accountId === null ? [] : [order.accountId]),
  ]);
  const product = products.get(order.productId)!;
  const account = order.accountId === null ? undefined : accounts.get(order.accountId);
  const left = order.expiresAt ? order.expiresAt.getTime() - platform.clock.now().getTime() : 0;
  return {
    state: PAY_STATES[order.status],
    orderCode: String(order.id),
    productId: order.productId,
    channel: product.channel,
    subject: order.subject,
    amount: Number(order.received ?? order.amount),
    currency: order.currency,
    payParams:
      order.status === COLLECTION_STATUS.allocated
        ? (payParamsOf(order, product.channel, account) ?? null)
        : null,
    remainingMs: order.status === COLLECTION_STATUS.allocated ? Math.max(0, left) : 0,
    submittedUtr: order.payerUtr,
    returnUrl: order.returnUrl,
    contactInfo: settings.ContactInfo,
  };
}
