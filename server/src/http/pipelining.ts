import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** HTTP libraries that pipeline send only a few requests before the answers come. */
const MOST = 64;

/**
 * Stops reading a connection while `most` of its requests are unanswered. Further requests wait in the caller's socket and not in this
 * node's memory. Requests in a chunk that was already read (64 kB) are still taken.
 */
export function limitPipelining(server: Server, most = MOST): void {
  const open = new WeakMap<Socket, number>();
  const isFull = (socket: Socket) => (open.get(socket) ?? 0) >= most;
  // Reading a request's body, or its end, makes Node resume the socket, even when somebody has paused it.
  server.on('connection', (socket: Socket) => {
    socket.on('resume', () => isFull(socket) && socket.pause());
  });
  server.prependListener('request', ({ socket }, response) => {
    const now = (open.get(socket) ?? 0) + 1;
    open.set(socket, now);
    // After the current chunk has been parsed.
    if (now === most) process.nextTick(() => isFull(socket) && socket.pause());
    response.once('close', () => {
      const left = open.get(socket)! - 1;
      open.set(socket, left);
      if (left < most && socket.isPaused()) socket.resume();
    });
  });
}
