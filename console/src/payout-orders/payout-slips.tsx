import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { useCall } from '../http/use-call.ts';
import { PictureRow } from '../orders/picture-row.tsx';

interface PayoutSlipsProps {
  readonly orderCode: string;
  /** How many slips the payout has. With none, the server is not asked. */
  readonly count: number;
}

/** Slips: pictures of the bank's receipt from a supplier who says it has paid. */
export function PayoutSlips({ orderCode, count }: PayoutSlipsProps) {
  const { t } = useTranslation();
  const { data } = useCall(endpoints.payout.getSlips, { orderCode }, { enabled: count > 0 });
  if (count === 0) return null;
  const pictures = (data?.list ?? []).map(({ supplierName, ...picture }) => ({
    ...picture,
    from: supplierName,
  }));
  return <PictureRow title={t('payouts.slips')} count={count} pictures={pictures} />;
}
