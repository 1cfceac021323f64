import { useEffect, useEffectEvent } from 'react';
import type { RealtimeEvent, RealtimeEventType } from '@sangam/contract/realtime.ts';
import { onConnected, onRealtime } from './realtime.ts';

/** Changes come in bursts; a list reloads once per burst. */
const GATHER_MS = 1_000;

export interface Changes {
  /** Codes of changed orders. Empty with `more`, or where the event names none. */
  readonly orderCodes: ReadonlySet<string>;
  /** More orders changed than the event names: reload everything on the screen. */
  readonly more: boolean;
}

const NONE: Changes = { orderCodes: new Set(), more: false };

/** The subject that a list listens to. */
export type ChangeTopic = 'ordersIn' | 'ordersOut' | Exclude<RealtimeEventType, 'orderChanged' | 'newOrder'>;

function topicOf(event: RealtimeEvent): ChangeTopic | undefined {
  if (event.commandType === 'newOrder') return undefined;
  if (event.commandType !== 'orderChanged') return event.commandType;
  return event.data.direction === 'in' ? 'ordersIn' : 'ordersOut';
}

function add(before: Changes, event: RealtimeEvent): Changes {
  if (event.commandType !== 'orderChanged') return before;
  const orderCodes = new Set([...before.orderCodes, ...event.data.orderCodes]);
  return { orderCodes, more: before.more || event.data.more };
}

/**
 * Calls `onChanges` soon after something of `topic` changed on the server: at most once a second, with all changes since. New
 * orders count as changes, and so does a new connection: what changed before it was not reported. `undefined` as topic listens to
 * nothing. A hidden tab gets no events, and reloads when it is shown again. Events are only hints: keep a slow poll beside them,
 * because the socket may be away (see `useRealtimeState()`).
 *
 *     useChanges('ordersOut', ({ orderCodes, more }) => {
 *       if (more || rows.some((row) => orderCodes.has(row.orderCode)) || state.page === 1) void answer.refetch();
 *     });
 */
export function useChanges(topic: ChangeTopic | undefined, onChanges: (changes: Changes) => void): void {
  const report = useEffectEvent(onChanges);
  useEffect(() => {
    if (!topic) return undefined;
    let gathered = NONE;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const reportSoon = () => {
      timer ??= setTimeout(() => {
        const changes = gathered;
        gathered = NONE;
        timer = undefined;
        report(changes);
      }, GATHER_MS);
    };
    const stop = onRealtime((event) => {
      if (topicOf(event) !== topic) return;
      gathered = add(gathered, event);
      reportSoon();
    });
    const stopConnected = onConnected(() => {
      gathered = { ...gathered, more: true };
      reportSoon();
    });
    return () => {
      stop();
      stopConnected();
      clearTimeout(timer);
    };
  }, [topic]);
}
