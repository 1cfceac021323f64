import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Kosh Pay, an invented gateway without an adapter, so that a pay script is needed. Its API is typical of small gateways: forms
 * signed with MD5 over the sorted fields, its own payment page, notices signed with HMAC and repeated until the answer is
 * 'success', and queries.
 */
export interface KoshOptions {
  /** Merchant numbers: one receives, the other pays. */
  readonly mchIds: readonly string[];
  readonly key: string;
  readonly noticeKey: string;
  /** Any free port by default. */
  readonly port?: number;
  /** Sends a notice, by HTTP unless a test does it otherwise. Returns the text of the answer. */
  readonly deliver?: (url: string, body: string) => Promise<string>;
}

/** An order to be paid by a payer, or a transfer to a payee. */
export interface KoshTrade {
  readonly mchId: string;
  readonly orderNo: string;
  readonly tradeNo: string;
  readonly amount: string;
  readonly notifyUrl: string;
  readonly returnUrl: string;
  status: 'PENDING' | 'SUCCESS' | 'FAILED';
  utr: string;
}

export interface KoshPay {
  readonly url: string;
  readonly orders: ReadonlyMap<string, KoshTrade>;
  readonly transfers: ReadonlyMap<string, KoshTrade>;
  /** How it answers creates: correctly, with a refusal, or by taking them and answering garbage. */
  mood: 'well' | 'refuses' | 'garbled';
  /** A payer pays on its page, or a transfer ends. A notice is sent unless `silent`. */
  end(
    trade: KoshTrade,
    status: 'SUCCESS' | 'FAILED',
    options?: { readonly silent?: boolean },
  ): Promise<string>;
  /** Sends the notice about a trade once more; `change` forges it after it was signed. */
  tell(trade: KoshTrade, change?: Readonly<Record<string, string>>): Promise<string>;
  stop(): Promise<void>;
}

type Fields = Record<string, string>;

const sorted = (fields: Fields): string =>
  Object.keys(fields)
    .filter((name) => fields[name] !== '')
    .toSorted()
    .map((name) => `${name}=${fields[name]}`)
    .join('&');

export async function startKoshPay(options: KoshOptions): Promise<KoshPay> {
  const orders = new Map<string, KoshTrade>();
  const transfers = new Map<string, KoshTrade>();
  const deliver = options.deliver ?? post;
  let count = 0;

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.writeHead(500).end());
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', url);
    const page = /^\/pay\/(\w+)$/.exec(pathname)?.[1];
    if (page !== undefined) return servePage(page, request.method === 'POST', response);
    const body = await textOf(request);
    const answer = answerTo(pathname, Object.fromEntries(new URLSearchParams(body)));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(kosh.mood === 'garbled' && pathname.endsWith('/create') ? '<html>' : JSON.stringify(answer));
  }

  function answerTo(path: string, { sign = '', ...fields }: Fields): object {
    const expected = createHash('md5')
      .update(`${sorted(fields)}&key=${options.key}`)
      .digest('hex');
    if (!options.mchIds.includes(fields['mch_id'] ?? '') || sign !== expected.toUpperCase())
      return { code: 401, message: 'sign error' };
    const book = path.startsWith('/transfer/') ? transfers : orders;
    const known = book.get(fields['order_no'] ?? '');
    if (path.endsWith('/query'))
      return known ? { code: 0, data: shown(known) } : { code: 404, message: 'no such order' };
    if (kosh.mood === 'refuses') return { code: 400, message: 'channel closed' };
    const trade = known ?? open(fields);
    book.set(trade.orderNo, trade);
    return { code: 0, data: { ...shown(trade), pay_url: `${url}/pay/${trade.tradeNo}` } };
  }

  function open(fields: Fields): KoshTrade {
    count += 1;
    return {
      mchId: fields['mch_id'] ?? '',
      orderNo: fields['order_no'] ?? '',
      // Letters in between: nine digits in a row are masked like an account number.
      tradeNo: `KP${Date.now().toString(36)}N${String(count).padStart(6, '0')}`.toUpperCase(),
      amount: fields['amount'] ?? '',
      notifyUrl: fields['notify_url'] ?? '',
      returnUrl: fields['return_url'] ?? '',
      status: 'PENDING',
      utr: '',
    };
  }

  async function servePage(tradeNo: string, isPaying: boolean, response: ServerResponse): Promise<void> {
    const trade = [...orders.values()].find((each) => each.tradeNo === tradeNo);
    if (!trade) return void response.writeHead(404).end();
    if (isPaying && trade.status === 'PENDING') await kosh.end(trade, 'SUCCESS');
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      `<!doctype html><title>Kosh Pay</title><h1>Kosh Pay</h1><p>${trade.amount} INR</p>${
        trade.status === 'PENDING'
          ? '<form method="post"><button>Pay</button></form>'
          : `<p>${trade.status}</p><a href="${trade.returnUrl}">Back</a>`
      }`,
    );
  }

  const kosh: KoshPay = {
    url,
    orders,
    transfers,
    mood: 'well',
    async end(trade, status, { silent = false } = {}) {
      trade.status = status;
      trade.utr = status === 'SUCCESS' ? String(400_000_000_000 + Math.floor(Math.random() * 1e11)) : '';
      return silent ? '' : kosh.tell(trade);
    },
    async tell(trade, change = {}) {
      const fields = { mch_id: trade.mchId, ...shown(trade) };
      const sign = createHmac('sha256', options.noticeKey).update(sorted(fields)).digest('hex');
      const body = new URLSearchParams({ ...fields, sign, ...change }).toString();
      return deliver(trade.notifyUrl, body);
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return kosh;
}

function shown({ orderNo, tradeNo, amount, status, utr }: KoshTrade): Fields {
  return { order_no: orderNo, trade_no: tradeNo, amount, status, utr };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Tries at most five times, as such gateways do. A notice that is never acknowledged is found by a query. */
async function post(url: string, body: string): Promise<string> {
  let answer = '';
  for (let attempt = 0; attempt < 5 && answer !== 'success'; attempt += 1) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    }).catch(() => undefined);
    answer = response ? await response.text() : '';
  }
  return answer;
}
