import { createHash, randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { sign } from '@sangam/contract/signature.ts';
import type { LoadOrder, LoadResult } from './load.ts';

/*
 * Load on the merchant's create call, in its own process and as lean as Node allows (pgbench is a C program). Requests are built
 * and signed before the clock starts. Each keep-alive socket sends one at a time, and the code of every answer is checked.
 */

/** An answer to a create fits into one read on loopback; a longer head or body is assembled. */
const HEAD_END = Buffer.from('\r\n\r\n');
const OK = Buffer.from('{"code":200,');
const TOO_MANY = Buffer.from('{"code":429,');
const LENGTH = Buffer.from('ontent-length: ');

function requestsOf(order: LoadOrder): Buffer[] {
  const { host } = new URL(order.url);
  return Array.from({ length: order.requests }, (_, n) => {
    const merchant = order.merchants[n % order.merchants.length]!;
    const fields = {
      mchId: merchant.mchId,
      productId: order.productId,
      mchOrderNo: `${order.prefix}${n}`,
      // Spread amounts, as on pgbench's side: the search for a free amount is not measured here.
      amount: String(100 + (spread(order.prefix, n) % 99_000_000)),
      notifyUrl: 'http://127.0.0.1:9/notify',
      ...(merchant.signType === 'md5'
        ? {}
        : { timestamp: String(Date.now()), nonce: randomBytes(12).toString('hex') }),
    };
    const body = JSON.stringify({
      ...fields,
      sign: sign(fields, merchant.signType, merchant.secret, 'POST /v1.0/api/order/create'),
    });
    return Buffer.from(
      `POST /v1.0/api/order/create HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
}

const spread = (prefix: string, n: number) =>
  createHash('md5').update(`${prefix}${n}`).digest().readUInt32LE(0);

async function run(order: LoadOrder, requests: readonly Buffer[]): Promise<LoadResult> {
  const { hostname, port } = new URL(order.url);
  const sockets = await Promise.all(
    Array.from({ length: order.connections }, () => open(hostname, Number(port))),
  );
  const latencies = new Float64Array(requests.length);
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const until = startedAt + order.seconds * 1000;
  const { ahead = 1 } = order;
  let sent = 0;
  let done = 0;
  let refused = 0;
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve, reject) => {
          const sentAt: number[] = [];
          let pending: Buffer = Buffer.alloc(0);
          const next = (): void => {
            const now = performance.now();
            if (sent === requests.length || now >= until) {
              resolve();
              return;
            }
            sentAt.push(now);
            socket.write(requests[sent]!);
            sent += 1;
          };
          socket.on('data', (chunk) => {
            pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
            for (let answer = firstAnswer(pending); answer; answer = firstAnswer(pending)) {
              pending = pending.subarray(answer.end);
              const took = performance.now() - sentAt.shift()!;
              if (startsWith(answer.body, OK)) {
                latencies[done] = took;
                done += 1;
              } else if (ahead > 1 && startsWith(answer.body, TOO_MANY)) refused += 1;
              else reject(new Error(`an order was answered ${answer.body.toString()}`));
              next();
            }
          });
          socket.on('error', reject);
          socket.on('close', () => reject(new Error('the server closed the connection')));
          for (let n = 0; n < ahead; n += 1) next();
          // Requests that were sent far ahead are not awaited.
          if (ahead > 1) setTimeout(resolve, order.seconds * 1000);
        }),
    ),
  );
  const elapsed = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  for (const socket of sockets) socket.removeAllListeners().destroy();
  const sorted = latencies.subarray(0, done).sort();
  const quantile = (q: number) => sorted[Math.min(done - 1, Math.floor(done * q))]!;
  return {
    done,
    refused,
    seconds: elapsed / 1000,
    cpuMs: (user + system) / 1000,
    p50: quantile(0.5),
    p95: quantile(0.95),
    p99: quantile(0.99),
  };
}

function open(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** The first answer and its end; undefined while part of it is missing. */
const startsWith = (body: Buffer, start: Buffer) => body.subarray(0, start.length).equals(start);

function firstAnswer(data: Buffer): { body: Buffer; end: number } | undefined {
  const headEnd = data.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const at = data.indexOf(LENGTH) + LENGTH.length;
  const length = Number.parseInt(data.toString('latin1', at, at + 8), 10);
  const begin = headEnd + HEAD_END.length;
  const end = begin + length;
  if (data.length < end) return undefined;
  return { body: data.subarray(begin, end), end };
}

process.once('message', (order: LoadOrder) => {
  const requests = requestsOf(order);
  process.once('message', () => {
    void run(order, requests).then(
      (result) => process.send!(result, () => process.disconnect()),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  process.send!('ready');
});
