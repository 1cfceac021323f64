import { catcherUrl } from '@sangam/contract/demo-catcher.ts';
import { createOrder } from '@sangam/contract/endpoints/outside.ts';
import { callLine } from '@sangam/contract/sign-types.ts';
import { sign } from '@sangam/contract/signature.ts';
import type { DemoFile } from '../demo/demo-file.ts';

/** UPI, which every account of the demo's banks accepts. */
const PRODUCT = '1010';
const AMOUNT = '50000';

/**
 * A signed command that creates an order of 500 INR as the demo's first merchant, so that newcomers can try the API at once. The order
 * number is fixed for each start, so the same command again answers the same order.
 */
export function demoCurl({ url, merchants }: Pick<DemoFile, 'url' | 'merchants'>, at: Date): string {
  const { mchId, signType, secret } = merchants[0]!;
  const mchOrderNo = `CURL${at.getTime()}`;
  const fields = {
    mchId,
    productId: PRODUCT,
    mchOrderNo,
    amount: AMOUNT,
    notifyUrl: catcherUrl(mchId, mchOrderNo),
  };
  const signed = { ...fields, sign: sign(fields, signType, secret, callLine(createOrder)) };
  return `curl ${url}${createOrder.path} ${Object.entries(signed)
    .map(([name, value]) => `-d ${name}=${value}`)
    .join(' ')}`;
}
