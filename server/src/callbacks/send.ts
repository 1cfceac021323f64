import { Agent, request } from 'undici';
import { sign, type SignType } from '@sangam/contract/signature.ts';
import { randomUUID } from 'node:crypto';
import { SECOND } from '../clock.ts';
import { guardedLookup, refusedTarget } from './target.ts';

const TIMEOUT = 10 * SECOND;
/** Of an answer this much is kept; the rest is not read. */
const MAX_ANSWER_BYTES = 2048;

export interface Delivery {
  readonly url: string;
  readonly transport: 'json' | 'form' | 'query';
  readonly fields: Readonly<Record<string, string>>;
  readonly signType: SignType;
  readonly secret: string;
}

/** One attempt as recorded: what was sent, what came back, how long it took. */
export interface AttemptResult {
  readonly httpMethod: 'POST' | 'GET';
  readonly request: string;
  readonly status: number | null;
  readonly answer: string | null;
  readonly error: string | null;
  readonly durationMs: number;
  /** The answer's body was `success` (trimmed, any case). */
  readonly acknowledged: boolean;
}

export interface Sender {
  send(delivery: Delivery, now: Date): Promise<AttemptResult>;
  close(): Promise<void>;
}

/** Sends notifications; redirects are not followed, private targets are refused unless allowed. */
export function createSender(allowPrivate: boolean): Sender {
  const agent = new Agent({
    connect: { lookup: guardedLookup(allowPrivate), timeout: TIMEOUT },
    headersTimeout: TIMEOUT,
    bodyTimeout: TIMEOUT,
    keepAliveTimeout: 10 * SECOND,
  });

  return {
    close: () => agent.close(),
    async send(delivery, now) {
      const fields = signed(delivery, now);
      const prepared = prepare(delivery, fields);
      const startedAt = performance.now();
      const outcome = (rest: Pick<AttemptResult, 'status' | 'answer' | 'error'>): AttemptResult => ({
        httpMethod: prepared.method,
        request: prepared.shown,
        durationMs: Math.round(performance.now() - startedAt),
        acknowledged:
          rest.status !== null && rest.status < 300 && rest.answer?.trim().toLowerCase() === 'success',
        ...rest,
      });
      const refusal = refusedTarget(delivery.url, allowPrivate);
      if (refusal) return outcome({ status: null, answer: null, error: refusal });
      try {
        const response = await request(prepared.url, {
          method: prepared.method,
          dispatcher: agent,
          signal: AbortSignal.timeout(TIMEOUT),
          headers: prepared.headers,
          ...(prepared.body === undefined ? {} : { body: prepared.body }),
        });
        const answer = await firstBytes(response.body);
        return outcome({ status: response.statusCode, answer, error: null });
      } catch (error) {
        return outcome({ status: null, answer: null, error: describe(error) });
      }
    },
  };
}

function signed(delivery: Delivery, now: Date): Record<string, string> {
  const fields =
    delivery.signType === 'md5'
      ? { ...delivery.fields }
      : { ...delivery.fields, timestamp: String(now.getTime()), nonce: randomUUID() };
  return { ...fields, sign: sign(fields, delivery.signType, delivery.secret) };
}

function prepare(delivery: Delivery, fields: Record<string, string>) {
  const form = new URLSearchParams(fields).toString();
  switch (delivery.transport) {
    case 'json': {
      // status is a number on the wire; its text is what was signed.
      const body = JSON.stringify({ ...fields, status: Number(fields['status']) });
      return {
        method: 'POST',
        url: delivery.url,
        body,
        shown: body,
        headers: { 'content-type': 'application/json' },
      } as const;
    }
    case 'form': {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return { method: 'POST', url: delivery.url, body: form, shown: form, headers } as const;
    }
    case 'query': {
      // A notifyUrl's own query is kept.
      const url = `${delivery.url}${delivery.url.includes('?') ? '&' : '?'}${form}`;
      return { method: 'GET', url, body: undefined, shown: url, headers: {} } as const;
    }
  }
}

async function firstBytes(body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MAX_ANSWER_BYTES) break;
  }
  body.destroy();
  // A NUL cannot be stored as text.
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8').replaceAll('\u0000', '');
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'timed out after 10 s';
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message || error.name}${cause}`.slice(0, 300);
}
