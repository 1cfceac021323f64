import { Image } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { useCall } from '../http/use-call.ts';
import styles from '../orders/orders.module.css';

interface OrderPicturesProps {
  readonly orderCode: string;
  /** How many it carries: none, and nothing is asked for. */
  readonly count: number;
}

/** Screenshots of the payment that the payer or the merchant added. */
export function OrderPictures({ orderCode, count }: OrderPicturesProps) {
  const { t } = useTranslation();
  const { data } = useCall(endpoints.order.getPictures, { orderCode }, { enabled: count > 0 });
  if (count === 0) return null;
  return (
    <Section title={t('orders.pictures')} count={count}>
      <div className={styles['pictures']}>
        {data?.list.map(({ id, picture, source, time }) => (
          <figure key={id}>
            <Image src={picture} width={140} alt={`${t(`orders.pictureFrom.${source}`)} ${time}`} />
            <figcaption>
              {t(`orders.pictureFrom.${source}`)} <Moment time={time} exact />
            </figcaption>
          </figure>
        ))}
      </div>
    </Section>
  );
}
