import { Agent, type Dispatcher } from 'undici';
import type { SignType } from '@sangam/contract/signature.ts';
import { SECOND } from '../platform/clock.ts';
import type { Names } from '../platform/net/names.ts';
import { guardedLookup, type PrivateTargets, refusedTarget } from '../platform/net/target.ts';
import {
  keptSignature,
  type Notice,
  partsOf,
  prepare,
  type Prepared,
  signatureOf,
  type Target,
} from './request.ts';

const TIMEOUT = 10 * SECOND;
/** Longer than an attempt and its recording can last. After it, other nodes take over the rows of a killed node. */
export const LEASE = 30 * SECOND;
/** The most that one merchant has under way. A platform that many merchants use must not get thousands of connections from us. */
const SOCKETS_PER_ORIGIN = 128;
/** How many parsed addresses are remembered. */
const KNOWN_TARGETS = 1000;
/** How much of an answer is kept; the rest is not read. */
const MAX_ANSWER_BYTES = 2048;

export interface Delivery extends Notice {
  readonly signType: SignType;
  readonly secret: string;
}

/** One attempt as recorded: what was sent, what came back, and how long it took. */
export interface AttemptResult {
  readonly httpMethod: 'POST' | 'GET';
  readonly request: string;
  /** What signing added to the fields. */
  readonly signed: string;
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

/** Sends callbacks. Redirects are not followed; private targets are refused unless allowed. */
export function createSender(allowPrivate: PrivateTargets, names?: Names): Sender {
  const agent = new Agent({
    connect: { lookup: guardedLookup(allowPrivate, names), timeout: TIMEOUT },
    headersTimeout: TIMEOUT,
    bodyTimeout: TIMEOUT,
    keepAliveTimeout: 10 * SECOND,
    connections: SOCKETS_PER_ORIGIN,
  });
  // A merchant's address is the same in callback after callback, and parsing it costs as much as signing.
  const targets = new Map<string, Target | string>();
  const targetOf = (url: string): Target | string => {
    const known = targets.get(url);
    if (known !== undefined) return known;
    const target = refusedTarget(url, allowPrivate) ?? partsOf(url);
    if (targets.size >= KNOWN_TARGETS) targets.clear();
    targets.set(url, target);
    return target;
  };

  return {
    // Requests that still hang would hold up a node that is to stop.
    close: () => agent.destroy(),
    async send(delivery, now) {
      const target = targetOf(delivery.url);
      const signature = signatureOf(delivery, delivery, now);
      const prepared = prepare(delivery, typeof target === 'string' ? undefined : target, signature);
      const startedAt = performance.now();
      const outcome = (rest: Pick<AttemptResult, 'status' | 'answer' | 'error'>): AttemptResult => ({
        httpMethod: prepared.method,
        request: prepared.shown,
        signed: keptSignature(signature),
        durationMs: Math.round(performance.now() - startedAt),
        acknowledged:
          rest.status !== null && rest.status < 300 && rest.answer?.trim().toLowerCase() === 'success',
        ...rest,
      });
      if (typeof target === 'string') return outcome({ status: null, answer: null, error: target });
      try {
        return outcome({ ...(await exchange(agent, target.origin, prepared)), error: null });
      } catch (error) {
        return outcome({ status: null, answer: null, error: describe(error) });
      }
    },
  };
}

/**
 * One request and the start of its answer, within the timeout. Uses undici's bare dispatch: streams and abort signals would
 * double the cost of a callback.
 */
function exchange(
  agent: Agent,
  origin: string,
  prepared: Prepared,
): Promise<{ status: number; answer: string }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let status = 0;
    let connection: Dispatcher.DispatchController | undefined;
    const timer = setTimeout(() => {
      const late = new Error(`timed out after ${TIMEOUT / SECOND} s`);
      if (connection) connection.abort(late);
      fail(late);
    }, TIMEOUT);
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    const succeed = () => {
      clearTimeout(timer);
      // PostgreSQL cannot store a NUL in text.
      const answer = Buffer.concat(chunks)
        .subarray(0, MAX_ANSWER_BYTES)
        .toString('utf8')
        .replaceAll('\u0000', '');
      resolve({ status, answer });
    };
    const { method, path, headers, body = null } = prepared;
    agent.dispatch(
      { origin, path, method, headers, body },
      {
        onRequestStart(controller) {
          connection = controller;
        },
        onResponseStart(_, code) {
          status = code;
        },
        onResponseData(controller, chunk) {
          chunks.push(chunk);
          size += chunk.length;
          if (size < MAX_ANSWER_BYTES) return;
          succeed();
          controller.abort(new Error('the rest of the answer is not read'));
        },
        onResponseEnd: succeed,
        onResponseError: (_, error) => fail(error),
      },
    );
  });
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message || error.name}${cause}`.slice(0, 300);
}
