import { forgedShare } from '../gateway/open-gateway.ts';
import { startKoshPay, type KoshPay } from '../gateway/kosh-pay.ts';
import type { Demo } from '../demo-file.ts';
import { loopbackUrl } from '../loopback.ts';
import type { Prng } from '../prng.ts';
import { comesToBePaid, create, ended, type End, type RailOptions } from './rail-order.ts';

const HOSTED = 1030;

/** The gateway of the demo's pay script, at the address that the script calls. */
export function openHosted({ url, mchId, ...keys }: NonNullable<Demo['scriptGateway']>): Promise<KoshPay> {
  return startKoshPay({ ...keys, mchIds: [mchId], port: Number(new URL(loopbackUrl(url)).port) });
}

/** One order paid on the gateway's page. The notice comes once, twice, not at all, or forged. */
export async function hostedOrder(
  options: RailOptions,
  kosh: KoshPay,
  random: Prng,
  index: number,
): Promise<End> {
  const number = `H${index}`;
  const { client, order } = await create(options, random, number, {
    productId: HOSTED,
    amount: random.int(20, 2_000) * 1_000,
  });
  const trade = kosh.orders.get(order.orderCode);
  if (!trade) throw new Error(`the gateway does not know ${order.orderCode}`);
  const way = random.weighted([
    ['page', 50],
    ['silent', 15 * options.mischief],
    ['twice', 15 * options.mischief],
    ['forged', 100 * forgedShare(options.mischief)],
    ['short', 10 * options.mischief],
    ['never', 10 * options.mischief],
  ] as const);
  switch (way) {
    case 'page':
      await fetch(order.payParams.hostedUrl ?? `${kosh.url}/pay/${trade.tradeNo}`, { method: 'POST' });
      break;
    case 'silent':
      // No notice is sent; the platform finds the payment by a query.
      await kosh.end(trade, 'SUCCESS', { silent: true });
      break;
    case 'twice':
      await kosh.end(trade, 'SUCCESS');
      await kosh.tell(trade);
      break;
    case 'forged':
      await kosh.tell(trade, { status: 'SUCCESS', utr: '400000000001' });
      break;
    case 'short':
      await kosh.end({ ...trade, amount: '1.00' }, 'SUCCESS');
      break;
    case 'never':
  }
  const isPaid = way === 'page' || way === 'silent' || way === 'twice';
  const { credited } = await comesToBePaid(client, `RAIL${options.name}-${number}`, isPaid);
  return ended(`Pay script ${order.orderCode} (${way})`, isPaid, credited);
}
