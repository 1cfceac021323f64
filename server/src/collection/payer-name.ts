import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import type { Channel } from '@sangam/contract/products.ts';
import type { SettingValues } from '@sangam/contract/settings.ts';
import { sql } from '../platform/db/database.ts';
import { writeEvents } from '../history/events.ts';
import type { Platform } from '../platform/platform.ts';
import { nameScreen } from '../screening/screen.ts';
import { productsById } from '../terms/products/products.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { CollectionOrder } from './order.ts';
import { lockWithWaiting } from './store.ts';

/** Whether the payer is asked for a name before a wallet's account is shown (AlipayToAlipayByHandSubmitName). */
export function needsName(
  order: Pick<CollectionOrder, 'status' | 'userName'>,
  channel: Channel,
  { AlipayToAlipayByHandSubmitName }: Pick<SettingValues, 'AlipayToAlipayByHandSubmitName'>,
): boolean {
  const isWaiting = order.status === COLLECTION_STATUS.allocated;
  return AlipayToAlipayByHandSubmitName && isWaiting && channel === 'wallet' && order.userName === null;
}

/**
 * Keeps the name a payer will pay under, where it is asked for, once. It counts like a name that the merchant gave: a listed one is refused
 * (1108), and matching uses it.
 */
export async function submitPayerName(
  platform: Platform,
  token: string,
  name: string,
  ip: string,
): Promise<Record<string, never> | Refusal> {
  const orderId = platform.vault.orderOfPayToken(token);
  if (orderId === undefined) return refuse('notFound');
  const [products, settings, names] = await Promise.all([
    productsById(platform),
    platform.settings.all(),
    nameScreen(platform).ready(),
  ]);
  return platform.db.tx(async (tx) => {
    const {
      orders: [order],
    } = await lockWithWaiting(tx, [orderId]);
    if (!order) return refuse('notFound');
    if (!needsName(order, products.get(order.productId)!.channel, settings))
      return refuse('actionNotAllowed');
    if (names.hit({ name }, 'collection', `merchant:${order.merchantId}`)) return refuse('nameBlacklisted');
    await tx.query(sql`update collection_orders set user_name = ${name} where id = ${orderId}`);
    await tx.query(sql`update waiting_orders set user_name = ${name} where order_id = ${orderId}`);
    const actor = { kind: 'payer', id: null, ip } as const;
    await writeEvents(platform, tx, [
      { orderId, kind: 'payerNamed', from: order.status, to: order.status, actor, data: {} },
    ]);
    return {};
  });
}
