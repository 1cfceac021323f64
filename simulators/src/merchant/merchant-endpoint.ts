import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CaughtNotification } from '@sangam/contract/demo-catcher.ts';
import { NOTIFICATION } from '@sangam/contract/sign-types.ts';
import { sign, signatureMatches, type SignType } from '@sangam/contract/signature.ts';

const MAX_BODY_BYTES = 64 * 1024;

/** How a merchant's program reacts to one callback. */
export type Reaction =
  | { readonly kind: 'success' }
  | { readonly kind: 'error'; readonly status: number; readonly body: string }
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** Takes the call and never answers. */
  | { readonly kind: 'hang' };

export interface ReceivedNotification extends CaughtNotification {
  readonly reaction: Reaction['kind'];
  /** `success` was written while the caller was still connected. */
  acknowledged: boolean;
}

export interface MerchantEndpoint {
  notifyUrl(mchId: string, mchOrderNo: string): string;
  readonly notifications: readonly ReceivedNotification[];
  stop(): Promise<void>;
}

export interface MerchantEndpointOptions {
  readonly merchants: readonly {
    readonly mchId: string;
    readonly signType: SignType;
    readonly secret: string;
  }[];
  /** Decides by the order and the attempt number (1 for the first). */
  readonly react: (mchOrderNo: string, attempt: number) => Reaction;
  /** Any free port if absent. */
  readonly port?: number;
  /** The HTML of its first page, for people. */
  readonly page?: (notifications: readonly ReceivedNotification[]) => string;
  /** Called for each callback. */
  readonly onReceived?: (received: ReceivedNotification) => void;
  /** How many callbacks are kept; all if absent. */
  readonly kept?: number;
}

/** The merchants' notifyUrl: one server on the loopback address for all of them. */
export async function startMerchantEndpoint(options: MerchantEndpointOptions): Promise<MerchantEndpoint> {
  const merchants = new Map(options.merchants.map((merchant) => [merchant.mchId, merchant]));
  const notifications: ReceivedNotification[] = [];
  const attempts = new Map<string, number>();

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (options.page && url.pathname === '/') {
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(options.page(notifications));
      return;
    }
    const [, , mchId = '', mchOrderNo = ''] = url.pathname.split('/').map(decodeURIComponent);
    const merchant = merchants.get(mchId);
    if (!merchant) {
      response.writeHead(404).end();
      return;
    }
    const fields = readFields(request, url, await readBody(request));
    const expected = sign(fields, merchant.signType, merchant.secret, NOTIFICATION);
    const attempt = (attempts.get(mchOrderNo) ?? 0) + 1;
    attempts.set(mchOrderNo, attempt);
    const signatureValid =
      signatureMatches(fields['sign'] ?? '', expected, merchant.signType) &&
      fields['mchOrderNo'] === mchOrderNo;
    // A merchant does not accept a callback with a wrong signature.
    const reaction: Reaction = signatureValid
      ? options.react(mchOrderNo, attempt)
      : { kind: 'error', status: 403, body: 'wrong sign' };
    const received = {
      mchId,
      mchOrderNo,
      fields,
      signatureValid,
      attempt,
      reaction: reaction.kind,
      acknowledged: false,
    };
    notifications.push(received);
    options.onReceived?.(received);
    if (notifications.length > (options.kept ?? Infinity)) notifications.shift();
    await answer(response, reaction, received);
  }

  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    notifyUrl: (mchId, mchOrderNo) =>
      `http://127.0.0.1:${port}/notify/${mchId}/${encodeURIComponent(mchOrderNo)}`,
    notifications,
    async stop() {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  response: ServerResponse,
  reaction: Reaction,
  received: ReceivedNotification,
): Promise<void> {
  switch (reaction.kind) {
    case 'hang':
      return;
    case 'error':
      response.writeHead(reaction.status, { 'content-type': 'text/plain' }).end(reaction.body);
      return;
    case 'slow':
      await sleep(reaction.delayMs, undefined, { ref: false });
      break;
    case 'success':
      break;
  }
  if (response.destroyed || response.socket === null || response.socket.destroyed) return;
  response.writeHead(200, { 'content-type': 'text/plain' }).end('success');
  received.acknowledged = true;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error('notification is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The values as text, as they were signed. */
function readFields(request: IncomingMessage, url: URL, body: string): Record<string, string> {
  if (request.method === 'GET') return Object.fromEntries(url.searchParams);
  if ((request.headers['content-type'] ?? '').includes('json')) {
    const parsed = JSON.parse(body) as Record<string, unknown>;
    return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, String(value)]));
  }
  return Object.fromEntries(new URLSearchParams(body));
}
