import { CODES, type CodeName } from '@sangam/contract/codes.ts';
import type { getInterface } from '@sangam/contract/endpoints/interface-test.ts';
import type { Locale } from '@sangam/contract/locale.ts';
import type { z } from 'zod';
import { messageOf } from '../../http/messages.ts';
import { payeeFieldsOf } from '../../payout/payee.ts';
import type { Platform } from '../../platform/platform.ts';
import { ownerTerms } from '../../terms/products/owner-terms.ts';
import { productsById } from '../../terms/products/products.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { ownMerchant } from './own-merchant.ts';

/** Codes from 1001 to 1100 belong to sign-in and the console. */
const isOfMerchantApi = (code: number) => code < 1000 || code > 1100;
const FILLED = { fields: '…', min: '…', max: '…' };

function answers(locale: Locale) {
  return (Object.keys(CODES) as CodeName[])
    .map((name) => ({ code: CODES[name].code, text: messageOf(name, FILLED, locale) }))
    .filter(({ code }) => isOfMerchantApi(code));
}

/** What a merchant's integrator must know about the interface. It never shows the secret. */
export async function readInterface(
  platform: Platform,
  viewer: Viewer,
): Promise<z.input<typeof getInterface.output> | Refusal> {
  const merchant = await ownMerchant(platform, viewer);
  if (isRefusal(merchant)) return merchant;
  const [terms, products, { ApiUrl }] = await Promise.all([
    ownerTerms(platform.db, 'merchant', [merchant.id]),
    productsById(platform),
    platform.settings.all(),
  ]);
  return {
    mchId: String(merchant.id),
    signType: merchant.signType,
    callbackTransport: merchant.transport,
    apiUrl: ApiUrl,
    codes: answers(viewer.locale),
    products: terms(merchant.id).flatMap((own) => {
      const product = products.get(own.productId);
      if (!product) return [];
      const { direction, currency, channel } = product;
      const payeeFields = direction === 'out' ? [...payeeFieldsOf(channel)] : [];
      return [{ ...own, direction, currency, payeeFields }];
    }),
  };
}
