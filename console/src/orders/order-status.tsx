import { Tag } from 'antd';
import { useTranslation } from 'react-i18next';
import { ORDER_MARK } from '@sangam/contract/orders.ts';
import { Status } from '../figures/status.tsx';
import { useNames } from '../language/names.ts';
import type { AnyOrder, StatusTable } from './order.ts';
import styles from './orders.module.css';

interface OrderStatusProps {
  readonly order: Remarked & { readonly orderStatusId: number };
  readonly statuses: StatusTable;
}

type Remarked = Pick<AnyOrder, 'orderMark' | 'reversed'> & {
  readonly supplementStatus?: 0 | 1;
  readonly unproven?: boolean | undefined;
  readonly handBackWaits?: true | undefined;
  readonly locked?: boolean;
  readonly frozen?: boolean | undefined;
  readonly legalHold?: boolean | undefined;
};

/** The status, and what distinguishes the order from an ordinary one. */
export function OrderStatus({ order, statuses }: OrderStatusProps) {
  const name = useNames();
  const status = order.orderStatusId;
  return (
    <>
      <Status
        tone={statuses.tones[status] ?? 'quiet'}
        label={name(statuses.names, status)}
        busy={statuses.busy.includes(status)}
      />{' '}
      <OrderRemarks order={order} />
    </>
  );
}

function OrderRemarks({ order }: { readonly order: Remarked }) {
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
      {order.unproven && (
        <Tag variant="filled" color="warning">
          {t('payouts.unproven')}
        </Tag>
      )}
      {order.handBackWaits && (
        <Tag variant="filled" color="warning">
          {t('payouts.handBackWaits')}
        </Tag>
      )}
      {order.locked && <Tag variant="filled">{t('payouts.locked')}</Tag>}
      {order.frozen && (
        <Tag variant="filled" color="warning">
          {t(order.legalHold ? 'holds.held' : 'holds.frozen')}
        </Tag>
      )}
      {order.reversed && (
        <Tag variant="filled" color="error">
          {t('orders.reversed')}
        </Tag>
      )}
    </span>
  );
}
