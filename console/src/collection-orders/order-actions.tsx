import {
  CheckSquareOutlined,
  FlagOutlined,
  RetweetOutlined,
  RollbackOutlined,
  SendOutlined,
  UnlockOutlined,
} from '@ant-design/icons';
import { useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { CollectionAction } from '@sangam/contract/orders.ts';
import { isHandled } from '../http/call-error.ts';
import { call } from '../http/client.ts';
import { callKey } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import type { RowAction } from '../operator-table/list-definition.ts';
import { ActionDialog } from './action-dialog.tsx';
import { MarkDialog } from './mark-dialog.tsx';
import type { ActionOrder } from './action-order.ts';
import { SupplementDialog } from './supplement-dialog.tsx';

export interface OrderActions {
  /** What the server lets this viewer do with the order now. */
  readonly of: (order: ActionOrder) => readonly RowAction[];
  /** Order code whose action is under way without a dialog. */
  readonly running: string | undefined;
  readonly dialogs: ReactNode;
}

const ICONS: Readonly<Record<CollectionAction, ReactNode>> = {
  supplement: <CheckSquareOutlined aria-hidden />,
  reselect: <RetweetOutlined aria-hidden />,
  freeResource: <UnlockOutlined aria-hidden />,
  callback: <SendOutlined aria-hidden />,
  reverse: <RollbackOutlined aria-hidden />,
  updateMark: <FlagOutlined aria-hidden />,
};

export function useOrderActions(): OrderActions {
  const { t } = useTranslation();
  const name = useNames();
  const { message } = App.useApp();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<{ readonly action: CollectionAction; readonly order: ActionOrder }>();
  const [running, setRunning] = useState<string>();

  /** Nothing is shown as done before the server's own rows say so. */
  const done = async (action: CollectionAction, order: ActionOrder) => {
    message.success(
      action === 'callback'
        ? t('orders.callbackRequested', { orderCode: order.orderCode })
        : t('orders.done', { action: name('actions', action), orderCode: order.orderCode }),
    );
    const stale = [endpoints.order.getList, endpoints.order.getDetail, endpoints.order.getStatusSummary];
    await Promise.all(
      stale.map((definition) => queries.invalidateQueries({ queryKey: callKey(definition) })),
    );
  };

  const sendCallback = async (order: ActionOrder) => {
    setRunning(order.orderCode);
    try {
      await call(endpoints.order.callback, { orderCode: order.orderCode });
      await done('callback', order);
    } catch (error) {
      if (!isHandled(error))
        message.error(`${order.orderCode}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      setRunning(undefined);
    }
  };

  const start = (action: CollectionAction, order: ActionOrder) => {
    if (action === 'callback') void sendCallback(order);
    else setAsked({ action, order });
  };

  const close = () => setAsked(undefined);
  const dialogOf = ({ action, order }: NonNullable<typeof asked>): ReactNode => {
    const common = { order, onDone: () => done(action, order), onClose: close };
    switch (action) {
      case 'supplement':
        return <SupplementDialog {...common} />;
      case 'updateMark':
        return <MarkDialog {...common} />;
      case 'reselect':
      case 'freeResource':
      case 'reverse':
        return (
          <ActionDialog
            title={t(`orders.${action}.title`)}
            order={order}
            okText={name('actions', action)}
            consequence={t(`orders.${action}.consequence`)}
            onConfirm={async () => {
              const { orderCode } = order;
              if (action === 'reselect') await call(endpoints.order.reselect, { orderCode });
              else if (action === 'reverse') await call(endpoints.order.reverse, { orderCode });
              else {
                await call(endpoints.order.freeResource, {
                  orderCode,
                  isOffsetReplenishmentOrder: false,
                });
              }
              await done(action, order);
              return true;
            }}
            onClose={close}
          />
        );
      case 'callback':
        return null;
    }
  };

  return {
    of: (order) =>
      order.actions.map((action) => ({
        key: action,
        label: name('actions', action),
        icon: ICONS[action],
        run: () => start(action, order),
      })),
    running,
    dialogs: asked && dialogOf(asked),
  };
}
