import { App, Button, Space } from 'antd';
import { useEffect, useEffectEvent, useReducer, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { screenAt } from '@sangam/contract/screens.ts';
import { call } from '../http/client.ts';
import { holdLock } from '../realtime/hold-lock.ts';
import { onRealtime } from '../realtime/realtime.ts';
import { readPreference, writePreference } from '../session/kept-preference.ts';
import { useViewer } from '../session/viewer.ts';
import { reduceNewOrders, unseenOrder, type NewOrdersStep } from './new-orders.ts';
import { ring, useMaySound } from './sound.ts';
import { useMuted } from './use-muted.ts';

const POLL_MS = 10_000;
const REPEAT_MS = 5_000;
const CHANNEL = 'sangam.notifier';
export const SEEN = 'newOrderSeen';
const NOTIFICATION = 'new-order';

interface NotifierProps {
  readonly path: string;
  /** Opens the list of orders. */
  readonly onShow: () => void;
}

/**
 * Rings for new orders: staff and suppliers, never merchants. One window of the browser polls, one that has
 * been touched sounds; the visible one shows the notification. An order counts as seen once somebody confirmed it, or looked at the list.
 */
export function Notifier({ path, onShow }: NotifierProps) {
  const { t } = useTranslation();
  const { notification } = App.useApp();
  const userId = useViewer().user_id;
  const maySound = useMaySound();
  const [muted] = useMuted();
  const speaks = useRef(false);
  const channel = useRef<BroadcastChannel>(undefined);
  const [orders, dispatch] = useReducer(reduceNewOrders, undefined, () => {
    const seen = readPreference(userId, SEEN);
    return { latest: undefined, seen: typeof seen === 'string' && /^\d+$/.test(seen) ? seen : undefined };
  });
  const unseen = unseenOrder(orders);

  /** What one window learns, all know. */
  const advance = (step: NewOrdersStep) => {
    dispatch(step);
    channel.current?.postMessage(step);
  };
  const hear = useEffectEvent(advance);

  useEffect(() => {
    const over = new AbortController();
    const opened = new BroadcastChannel(CHANNEL);
    opened.addEventListener('message', ({ data }: MessageEvent<NewOrdersStep>) => dispatch(data));
    channel.current = opened;
    const stopHearing = onRealtime((event) => {
      if (event.commandType === 'newOrder') dispatch({ type: 'heard', orderCode: event.data.orderCode });
    });
    holdLock(`${CHANNEL}.poll`, over.signal, () => {
      const poll = () =>
        call(endpoints.order.getLastOrder, {}).then(
          // An answer may come when this window's part has ended.
          ({ orderCode }) => over.signal.aborted || hear({ type: 'heard', orderCode }),
          () => undefined,
        );
      void poll();
      const timer = setInterval(() => void poll(), POLL_MS);
      over.signal.addEventListener('abort', () => clearInterval(timer));
    });
    return () => {
      over.abort();
      stopHearing();
      channel.current = undefined;
      opened.close();
    };
  }, []);

  useEffect(() => {
    if (!maySound) return undefined;
    const over = new AbortController();
    holdLock(`${CHANNEL}.sound`, over.signal, () => {
      speaks.current = true;
    });
    return () => {
      speaks.current = false;
      over.abort();
    };
  }, [maySound]);

  useEffect(() => {
    if (orders.seen !== undefined) writePreference(userId, SEEN, orders.seen);
  }, [userId, orders.seen]);

  const confirm = (orderCode: string) => advance({ type: 'seen', orderCode });
  const isLooking = () =>
    document.visibilityState === 'visible' && screenAt(path)?.area === 'collectionOrders';
  const alarm = useEffectEvent((orderCode: string) => {
    if (speaks.current && !muted) ring();
    if (document.visibilityState !== 'visible') return;
    notification.info({
      key: NOTIFICATION,
      title: t('notifier.title'),
      description: t('notifier.order', { orderCode }),
      placement: 'bottomLeft',
      // Each lasts until the next: one that closes by itself is gone for moments, under whoever clicks.
      duration: 0,
      closable: false,
      actions: (
        <Space>
          <Button size="small" onClick={() => confirm(orderCode)}>
            {t('notifier.seen')}
          </Button>
          <Button
            size="small"
            type="primary"
            onClick={() => {
              confirm(orderCode);
              onShow();
            }}
          >
            {t('notifier.show')}
          </Button>
        </Space>
      ),
    });
  });
  /** The list of orders shows what is new by itself: there it rings once. */
  const repeat = useEffectEvent((orderCode: string) => {
    if (isLooking()) confirm(orderCode);
    else alarm(orderCode);
  });

  useEffect(() => {
    if (unseen === undefined) return undefined;
    alarm(unseen);
    const timer = setInterval(() => repeat(unseen), REPEAT_MS);
    return () => {
      clearInterval(timer);
      notification.destroy(NOTIFICATION);
    };
  }, [unseen, notification]);
  return null;
}
