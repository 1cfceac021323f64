import { useTranslation } from 'react-i18next';
import { CODES } from '@sangam/contract/codes.ts';
import type { CallError } from '../http/call-error.ts';
import { OrderLink } from '../orders/order-links.tsx';

interface Holder {
  readonly orderCode: string;
  readonly area: 'collectionOrders' | 'payoutOrders' | 'topUps' | 'bankMessages';
}

/** Shown with the refusal 'UTR already used': what used it. Orders are links. */
export function UtrHolders({ refusal }: { readonly refusal: CallError }) {
  const { t } = useTranslation();
  if (refusal.code !== CODES.utrUsed.code) return null;
  const { holders = [] } = (refusal.data ?? {}) as { readonly holders?: readonly Holder[] };
  return holders.map(({ orderCode, area }) => (
    <p key={orderCode}>
      {area === 'topUps' || area === 'bankMessages' ? (
        t(`orders.supplement.heldByOther.${area}`, { code: orderCode })
      ) : (
        <>
          {t('orders.supplement.heldBy')} <OrderLink code={orderCode} area={area} />
        </>
      )}
    </p>
  ));
}
