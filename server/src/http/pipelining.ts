import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** HTTP libraries that pipeline send only a few requests before the answers come. */
const MOST = 16;

interface Connection {
  underWay: number;
  /** Requests of a chunk that was read whole (64 kB). They wait for earlier answers. */
  readonly waiting: [IncomingMessage, ServerResponse][];
}

/**
 * Works on at most `most` requests of one connection at a time, and stops reading it meanwhile. Further requests wait in the caller's
 * socket and not in this node's memory, so that one caller's requests do not come before all others'. Call it when the server has its
 * listener for requests.
 */
export function limitPipelining(server: Server, most = MOST): void {
  const connections = new WeakMap<Socket, Connection>();
  const isFull = (socket: Socket) => (connections.get(socket)?.underWay ?? 0) >= most;
  const [handle] = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  // Reading a request's body, or its end, makes Node resume the socket, even when somebody has paused it.
  server.on('connection', (socket: Socket) => {
    socket.on('resume', () => isFull(socket) && socket.pause());
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket) ?? { underWay: 0, waiting: [] };
    connections.set(socket, connection);
    response.once('close', () => {
      connection.underWay -= 1;
      if (socket.destroyed) return;
      const next = connection.waiting.shift();
      if (next) begin(...next);
      else if (socket.isPaused()) socket.resume();
    });
    if (isFull(socket)) connection.waiting.push([request, response]);
    else begin(request, response);

    function begin(...call: [IncomingMessage, ServerResponse]): void {
      connection.underWay += 1;
      // After the current chunk has been parsed.
      if (connection.underWay === most) process.nextTick(() => isFull(socket) && socket.pause());
      handle!(...call);
    }
  });
}
