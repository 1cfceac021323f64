import type { Direction } from '@sangam/contract/products.ts';
import { formatMinor } from '@sangam/contract/money.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import type { MerchantTerms } from './terms.ts';
import { termsLimitReached } from './terms-day.ts';

/**
 * Whether a merchant's terms allow a new order, of either direction. An allowed order counts towards the day's limits at once.
 * `read` checks what else the direction needs of the product, before the amount is checked.
 */
export function acceptOrder<Read>(
  { amount }: { readonly amount: bigint },
  {
    terms,
    direction,
    isKycRequired,
    read,
  }: {
    readonly terms: MerchantTerms | undefined;
    readonly direction: Direction;
    readonly isKycRequired: boolean;
    readonly read: (terms: MerchantTerms) => Read | Refusal;
  },
): { readonly terms: MerchantTerms; readonly read: Read } | Refusal {
  if (!terms || terms.direction !== direction) return refuse('productNotEnabled');
  if (isKycRequired && !terms.kycApproved) return refuse('productNotEnabled', {}, { reason: 'kycMissing' });
  const found = read(terms);
  if (isRefusal(found)) return found;
  const { minAmount, maxAmount, currency, termsDay } = terms;
  if (amount < minAmount || amount > maxAmount)
    return refuse('amountOutsideLimits', {
      min: formatMinor(minAmount, currency),
      max: formatMinor(maxAmount, currency),
    });
  const limit = termsLimitReached(termsDay, amount);
  if (limit) return refuse('dailyLimitReached', {}, { reason: limit });
  termsDay.orders += 1;
  termsDay.amount += amount;
  return { terms, read: found };
}
