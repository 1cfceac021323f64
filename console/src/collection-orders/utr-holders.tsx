import { useTranslation } from 'react-i18next';
import { CODES } from '@sangam/contract/codes.ts';
import type { CallError } from '../http/call-error.ts';
import { OrderLink } from '../orders/order-links.tsx';

interface Holder {
  readonly orderCode: string;
  readonly area: 'collectionOrders' | 'payoutOrders';
}

/** Shown with the refusal 'UTR already used': links to the orders that used it. */
export function UtrHolders({ refusal }: { readonly refusal: CallError }) {
  const { t } = useTranslation();
  if (refusal.code !== CODES.utrUsed.code) return null;
  const { holders = [] } = (refusal.data ?? {}) as { readonly holders?: readonly Holder[] };
  return holders.map(({ orderCode, area }) => (
    <p key={orderCode}>
      {t('orders.supplement.heldBy')} <OrderLink code={orderCode} area={area} />
    </p>
  ));
}
