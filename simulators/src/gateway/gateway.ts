import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerCashfree } from './cashfree-wire.ts';
import { endOf } from './ends.ts';
import { answerRazorpayX, type WireRequest } from './razorpayx-wire.ts';
import type { GatewayStore, TakenPayout, TakenState, Wanted, WireReply } from './taken.ts';
import { createReporter, type Deliver, type WebhookMischief } from './teller.ts';

export interface SimulatedGateway {
  /** Base URL of the RazorpayX API, up to and including the version. */
  readonly url: string;
  /** Base URL of the Cashfree API, up to and including /payout. */
  readonly cashfreeUrl: string;
  readonly payouts: readonly TakenPayout[];
  /** Idempotency keys of the sends received, in order, whatever was answered. */
  readonly sends: readonly string[];
  /** The current state of a payout. */
  statusOf(payout: TakenPayout): TakenState;
  /** Answers a request as over the network. Undefined: the payout was taken, but no answer is sent. */
  answer(request: WireRequest): WireReply | undefined;
  /** Sends webhooks about changes since the last call; returns the number of events. */
  tell(): Promise<number>;
  stop(): Promise<void>;
}

export interface GatewayOptions {
  readonly keyId: string;
  readonly keySecret: string;
  /** 0: any free port. */
  readonly port?: number;
  /** Milliseconds; a test may pass its own clock. */
  readonly now?: () => number;
  /** Milliseconds from taking a payout to its end, and from there to its return. */
  readonly settleMs?: number;
  readonly returnMs?: number;
  /** Paise that its accounts pay from. */
  readonly funds?: number;
  readonly accountNumbers?: () => readonly string[];
  /** Signs the events (Cashfree uses the client secret unless another was agreed). Without it no event is sent. */
  readonly webhookSecret?: string;
  readonly deliver?: Deliver;
  readonly mischief?: WebhookMischief;
}

/** Ten crore rupees. */
const FUNDS = 10_00_00_000_00;
const MAX_BODY_BYTES = 64 * 1024;

/** A simulated payout gateway on this machine. It has the APIs of two providers, and misbehaves as the payee's account says. */
export async function startGateway(options: GatewayOptions): Promise<SimulatedGateway> {
  const {
    keyId,
    keySecret,
    port = 0,
    now = Date.now,
    settleMs = 2_000,
    returnMs = 60_000,
    funds = FUNDS,
  } = options;
  const payouts = new Map<string, TakenPayout>();
  const byKey = new Map<string, TakenPayout>();
  const sends: string[] = [];

  function stateOf({ end, takenAt }: TakenPayout): TakenState {
    const age = now() - takenAt;
    if (end === 'stuck' || age < settleMs) return 'processing';
    if (end === 'failed') return 'failed';
    return end === 'reversed' && age >= settleMs + returnMs ? 'reversed' : 'processed';
  }

  function take(wanted: Wanted): TakenPayout {
    const takenAt = now();
    const digest = createHash('sha256').update(`${wanted.wire}/${wanted.key}`).digest();
    const payout: TakenPayout = {
      ...wanted,
      id:
        wanted.wire === 'razorpayx'
          ? `pout_${digest.toString('hex').slice(0, 14)}`
          : String(digest.readUInt32BE(0)) + String(payouts.size),
      end: endOf(wanted.payee.split('@')[0]!),
      takenAt,
      // Twelve digits, like an RRN.
      utr: String(700_000_000_000n + ((BigInt(takenAt) * 1_000n + BigInt(payouts.size)) % 299_999_999_999n)),
    };
    payouts.set(payout.id, payout);
    byKey.set(`${wanted.wire}/${wanted.key}`, payout);
    return payout;
  }

  const store: GatewayStore = {
    all: () => [...payouts.values()],
    byKey: (wire, key) => byKey.get(`${wire}/${key}`),
    byId: (id) => payouts.get(id),
    stateOf,
    accountNumbers: options.accountNumbers ?? (() => []),
    balance: () =>
      [...payouts.values()].reduce(
        (left, each) => (['failed', 'reversed'].includes(stateOf(each)) ? left : left - each.amount),
        funds,
      ),
    heard: (key) => void sends.push(key),
    take,
  };
  const teller =
    options.webhookSecret !== undefined && options.deliver
      ? createReporter(store, {
          webhookSecret: options.webhookSecret,
          now,
          deliver: options.deliver,
          mischief: options.mischief,
        })
      : undefined;

  function answer(request: WireRequest): WireReply | undefined {
    const speak = request.url.pathname.startsWith('/payout/') ? answerCashfree : answerRazorpayX;
    return speak(store, { keyId, keySecret }, request);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const wire: WireRequest = {
      method: request.method ?? 'GET',
      url: new URL(request.url ?? '/', 'http://127.0.0.1'),
      header: (name) => request.headers[name]?.toString(),
      text: await readBody(request),
    };
    const reply = answer(wire);
    if (reply) return send(response, reply);
    // Taken without an answer: the connection is closed, or left open.
    const last = [...payouts.values()].at(-1);
    if (last?.end === 'tornAfter') response.destroy();
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/v1`,
    cashfreeUrl: `${origin}/payout`,
    get payouts() {
      return [...payouts.values()];
    },
    sends,
    statusOf: stateOf,
    answer,
    tell: async () => (await teller?.tell()) ?? 0,
    async stop() {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

function send(response: ServerResponse, { status, body }: WireReply): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error('request is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
