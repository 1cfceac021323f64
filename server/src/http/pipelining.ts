import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { SECOND } from '../platform/clock.ts';

/** HTTP libraries that pipeline send only a few requests before the answers come. */
const MOST = 16;
/**
 * The longest a request waits for earlier ones, in ms. Half the time limit of a request (api/app.ts), because Node counts the time in which
 * we do not read against the caller: it would answer 408 and cut the connection with the calls under way.
 */
const LONGEST_WAIT = 10 * SECOND;

interface Connection {
  underWay: number;
  /** Requests of a chunk that was read whole (64 kB). They wait for earlier answers. */
  waiting: [IncomingMessage, ServerResponse][];
}

/**
 * Works on at most `most` requests of one connection at a time, and stops reading it meanwhile. Further requests wait in the caller's
 * socket and not in this node's memory, so that one caller's requests do not come before all others'. Call it when the server has its
 * listener for requests, and before anything listens for upgrades.
 */
export function limitPipelining(server: Server, most = MOST, longestWait = LONGEST_WAIT): void {
  const connections = new WeakMap<Socket, Connection>();
  const underWayOf = (socket: Socket) => connections.get(socket)?.underWay ?? 0;
  const isFull = (socket: Socket) => underWayOf(socket) >= most;
  const [handle] = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  // Reading a request's body, or its end, makes Node resume the socket, even when somebody has paused it.
  server.on('connection', (socket: Socket) => {
    socket.on('resume', () => isFull(socket) && socket.pause());
  });
  // Node has let go of the socket by now. While an earlier answer is due, no WebSocket can take it over, and nobody would ever close it.
  server.prependListener('upgrade', ({ socket }) => {
    if (underWayOf(socket) > 0) socket.destroy();
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket) ?? { underWay: 0, waiting: [] };
    connections.set(socket, connection);
    response.once('close', () => {
      connection.underWay -= 1;
      if (socket.destroyed) return;
      // It was destroyed before its turn. Node would wait for its end for ever, and so would the answers behind it.
      if (!response.writableFinished) response.once('socket', () => socket.destroy());
      if (isFull(socket)) return;
      const next = connection.waiting.shift();
      if (next) begin(...next);
      else if (socket.isPaused()) socket.resume();
    });
    if (!isFull(socket)) begin(request, response);
    else if (connection.waiting.push([request, response]) === 1) setTimeout(beginAll, longestWait).unref();

    function begin(...call: [IncomingMessage, ServerResponse]): void {
      connection.underWay += 1;
      // After the current chunk has been parsed.
      if (connection.underWay === most) process.nextTick(() => isFull(socket) && socket.pause());
      handle!(...call);
    }
    function beginAll(): void {
      const { waiting } = connection;
      connection.waiting = [];
      if (!socket.destroyed) for (const call of waiting) begin(...call);
    }
  });
}
