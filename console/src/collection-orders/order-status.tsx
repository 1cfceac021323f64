import { useTranslation } from 'react-i18next';
import { Tag } from 'antd';
import type { CollectionOrderRow } from '@sangam/contract/endpoints/order.ts';
import { ORDER_MARK, type CollectionStatus } from '@sangam/contract/orders.ts';
import { Status, type Tone } from '../figures/status.tsx';
import { useNames } from '../language/names.ts';
import styles from './collection-orders.module.css';

export const STATUS_TONES: Readonly<Record<CollectionStatus, Tone>> = {
  0: 'quiet',
  1: 'pending',
  2: 'quiet',
  3: 'positive',
  4: 'negative',
  5: 'warning',
  6: 'pending',
};

/** In the order an order passes through them; what went wrong stands last. */
export const STATUS_ORDER: readonly CollectionStatus[] = [0, 1, 6, 3, 4, 2, 5];

export function OrderStatus({ status }: { readonly status: CollectionStatus }) {
  const name = useNames();
  return <Status tone={STATUS_TONES[status]} word={name('collectionStatus', status)} busy={status === 6} />;
}

type Remarks = Pick<CollectionOrderRow, 'orderMark' | 'supplementStatus' | 'reversed'>;

/** What sets an order apart from an ordinary one. */
export function OrderRemarks({ order }: { readonly order: Remarks }) {
  const { t } = useTranslation();
  const name = useNames();
  const suspect = order.orderMark === ORDER_MARK.suspicious || order.orderMark === ORDER_MARK.malicious;
  return (
    <span className={styles['remarks']}>
      {order.orderMark !== ORDER_MARK.ordinary && (
        <Tag variant="filled" {...(suspect ? { color: 'error' } : {})}>
          {name('orderMark', order.orderMark)}
        </Tag>
      )}
      {order.supplementStatus === 1 && <Tag variant="filled">{t('orders.supplemented')}</Tag>}
      {order.reversed && (
        <Tag variant="filled" color="error">
          {t('orders.reversed')}
        </Tag>
      )}
    </span>
  );
}
