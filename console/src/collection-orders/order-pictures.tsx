import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { useCall } from '../http/use-call.ts';
import { PictureRow } from '../orders/picture-row.tsx';

interface OrderPicturesProps {
  readonly orderCode: string;
  /** How many pictures the order has. With none, the server is not asked. */
  readonly count: number;
}

/** Screenshots of the payment that the payer or the merchant added. */
export function OrderPictures({ orderCode, count }: OrderPicturesProps) {
  const { t } = useTranslation();
  const { data } = useCall(endpoints.order.getPictures, { orderCode }, { enabled: count > 0 });
  if (count === 0) return null;
  const pictures = (data?.list ?? []).map(({ source, ...picture }) => ({
    ...picture,
    from: t(`orders.pictureFrom.${source}`),
  }));
  return <PictureRow title={t('orders.pictures')} count={count} pictures={pictures} />;
}
