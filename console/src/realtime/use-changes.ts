import { useEffect, useEffectEvent } from 'react';
import type { RealtimeEvent, RealtimeEventType } from '@sangam/contract/realtime.ts';
import { onRealtime } from './realtime.ts';

/** Changes come in bursts; a list asks once for all of a burst. */
const GATHER_MS = 1_000;

export interface Changes {
  /** Codes of orders that changed; empty with `more`, or where the event names none. */
  readonly orderCodes: ReadonlySet<string>;
  /** More changed than was named: ask for everything on show. */
  readonly more: boolean;
}

const NONE: Changes = { orderCodes: new Set(), more: false };

/** What a list listens to. */
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
 * Calls `onChanges` soon after something of `topic` changed on the server, at most once a second and with everything that
 * changed meanwhile; new orders count as changed (they are created). Only while the component is shown: a hidden tab hears
 * nothing, and asks anew when it is shown again. Events are hints: keep a slow poll as the floor, because a socket may be
 * away (see `useRealtimeState()`).
 *
 *     useChanges('ordersOut', ({ orderCodes, more }) => {
 *       if (more || rows.some((row) => orderCodes.has(row.orderCode)) || state.page === 1) void answer.refetch();
 *     });
 *
 * `undefined` as the topic listens to nothing (lists that have no events).
 */
export function useChanges(topic: ChangeTopic | undefined, onChanges: (changes: Changes) => void): void {
  const report = useEffectEvent(onChanges);
  useEffect(() => {
    if (!topic) return undefined;
    let gathered = NONE;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onRealtime((event) => {
      if (topicOf(event) !== topic) return;
      gathered = add(gathered, event);
      timer ??= setTimeout(() => {
        const changes = gathered;
        gathered = NONE;
        timer = undefined;
        report(changes);
      }, GATHER_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [topic]);
}
