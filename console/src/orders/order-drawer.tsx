import { ExportOutlined } from '@ant-design/icons';
import { Alert, Button, Skeleton } from 'antd';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { UseQueryResult } from '@tanstack/react-query';
import { RowDrawer } from '../dialogs/row-drawer.tsx';
import { Copyable } from '../figures/copyable.tsx';
import { Money } from '../figures/money.tsx';
import { orderPath } from '../navigation/place.ts';
import { WaitingRequests } from '../operator-table/waiting-requests.tsx';
import { useTabLocation } from '../navigation/tab-location.ts';
import type { AnyOrder, StatusTable, Story } from './order.ts';
import { OrderCallbacks } from './order-callbacks.tsx';
import { OrderNotes } from './order-notes.tsx';
import { OrderEntries, OrderMessages } from './order-evidence.tsx';
import { CustomerReply } from './customer-reply.tsx';
import type { Reply } from './replies.ts';
import type { OrderVisibility } from './order-visibility.ts';
import { OrderStatus } from './order-status.tsx';
import { OrderTimeline } from './order-timeline.tsx';
import styles from './orders.module.css';
import type { OrderActions } from './use-order-actions.tsx';

/** How often an open order is reloaded. */
export const STORY_MS = 5_000;

interface OrderDrawerProps<Order extends AnyOrder> {
  readonly orderCode: string;
  readonly detail: UseQueryResult<Story & { readonly order: Order }>;
  readonly statuses: StatusTable;
  readonly visibility: OrderVisibility;
  readonly actions: OrderActions<Order>;
  /** The current amount of the order, in minor units. */
  readonly amountOf: (order: Order) => number;
  /** The text for the order's customer. */
  readonly replyOf: (order: Order) => Reply;
  readonly facts: (order: Order) => ReactNode;
  readonly more?: ReactNode;
  /** Undefined where the order has a tab of its own. */
  readonly onClose: (() => void) | undefined;
}

/** All of one order: in a drawer beside its list, which stays usable, or in a tab of its own. */
export function OrderDrawer<Order extends AnyOrder>(props: OrderDrawerProps<Order>) {
  const { t } = useTranslation();
  const { path, openTab } = useTabLocation();
  const labelId = useId();
  const { orderCode, onClose } = props;
  if (!onClose) return <OrderPage {...props} />;
  return (
    <RowDrawer
      width={720}
      onClose={onClose}
      title={
        <>
          <span id={labelId} className="unseen">
            {t('orders.drawer', { orderCode })}
          </span>
          <Copyable text={orderCode} limit={24} />
        </>
      }
      aria-labelledby={labelId}
      extra={
        <Button
          type="text"
          size="small"
          icon={<ExportOutlined />}
          href={orderPath(path, orderCode)}
          onClick={(event) => {
            // With Ctrl, Cmd or Shift held, the browser opens a new tab or window, as it does for any link.
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            onClose();
            openTab(orderPath(path, orderCode));
          }}
          aria-label={t('orders.openAsTab')}
          title={t('orders.openAsTab')}
        />
      }
      styles={{ body: { padding: '0 24px 24px' }, header: { padding: '12px 16px' } }}
    >
      <OrderWhole {...props} />
    </RowDrawer>
  );
}

function OrderPage<Order extends AnyOrder>(props: OrderDrawerProps<Order>) {
  const { t } = useTranslation();
  const { orderCode } = props;
  return (
    <section className={styles['page']} aria-label={t('orders.drawer', { orderCode })}>
      <h1>
        <span className="unseen">{t('orders.drawer', { orderCode })}</span>
        <Copyable text={orderCode} limit={24} />
      </h1>
      <OrderWhole {...props} />
    </section>
  );
}

function OrderWhole<Order extends AnyOrder>(props: OrderDrawerProps<Order>) {
  const { t } = useTranslation();
  const { detail } = props;
  if (detail.data) return <OrderStory {...props} detail={detail.data} />;
  return detail.isError ? (
    <Alert
      type="error"
      showIcon
      title={detail.error.message}
      action={<Button onClick={() => void detail.refetch()}>{t('common.retry')}</Button>}
      style={{ marginTop: 24 }}
    />
  ) : (
    <Skeleton active paragraph={{ rows: 12 }} style={{ paddingTop: 24 }} />
  );
}

type OrderStoryProps<Order extends AnyOrder> = Omit<
  OrderDrawerProps<Order>,
  'detail' | 'orderCode' | 'onClose'
> & {
  readonly detail: Story & { readonly order: Order };
};

function OrderStory<Order extends AnyOrder>(props: OrderStoryProps<Order>) {
  const { t } = useTranslation();
  const { detail, actions, statuses } = props;
  const { order } = detail;
  const offered = actions.of(order);
  const busy = actions.running === order.orderCode;
  return (
    <>
      <div className={styles['lead']}>
        <div className={styles['leadAmount']}>
          <Money minor={props.amountOf(order)} currency={order.currency} />
        </div>
        <div className={styles['leadStatus']}>
          <OrderStatus order={order} statuses={statuses} />
        </div>
        {offered.length > 0 && (
          <div className={styles['leadActions']} role="group" aria-label={t('list.actions')}>
            {offered.map((action) => (
              <Button
                key={action.key}
                icon={action.icon}
                loading={busy && action.key === 'callback'}
                onClick={action.run}
                {...(action.primary ? { type: 'primary' as const } : {})}
              >
                {action.label}
              </Button>
            ))}
          </div>
        )}
      </div>
      {props.visibility.requests && (
        <WaitingRequests about={{ subjectKind: 'order', subjectId: order.orderCode }} />
      )}
      {props.visibility.replies && <CustomerReply order={order} reply={props.replyOf(order)} />}
      {props.facts(order)}
      {/* Keyed by the order: a note begun for one order must not be sent to the next. */}
      {props.visibility.notes && (
        <OrderNotes key={order.orderCode} orderCode={order.orderCode} events={detail.events} />
      )}
      <OrderTimeline orderCode={order.orderCode} events={detail.events} statuses={statuses} />
      {props.visibility.accounts && <OrderMessages messages={detail.messages} currency={order.currency} />}
      <OrderCallbacks
        callbacks={detail.callbacks}
        sendAgain={offered.find((action) => action.key === 'callback')}
        busy={busy}
      />
      <OrderEntries entries={detail.entries} />
      {props.more}
    </>
  );
}
