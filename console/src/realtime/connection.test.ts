import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RealtimeAnswer, RealtimeCommand } from '@sangam/contract/realtime.ts';
import { backOffMs, openConnection, type ConnectionParts, type RealtimeState } from './connection.ts';

class FakeSocket extends EventTarget {
  readonly sent: RealtimeCommand[] = [];
  readyState: number = WebSocket.CONNECTING;
  send(text: string): void {
    this.sent.push(JSON.parse(text) as RealtimeCommand);
  }
  close(): void {
    this.readyState = WebSocket.CLOSED;
    this.dispatchEvent(new Event('close'));
  }
  opened(): void {
    this.readyState = WebSocket.OPEN;
    this.dispatchEvent(new Event('open'));
  }
  says(answer: Partial<RealtimeAnswer>): void {
    const data = JSON.stringify({ code: 200, requestId: '', msg: '', ...answer });
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function setUp() {
  const sockets: FakeSocket[] = [];
  const states: RealtimeState[] = [];
  const kept: { key: string | undefined } = { key: undefined };
  const parts: ConnectionParts = {
    open: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
    token: () => 'session',
    key: { read: () => kept.key, write: (key) => (kept.key = key) },
    onState: (state) => states.push(state),
    onEvent: vi.fn(),
    onExpired: vi.fn(),
    onLostBeat: vi.fn(),
    random: () => 0.5,
  };
  const connection = openConnection(parts);
  const acknowledge = (socket: FakeSocket) => {
    socket.opened();
    socket.says({ requestId: socket.sent[0]!.requestId, data: { key: 'given' } });
  };
  return { sockets, states, kept, parts, connection, acknowledge };
}

it('sends an acknowledgement first, stores the key it gets, and sends it with every heartbeat', () => {
  const { sockets, states, kept, acknowledge } = setUp();
  acknowledge(sockets[0]!);
  expect(sockets[0]!.sent[0]).toMatchObject({ commandType: 'ack', token: 'session' });
  expect(kept.key).toBe('given');
  expect(states).toEqual(['connecting', 'connected']);
  vi.advanceTimersByTime(40_000);
  expect(sockets[0]!.sent.slice(1)).toEqual([
    { requestId: '2', commandType: 'heartbeat', data: { key: 'given' }, token: 'session' },
    { requestId: '3', commandType: 'heartbeat', data: { key: 'given' }, token: 'session' },
  ]);
});

it('a connection stopped while it opens closes once it is open, and sends nothing', () => {
  const { sockets, connection } = setUp();
  const [socket] = sockets;
  connection.stop();
  expect(socket!.readyState).toBe(WebSocket.CONNECTING);
  socket!.opened();
  expect([socket!.readyState, socket!.sent]).toEqual([WebSocket.CLOSED, []]);
});

it('reconnects after errors and closings, waits longer each time, and starts over once connected', () => {
  const { sockets, states, acknowledge } = setUp();
  sockets[0]!.dispatchEvent(new Event('error'));
  sockets[0]!.close();
  expect(states).toEqual(['connecting', 'error']);
  vi.advanceTimersByTime(backOffMs(0, 0.5) - 1);
  expect(sockets).toHaveLength(1);
  vi.advanceTimersByTime(1);
  sockets[1]!.close();
  expect(states.at(-1)).toBe('closed');
  vi.advanceTimersByTime(backOffMs(1, 0.5));
  acknowledge(sockets[2]!);
  sockets[2]!.close();
  vi.advanceTimersByTime(backOffMs(0, 0.5));
  expect(sockets).toHaveLength(4);
});

it('waits between half of and the whole doubling time, at most half a minute', () => {
  expect([backOffMs(0, 0), backOffMs(0, 1), backOffMs(3, 1), backOffMs(50, 1)]).toEqual([
    250, 500, 4_000, 30_000,
  ]);
});

it('reports the end of the session once and does not reconnect', () => {
  const { sockets, parts, acknowledge } = setUp();
  acknowledge(sockets[0]!);
  sockets[0]!.says({ code: 1003 });
  sockets[0]!.says({ code: 1003 });
  vi.advanceTimersByTime(60_000);
  expect(parts.onExpired).toHaveBeenCalledTimes(1);
  expect(sockets).toHaveLength(1);
});

it('passes on events, and only reports a heartbeat that was refused', () => {
  const { sockets, parts, acknowledge } = setUp();
  acknowledge(sockets[0]!);
  sockets[0]!.says({ commandType: 'message', data: {} });
  expect(parts.onEvent).toHaveBeenCalledWith({ commandType: 'message', data: {} });
  sockets[0]!.says({ requestId: '2', code: 400 });
  expect(parts.onLostBeat).toHaveBeenCalledTimes(1);
});
