import { useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import { endpoints } from 'virtual:endpoints';
import { screenAt } from '@sangam/contract/screens.ts';
import { call } from '../http/client.ts';
import { holdLock } from '../realtime/hold-lock.ts';
import { onRealtime } from '../realtime/realtime.ts';
import { readPreference, writePreference } from '../session/kept-preference.ts';
import { useViewer } from '../session/viewer.ts';
import { reduceNewOrders, unseenOrder, type NewOrders, type NewOrdersStep } from './new-orders.ts';
import { ring, useMaySound } from './sound.ts';
import { useMuted, useQuiet } from './use-muted.ts';

const POLL_MS = 10_000;
export const REPEAT_MS = 5_000;
const CHANNEL = 'sangam.notifier';
export const SEEN = 'newOrderSeen';

interface Heard extends NewOrders {
  /** The newest order that nobody has seen. */
  readonly unseen: string | undefined;
  /** How often the notice has been repeated. It shows until the next repetition. */
  readonly told: number;
  /** Whether this role gets notices at all. */
  readonly isTold: boolean;
  readonly confirm: () => void;
}

/**
 * Notifies of new orders: staff and suppliers, never merchants. Of all windows of the browser one polls and one (which the user has
 * touched) plays the sound; all show the notice. An order counts as seen when the user confirms it or looks at the list.
 */
export function useNewOrders(path: string): Heard {
  const userId = useViewer().user_id;
  const maySound = useMaySound();
  const [muted] = useMuted();
  const [quiet] = useQuiet();
  const speaks = useRef(false);
  const channel = useRef<BroadcastChannel>(undefined);
  const [told, setTold] = useState(0);
  const [isTold, setIsTold] = useState(false);
  const [orders, dispatch] = useReducer(reduceNewOrders, undefined, () => {
    const seen = readPreference(userId, SEEN);
    return { latest: undefined, seen: typeof seen === 'string' && /^\d+$/.test(seen) ? seen : undefined };
  });
  const unseen = isTold ? unseenOrder(orders) : undefined;

  /** Applies a step here and sends it to the other windows. */
  const advance = (step: NewOrdersStep) => {
    dispatch(step);
    channel.current?.postMessage(step);
  };
  const hear = useEffectEvent(advance);

  useEffect(() => {
    const over = new AbortController();
    const opened = new BroadcastChannel(CHANNEL);
    opened.addEventListener('message', ({ data }: MessageEvent<NewOrdersStep>) => {
      // A message came from another window, which polls only if its role gets notices.
      setIsTold(true);
      dispatch(data);
    });
    channel.current = opened;
    const stopHearing = onRealtime((event) => {
      if (event.commandType === 'newOrder') dispatch({ type: 'heard', orderCode: event.data.orderCode });
    });
    holdLock(`${CHANNEL}.poll`, over.signal, () => {
      const poll = () =>
        call(endpoints.order.getLastOrder, {}).then(
          ({ orderCode, notice }) => {
            // The answer may arrive after this window has stopped polling.
            if (over.signal.aborted) return;
            setIsTold(notice);
            if (notice) hear({ type: 'heard', orderCode });
          },
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

  const confirm = () => unseen !== undefined && advance({ type: 'seen', orderCode: unseen });
  const isLooking = () =>
    document.visibilityState === 'visible' && screenAt(path)?.area === 'collectionOrders';
  const alarm = useEffectEvent(() => {
    if (speaks.current && !muted && !quiet) ring();
    setTold((before) => before + 1);
  });
  /** On the list of orders the sound plays once: the list shows new orders itself, so they count as seen. */
  const repeat = useEffectEvent(() => {
    if (isLooking()) confirm();
    else alarm();
  });

  const rings = unseen !== undefined;
  useEffect(() => {
    if (!rings) return undefined;
    alarm();
    const timer = setInterval(() => repeat(), REPEAT_MS);
    return () => clearInterval(timer);
  }, [rings]);
  return { ...orders, unseen, told, isTold, confirm };
}
