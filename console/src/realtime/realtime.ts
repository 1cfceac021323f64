import { useSyncExternalStore } from 'react';
import { REALTIME_PATH, type RealtimeEvent } from '@sangam/contract/realtime.ts';
import { session } from '../session/session.ts';
import { openConnection, type RealtimeState } from './connection.ts';
import { holdLock } from './hold-lock.ts';

const KEY = 'sangam.realtime.key';
const CHANNEL = 'sangam.realtime';

type Signal =
  | { readonly state: RealtimeState }
  | { readonly event: RealtimeEvent }
  /** A window that has just opened asks for the current state. */
  | { readonly ask: true };

const eventListeners = new Set<(event: RealtimeEvent) => void>();
const stateListeners = new Set<() => void>();
let state: RealtimeState = 'uninitialized';
let leads = false;

function setState(next: RealtimeState): void {
  state = next;
  stateListeners.forEach((listener) => listener());
}

/**
 * Connects this browser. Of its open windows one (the leader) holds the socket and passes events to the others. Where the browser
 * has no locks, every window has its own socket. The returned function ends this window's part; when the leader ends, another
 * window takes over.
 */
export function startRealtime(): () => void {
  // A window that sees the console as another user gets that user's events.
  const name = session.isSeeing() ? `${CHANNEL}.${session.token()}` : CHANNEL;
  const channel = new BroadcastChannel(name);
  const over = new AbortController();
  const hear = (event: RealtimeEvent) => eventListeners.forEach((listener) => listener(event));
  channel.addEventListener('message', ({ data }: MessageEvent<Signal>) => {
    if ('ask' in data) {
      if (leads) send({ state });
    } else if ('state' in data) setState(data.state);
    else hear(data.event);
  });
  const send = (signal: Signal) => {
    if (!over.signal.aborted) channel.postMessage(signal);
  };
  send({ ask: true });

  holdLock(name, over.signal, () => {
    leads = true;
    const connection = openConnection({
      open: () => new WebSocket(`${location.origin.replace(/^http/, 'ws')}${REALTIME_PATH}`),
      token: session.token,
      key: {
        read: () => localStorage.getItem(KEY) ?? undefined,
        write: (key) => localStorage.setItem(KEY, key),
      },
      onState: (next) => {
        setState(next);
        send({ state: next });
      },
      onEvent: (event) => {
        hear(event);
        send({ event });
      },
      onExpired: () => session.end('expired'),
      // oxlint-disable-next-line no-console -- a failed heartbeat is only logged
      onLostBeat: ({ code, msg }) => console.warn(`realtime: ${code} ${msg}`),
      random: Math.random,
    });
    over.signal.addEventListener('abort', () => {
      connection.stop();
      leads = false;
    });
  });
  return () => {
    over.abort();
    channel.close();
    setState('uninitialized');
  };
}

/**
 * Calls `listener` whenever the server begins to report events. What changed before was not reported. Returns a function that stops
 * this.
 */
export function onConnected(listener: () => void): () => void {
  let before = state;
  return subscribe(() => {
    if (state === 'connected' && before !== 'connected') listener();
    before = state;
  });
}

/** Calls `listener` for every event, in every window. Returns a function that stops this. */
export function onRealtime(listener: (event: RealtimeEvent) => void): () => void {
  eventListeners.add(listener);
  return () => eventListeners.delete(listener);
}

function subscribe(listener: () => void): () => void {
  stateListeners.add(listener);
  return () => stateListeners.delete(listener);
}

export function useRealtimeState(): RealtimeState {
  return useSyncExternalStore(subscribe, () => state);
}
