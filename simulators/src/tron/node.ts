import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hexOfTronAddress, tronAddressOf } from '@sangam/server/platform/tron-address.ts';
import { createWallets, type Wallets } from './wallets.ts';

/** A transfer that a test or a payer makes on the chain. Values in millionths. */
export interface ChainTransfer {
  readonly to: string;
  readonly value: bigint;
  /** The real token's contract by default; a look-alike token of the same name has another. */
  readonly contract?: string;
  readonly from?: string;
  /** An approval is listed beside transfers. */
  readonly type?: 'Transfer' | 'Approval';
}

export interface SendOptions {
  /** Listed, but the transaction failed. */
  readonly failed?: boolean;
  /** Milliseconds after it is solid until the account index lists it. */
  readonly indexLagMs?: number;
  /** The account index does not name the token. */
  readonly unnamed?: boolean;
  readonly atMs?: number;
  /** The id computed from the signed bytes, where there are some. */
  readonly txid?: string;
}

export interface SimulatedTron {
  readonly url: string;
  /** Sends one transaction with one or more transfers; returns its id. */
  send(transfers: readonly ChainTransfer[], options?: SendOptions): string;
  readonly wallets: Wallets;
  readonly requests: () => number;
  /** The answer, with status 200, to every query about a transaction; undefined: the true answer. */
  receipt: object | undefined;
  stop(): Promise<void>;
}

export interface TronNodeOptions {
  readonly port?: number;
  readonly contract: string;
  readonly now?: () => number;
  /** Milliseconds until a block is solid: 19 of 27 representatives, about a minute. */
  readonly solidMs?: number;
  /** Mixes the rows of a page, as an index does while it is rebuilt. */
  readonly shuffle?: () => number;
  /** Rows per page, at most what is asked for. */
  readonly pageSize?: number;
}

interface Transaction {
  readonly txid: string;
  readonly blockTime: number;
  readonly blockNumber: number;
  readonly failed: boolean;
  readonly listedAt: number;
  readonly unnamed: boolean;
  readonly transfers: readonly Required<ChainTransfer>[];
}

const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const APPROVAL = '8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';
const BLOCK_MS = 3_000;

/** A TRON address without a known key. */
export function anyTronAddress(seed: string | Buffer = randomBytes(20)): string {
  return tronAddressOf(createHash('sha256').update(seed).digest('hex').slice(0, 40));
}

/** A simulated TRON node on this machine, with TronGrid's HTTP interface, its delays and its pitfalls. */
export async function startTronNode(options: TronNodeOptions): Promise<SimulatedTron> {
  const { port = 0, contract, now = Date.now, solidMs = 57_000, shuffle, pageSize = 200 } = options;
  const transactions: Transaction[] = [];
  const seen = new Map<string, Transaction>();
  let requests = 0;

  function send(
    transfers: readonly ChainTransfer[],
    {
      failed = false,
      indexLagMs = 0,
      unnamed = false,
      atMs,
      txid = randomBytes(32).toString('hex'),
    }: SendOptions = {},
  ): string {
    // The next block includes it.
    const blockTime = Math.ceil((atMs ?? now()) / BLOCK_MS) * BLOCK_MS;
    const transaction: Transaction = {
      txid,
      blockTime,
      blockNumber: Math.floor(blockTime / BLOCK_MS),
      failed,
      listedAt: blockTime + solidMs + indexLagMs,
      unnamed,
      transfers: transfers.map((each) => ({
        contract,
        from: anyTronAddress('payer'),
        type: 'Transfer' as const,
        ...each,
      })),
    };
    transactions.push(transaction);
    seen.set(transaction.txid, transaction);
    return transaction.txid;
  }

  const wallets = createWallets({
    contract,
    now,
    solidMs,
    include: ({ txid, from, to, value, failed }) => void send([{ from, to, value }], { txid, failed }),
  });

  function list(address: string, query: URLSearchParams): object {
    const since = Number(query.get('min_timestamp') ?? 0);
    const from = Number(query.get('fingerprint') ?? 0);
    const limit = Math.min(Number(query.get('limit') ?? 20), pageSize);
    const rows = transactions
      .filter((each) => each.listedAt <= now() && each.blockTime >= since)
      .toSorted((a, b) => a.blockTime - b.blockTime)
      .flatMap((each) =>
        each.transfers.filter(({ to }) => to === address).map((transfer) => rowOf(each, transfer)),
      );
    const data = rows.slice(from, from + limit);
    if (shuffle) data.sort(() => shuffle() - 0.5);
    const next = from + limit < rows.length ? String(from + limit) : undefined;
    return {
      success: true,
      data,
      meta: { at: now(), page_size: data.length, ...(next === undefined ? {} : { fingerprint: next }) },
    };
  }

  const rowOf = ({ txid, blockTime, unnamed }: Transaction, transfer: Required<ChainTransfer>) => ({
    transaction_id: txid,
    token_info:
      !unnamed && (transfer.contract === contract || transfer.value % 2n === 0n)
        ? { symbol: 'USDT', address: transfer.contract, decimals: 6, name: 'Tether USD' }
        : {},
    block_timestamp: blockTime,
    from: transfer.from,
    to: transfer.to,
    type: transfer.type,
    value: String(transfer.value),
  });

  function infoOf(txid: string): object {
    const found = seen.get(txid);
    if (!found || found.blockTime + solidMs > now()) return {};
    return {
      id: txid,
      blockNumber: found.blockNumber,
      blockTimeStamp: found.blockTime,
      receipt: { result: found.failed ? 'OUT_OF_ENERGY' : 'SUCCESS' },
      // A log of another contract may have no topic at all.
      ...(found.failed
        ? {}
        : { log: [...found.transfers.map(logOf), { address: word('1'), data: word('2') }] }),
    };
  }

  const word = (hex: string) => hex.padStart(64, '0');
  const logOf = (transfer: Required<ChainTransfer>) => ({
    address: hexOfTronAddress(transfer.contract),
    topics: [
      transfer.type === 'Transfer' ? TRANSFER : APPROVAL,
      word(hexOfTronAddress(transfer.from)),
      word(hexOfTronAddress(transfer.to)),
    ],
    data: word(transfer.value.toString(16)),
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests += 1;
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    const answer = (body: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const listed = /^\/v1\/accounts\/(T\w{33})\/transactions\/trc20$/.exec(url.pathname);
    if (listed) return void answer(list(listed[1]!, url.searchParams));
    if (url.pathname === '/walletsolidity/gettransactioninfobyid') {
      const { value } = JSON.parse(text) as { readonly value: string };
      return void answer(chain.receipt ?? infoOf(value));
    }
    const said = text ? wallets.answer(url.pathname, JSON.parse(text) as Record<string, unknown>) : undefined;
    if (said === 'lost') return void response.destroy();
    if (said) return void answer(said);
    response.writeHead(404).end('{}');
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const chain: SimulatedTron = {
    receipt: undefined,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    send,
    wallets,
    requests: () => requests,
    async stop() {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeAllConnections();
      await closed;
    },
  };
  return chain;
}
