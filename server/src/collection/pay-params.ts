import type { PayParams } from '@sangam/contract/endpoints/outside.ts';
import type { Channel } from '@sangam/contract/products.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { PayeeAccount } from '../accounts/load.ts';
import { channelOf } from '../channels/channels.ts';
import type { Platform } from '../platform/platform.ts';
import { publicBase } from '../platform/public-base.ts';
import { productsById } from '../terms/products/products.ts';
import type { CollectionOrder } from './order.ts';

/** What the payer of an allocated order needs, as its channel states it; undefined before allocation. */
export function payParamsOf(
  order: CollectionOrder,
  channel: Channel,
  account: PayeeAccount | undefined,
): PayParams | undefined {
  if (order.payable === null || order.expiresAt === null || !account) return undefined;
  const told = channelOf(channel)?.prepare(
    {
      orderCode: String(order.id),
      identifyCode: order.identifyCode,
      currency: order.currency,
      payable: order.payable,
    },
    account,
  );
  return {
    payableAmount: Number(order.payable),
    currency: order.currency,
    identifyCode: order.identifyCode,
    expireTime: formatTime(order.expiresAt),
    ...told,
  };
}

/**
 * Where the payer is sent: to our own page, under ApiUrl where it is set, else under this node's own public address. With
 * IsNewPayUrl off, to the product's own address where it has one.
 */
export async function payUrlOf(
  platform: Platform,
  { id, productId }: Pick<CollectionOrder, 'id' | 'productId'>,
): Promise<string> {
  const { IsNewPayUrl } = await platform.settings.all();
  const token = platform.vault.payToken(id);
  const template = IsNewPayUrl ? null : (await productsById(platform)).get(productId)?.payUrlTemplate;
  if (template) return template.replaceAll('{token}', token).replaceAll('{orderCode}', String(id));
  return `${await publicBase(platform)}/pay/${token}`;
}
