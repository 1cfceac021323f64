import { randomUUID } from 'node:crypto';
import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { callLine } from '@sangam/contract/sign-types.ts';
import { sign } from '@sangam/contract/signature.ts';
import type { DemoMerchant } from '../../demo-file.ts';
import { ADDRESSES } from './network.ts';

export const NODE_PORT = 8080;
export const PROXY_PORT = 8443;

export interface Reply {
  readonly status: number;
  readonly code: number | undefined;
  readonly data: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
  readonly ms: number;
}

export interface Call {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  /** Sent as JSON; a text is sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls from one address. `door`: through the proxy, or directly at the node. */
export interface Caller {
  readonly from: string;
  ask(call: Call): Promise<Reply>;
  close(): void;
}

export function callerFrom(from: string, door: 'proxy' | 'node' = 'proxy'): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const [host, port] = door === 'proxy' ? [ADDRESSES.proxy, PROXY_PORT] : [ADDRESSES.node, NODE_PORT];
  return {
    from,
    close: () => agent.destroy(),
    ask: ({ method = 'POST', path, body = {}, headers = {} }) =>
      new Promise((resolve, reject) => {
        const askedAt = performance.now();
        const asked = request(
          {
            host,
            port,
            localAddress: from,
            agent,
            method,
            path,
            headers: { 'accept-language': 'en', 'content-type': 'application/json', ...headers },
          },
          (answer) => {
            const chunks: Buffer[] = [];
            answer.on('data', (chunk: Buffer) => chunks.push(chunk));
            answer.on('error', reject);
            answer.on('end', () => {
              const text = Buffer.concat(chunks).toString();
              const parsed = objectOf(text);
              resolve({
                status: answer.statusCode!,
                code: typeof parsed['code'] === 'number' ? parsed['code'] : undefined,
                data: (parsed['data'] ?? {}) as Reply['data'],
                text,
                headers: answer.headers,
                ms: performance.now() - askedAt,
              });
            });
          },
        );
        asked.on('error', reject);
        asked.end(method === 'GET' ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
      }),
  };
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

export type Fields = Readonly<Record<string, string>>;

export const MERCHANT_API = {
  create: '/v1.0/api/order/create',
  query: '/v1.0/api/order/query',
  cancel: '/v1.0/api/order/cancel',
  balance: '/v1.0/api/order/queryMerchantBalance',
} as const;

/** A merchant's signed call; `over` changes fields before signing. */
export function signed(
  { mchId, secret, signType }: Pick<DemoMerchant, 'mchId' | 'secret' | 'signType'>,
  path: string,
  fields: Fields,
): Fields {
  const own = signType === 'md5' ? {} : { timestamp: String(Date.now()), nonce: randomUUID() };
  const whole: Fields = { mchId, ...own, ...fields };
  return { ...whole, sign: sign(whole, signType, secret, callLine({ method: 'POST', path })) };
}

let made = 0;
/** Fields of a new collection order. */
export const newOrder = (over: Fields = {}): Fields => ({
  productId: '1010',
  mchOrderNo: `ATTACK-${(made += 1)}`,
  amount: String(100_00 + (made % 4_000) * 100),
  notifyUrl: `http://${ADDRESSES.internet}/notify`,
  ...over,
});
