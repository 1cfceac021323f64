import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** HTTP libraries that pipeline at all send a few requests ahead of their answers. */
const MOST = 64;

/**
 * Reads no further requests of a connection while `most` of it are unanswered: what a caller sends ahead waits in its own socket,
 * and not in this node's memory. What stands in a chunk that was read already is still taken (64 kB).
 */
export function limitPipelining(server: Server, most = MOST): void {
  const open = new WeakMap<Socket, number>();
  const isFull = (socket: Socket) => (open.get(socket) ?? 0) >= most;
  // Reading a request's body, or its end, makes Node read on, whoever has paused the socket.
  server.on('connection', (socket: Socket) => {
    socket.on('resume', () => isFull(socket) && socket.pause());
  });
  server.prependListener('request', ({ socket }, response) => {
    const now = (open.get(socket) ?? 0) + 1;
    open.set(socket, now);
    // Once the chunk is worked through.
    if (now === most) process.nextTick(() => isFull(socket) && socket.pause());
    response.once('close', () => {
      const left = open.get(socket)! - 1;
      open.set(socket, left);
      if (left < most && socket.isPaused()) socket.resume();
    });
  });
}
