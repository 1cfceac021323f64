import { Alert, Button, Drawer, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Copyable } from '../figures/copyable.tsx';
import { Money } from '../figures/money.tsx';
import { useCall } from '../http/use-call.ts';
import { useIsNarrow } from '../shell/use-media.ts';
import styles from './collection-orders.module.css';
import type { OrderActions } from './order-actions.tsx';
import { OrderAllocation } from './order-allocation.tsx';
import { OrderCallbacks } from './order-callbacks.tsx';
import type { OrderDetail } from './order-detail.ts';
import { OrderEntries, OrderMessages } from './order-evidence.tsx';
import { OrderFacts } from './order-facts.tsx';
import { OrderRemarks, OrderStatus } from './order-status.tsx';
import type { OrderSight } from './order-sight.ts';
import { OrderTimeline } from './order-timeline.tsx';

const LIVE_MS = 5_000;

interface OrderDrawerProps {
  readonly orderCode: string;
  readonly sight: OrderSight;
  readonly actions: OrderActions;
  readonly onClose: () => void;
}

/** An order's whole story. The list beside it stays in reach. */
export function OrderDrawer({ orderCode, sight, actions, onClose }: OrderDrawerProps) {
  const { t } = useTranslation();
  const narrow = useIsNarrow();
  const detail = useCall(endpoints.order.getDetail, { orderCode }, { everyMs: LIVE_MS });
  return (
    <Drawer
      open
      size={narrow ? '100%' : 720}
      mask={false}
      keyboard={false}
      onClose={onClose}
      title={<Copyable text={orderCode} limit={24} />}
      aria-label={t('orders.drawer', { orderCode })}
      styles={{ body: { padding: '0 24px 24px' }, header: { padding: '12px 16px' } }}
    >
      {detail.data ? (
        <OrderStory detail={detail.data} sight={sight} actions={actions} />
      ) : detail.isError ? (
        <Alert
          type="error"
          showIcon
          title={detail.error.message}
          action={<Button onClick={() => void detail.refetch()}>{t('common.retry')}</Button>}
          style={{ marginTop: 24 }}
        />
      ) : (
        <Skeleton active paragraph={{ rows: 12 }} style={{ paddingTop: 24 }} />
      )}
    </Drawer>
  );
}

interface OrderStoryProps {
  readonly detail: OrderDetail;
  readonly sight: OrderSight;
  readonly actions: OrderActions;
}

function OrderStory({ detail, sight, actions }: OrderStoryProps) {
  const { t } = useTranslation();
  const { order } = detail;
  const offered = actions.of(order);
  const sendAgain = offered.find((action) => action.key === 'callback');
  const busy = actions.running === order.orderCode;
  return (
    <>
      <div className={styles['lead']}>
        <div className={styles['leadAmount']}>
          <Money
            minor={order.currentReceivedMoney ?? order.payableAmount ?? order.amount}
            currency={order.currency}
          />
        </div>
        <div className={styles['leadStatus']}>
          <OrderStatus status={order.orderStatusId} />
          <OrderRemarks order={order} />
        </div>
        {offered.length > 0 && (
          <div className={styles['leadActions']} role="group" aria-label={t('list.actions')}>
            {offered.map((action) => (
              <Button
                key={action.key}
                icon={action.icon}
                loading={busy && action.key === 'callback'}
                onClick={action.run}
                {...(action.key === 'supplement' ? { type: 'primary' as const } : {})}
              >
                {action.label}
              </Button>
            ))}
          </div>
        )}
      </div>
      <OrderFacts order={order} sight={sight} />
      <OrderTimeline events={detail.events} />
      {sight.accounts && <OrderMessages messages={detail.messages} currency={order.currency} />}
      <OrderCallbacks callbacks={detail.callbacks} sendAgain={sendAgain} busy={busy} />
      <OrderEntries entries={detail.entries} />
      {sight.allocation && <OrderAllocation orderCode={order.orderCode} />}
    </>
  );
}
