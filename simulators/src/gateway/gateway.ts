import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endOf, type GatewayEnd } from './ends.ts';

/** A payout the gateway has taken. */
export interface TakenPayout {
  readonly id: string;
  readonly key: string;
  readonly bodyHash: string;
  readonly referenceId: string;
  readonly accountNumber: string;
  readonly payee: string;
  /** Paise. */
  readonly amount: number;
  readonly mode: string;
  readonly end: GatewayEnd;
  readonly takenAt: number;
  readonly utr: string;
}

export interface SimulatedGateway {
  /** Up to and with the version. */
  readonly url: string;
  readonly payouts: readonly TakenPayout[];
  /** Keys of the sends that came, in their order, whatever was answered. */
  readonly sends: readonly string[];
  /** Where a payout stands by now. */
  statusOf(payout: TakenPayout): string;
  stop(): Promise<void>;
}

export interface GatewayOptions {
  readonly keyId: string;
  readonly keySecret: string;
  /** 0 = any free one. */
  readonly port?: number;
  /** Milliseconds; the movable clock of a test. */
  readonly now?: () => number;
  /** From taking a payout to its end, and from there to its return. */
  readonly settleMs?: number;
  readonly returnMs?: number;
}

interface PayoutBody {
  readonly account_number: string;
  readonly amount: number;
  readonly currency: string;
  readonly mode: string;
  readonly purpose: string;
  readonly reference_id: string;
  readonly narration: string;
  readonly fund_account: {
    readonly account_type: 'bank_account' | 'vpa';
    readonly bank_account?: { readonly account_number: string; readonly ifsc: string; readonly name: string };
    readonly vpa?: { readonly address: string };
  };
}

const MAX_BODY_BYTES = 64 * 1024;
const KEY = /^[A-Za-z0-9 _-]{4,36}$/;

/** A payout gateway of ours on this machine, which speaks RazorpayX's wire and misbehaves by the payee's account. */
export async function startGateway(options: GatewayOptions): Promise<SimulatedGateway> {
  const { keyId, keySecret, port = 0, now = Date.now, settleMs = 2_000, returnMs = 60_000 } = options;
  const payouts = new Map<string, TakenPayout>();
  const sends: string[] = [];
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`;

  function statusOf({ end, takenAt }: TakenPayout): string {
    const age = now() - takenAt;
    if (end === 'stuck' || age < settleMs) return 'processing';
    if (end === 'failed') return 'failed';
    return end === 'reversed' && age >= settleMs + returnMs ? 'reversed' : 'processed';
  }

  function entityOf(payout: TakenPayout): object {
    const status = statusOf(payout);
    return {
      id: payout.id,
      entity: 'payout',
      fund_account_id: `fa_${payout.id.slice(5)}`,
      amount: payout.amount,
      currency: 'INR',
      fees: 0,
      tax: 0,
      status,
      mode: payout.mode,
      purpose: 'payout',
      utr: status === 'processed' || status === 'reversed' ? payout.utr : null,
      reference_id: payout.referenceId,
      status_details: {
        description: status === 'failed' ? 'IMPS is not enabled on the beneficiary account' : null,
        source: status === 'failed' ? 'beneficiary_bank' : null,
        reason: status === 'failed' ? 'imps_not_allowed' : null,
      },
      created_at: Math.floor(payout.takenAt / 1_000),
    };
  }

  function take(key: string, text: string, response: ServerResponse): void {
    sends.push(key);
    const body = JSON.parse(text) as PayoutBody;
    const bodyHash = createHash('sha256').update(text).digest('hex');
    const known = [...payouts.values()].find((each) => each.key === key);
    if (known)
      return known.bodyHash === bodyHash
        ? answer(response, 200, entityOf(known))
        : refuse(response, 'Different request body sent with the same idempotency key', KEY_FIELD);
    const problem = problemOf(body);
    if (problem) return refuse(response, problem);
    const { account_type: type, bank_account: account, vpa } = body.fund_account;
    const payee = (type === 'vpa' ? vpa?.address : account?.account_number) ?? '';
    const end = endOf(payee.split('@')[0]!);
    if (end === 'refused')
      return refuse(response, 'Your account does not have enough balance to carry out the payout operation');
    if (end === 'errorBefore') return fail(response);
    const takenAt = now();
    const payout: TakenPayout = {
      id: `pout_${createHash('sha256').update(key).digest('hex').slice(0, 14)}`,
      key,
      bodyHash,
      referenceId: body.reference_id,
      accountNumber: body.account_number,
      payee,
      amount: body.amount,
      mode: body.mode,
      end,
      takenAt,
      // Twelve digits, as an RRN.
      utr: String(700_000_000_000n + ((BigInt(takenAt) * 1_000n + BigInt(payouts.size)) % 299_999_999_999n)),
    };
    payouts.set(payout.id, payout);
    if (end === 'errorAfter') return fail(response);
    if (end === 'tornAfter') return void response.destroy();
    if (end !== 'silentAfter') answer(response, 200, entityOf(payout));
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const text = await readBody(request);
    if (request.headers.authorization !== authorization)
      return answer(response, 401, errorOf('Authentication failed'));
    if (request.method === 'POST' && pathname === '/v1/payouts') {
      const key = String(request.headers['x-payout-idempotency'] ?? '');
      return KEY.test(key)
        ? take(key, text, response)
        : refuse(response, 'Idempotency key is missing', KEY_FIELD);
    }
    if (request.method === 'GET' && pathname === '/v1/payouts') {
      const [account, reference] = [searchParams.get('account_number'), searchParams.get('reference_id')];
      const items = [...payouts.values()].filter(
        (each) => each.accountNumber === account && (reference === null || each.referenceId === reference),
      );
      return answer(response, 200, { entity: 'collection', count: items.length, items: items.map(entityOf) });
    }
    const found = payouts.get(pathname.replace('/v1/payouts/', ''));
    if (request.method === 'GET' && found) return answer(response, 200, entityOf(found));
    return refuse(response, 'The id provided does not exist');
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get payouts() {
      return [...payouts.values()];
    },
    sends,
    statusOf,
    async stop() {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

const KEY_FIELD = 'X-Payout-Idempotency';

function problemOf(body: PayoutBody): string | undefined {
  const { account_type: type, bank_account: account, vpa } = body.fund_account;
  if (!Number.isInteger(body.amount) || body.amount < 100) return 'The amount must be at least INR 1.00';
  if (!['NEFT', 'RTGS', 'IMPS', 'UPI'].includes(body.mode)) return 'Payout mode is invalid';
  if ((body.mode === 'UPI') !== (type === 'vpa')) return 'Payout mode does not fit the fund account';
  if (!/^[A-Za-z0-9 ]{0,30}$/.test(body.narration)) return 'The narration format is invalid';
  if (body.reference_id.length > 40) return 'The reference id may not be greater than 40 characters';
  const isWhole = type === 'vpa' ? vpa?.address : /^[A-Z]{4}0[A-Z0-9]{6}$/.test(account?.ifsc ?? '');
  return isWhole ? undefined : 'The fund account is invalid';
}

function errorOf(description: string, field?: string): object {
  return {
    error: {
      code: 'BAD_REQUEST_ERROR',
      description,
      source: 'business',
      reason: 'input_validation_failed',
      ...(field ? { field } : {}),
    },
  };
}

function refuse(response: ServerResponse, description: string, field?: string): void {
  answer(response, 400, errorOf(description, field));
}

function fail(response: ServerResponse): void {
  answer(response, 500, { error: { code: 'SERVER_ERROR', description: 'We are facing some trouble' } });
}

function answer(response: ServerResponse, status: number, body: object): void {
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
