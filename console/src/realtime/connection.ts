import { CODES } from '@sangam/contract/codes.ts';
import {
  HEARTBEAT_MS,
  type RealtimeAnswer,
  type RealtimeCommand,
  type RealtimeEvent,
} from '@sangam/contract/realtime.ts';

/** States of the socket. After 'error' and 'closed' it connects again. */
export type RealtimeState = 'uninitialized' | 'connecting' | 'connected' | 'error' | 'closed';

/** `WebSocket.CONNECTING`. */
const CONNECTING = 0;

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

export interface ConnectionParts {
  readonly open: () => WebSocket;
  readonly token: () => string | undefined;
  /** The key of the last acknowledgement, stored by the browser. */
  readonly key: { readonly read: () => string | undefined; readonly write: (key: string) => void };
  readonly onState: (state: RealtimeState) => void;
  readonly onEvent: (event: RealtimeEvent) => void;
  /** The server says that the session has ended. No further try is made. */
  readonly onExpired: () => void;
  /** A failed heartbeat is only logged. */
  readonly onLostBeat: (answer: RealtimeAnswer) => void;
  readonly random: () => number;
}

/**
 * The wait in milliseconds before try number `failures` + 1. It doubles, with jitter, so that not all clients return to a restarted
 * server at once.
 */
export function backOffMs(failures: number, random: number): number {
  const most = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
  return most / 2 + (most / 2) * random;
}

/** Keeps one socket to the server until it is stopped or the session ends. */
export function openConnection(parts: ConnectionParts): { readonly stop: () => void } {
  let socket: WebSocket | undefined;
  let failures = 0;
  let stopped = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let beat: ReturnType<typeof setInterval> | undefined;
  let made = 0;
  let ackId: string | undefined;

  function send(commandType: RealtimeCommand['commandType']): string {
    const requestId = String((made += 1));
    const key = parts.key.read();
    const token = parts.token();
    const command: RealtimeCommand = {
      requestId,
      commandType,
      ...(key ? { data: { key } } : {}),
      ...(token ? { token } : {}),
    };
    socket?.send(JSON.stringify(command));
    return requestId;
  }

  function take(answer: RealtimeAnswer): void {
    if (answer.code === CODES.sessionExpired.code) {
      stop();
      parts.onExpired();
    } else if (answer.commandType) {
      parts.onEvent({ commandType: answer.commandType, data: answer.data } as RealtimeEvent);
    } else if (answer.requestId === ackId && answer.code === CODES.ok.code) {
      failures = 0;
      parts.key.write((answer.data as { readonly key: string }).key);
      parts.onState('connected');
    } else if (answer.code !== CODES.ok.code) {
      parts.onLostBeat(answer);
    }
  }

  function connect(): void {
    parts.onState('connecting');
    let state: RealtimeState = 'closed';
    const opening = parts.open();
    socket = opening;
    opening.addEventListener('open', () => {
      if (stopped) return opening.close();
      ackId = send('ack');
      beat = setInterval(() => send('heartbeat'), HEARTBEAT_MS);
    });
    opening.addEventListener('message', ({ data }: MessageEvent<string>) => {
      if (!stopped) take(JSON.parse(data) as RealtimeAnswer);
    });
    opening.addEventListener('error', () => {
      state = 'error';
    });
    opening.addEventListener('close', () => {
      clearInterval(beat);
      if (stopped) return;
      parts.onState(state);
      retry = setTimeout(connect, backOffMs(failures, parts.random()));
      failures += 1;
    });
  }

  function stop(): void {
    stopped = true;
    clearTimeout(retry);
    clearInterval(beat);
    // A socket that is still opening closes once it is open, which avoids a warning of the browser.
    if (socket && socket.readyState !== CONNECTING) socket.close();
    parts.onState('closed');
  }

  connect();
  return { stop };
}
