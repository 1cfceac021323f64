import { Agent, type Dispatcher, request } from 'undici';
import { SECOND } from '../../platform/clock.ts';
import { guardedLookup, refusedTarget } from '../../platform/net/target.ts';
import { LIMITS } from './sandbox/limits.ts';
import type { FetchAnswer, FetchRequest } from './sandbox/wire.ts';

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];
/**
 * Headers that belong to the connection, or that could make the caller pass for another inside a network. Matched in any letter
 * case: the sandbox writes names in small letters, but with a toLowerCase that the script can replace.
 */
const OURS =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|upgrade|expect|te|trailer|proxy-.*|x-forwarded-.*|forwarded)$/i;

/** One fetch of a script, as its record keeps it. */
export interface FetchRecord {
  readonly request: FetchRequest;
  readonly answer: FetchAnswer;
  readonly durationMs: number;
}

interface GateOptions {
  /** In the form that originOf (contract) gives. */
  readonly origins: readonly string[];
  readonly allowPrivate: boolean;
}

/** Answers a script's fetches: only to its own list of origins, and into a private network only with `allowPrivate`. */
export function fetchGate({ origins, allowPrivate }: GateOptions) {
  return async (asked: FetchRequest, signal: AbortSignal): Promise<FetchAnswer> => {
    const refusal = refused(asked, origins, allowPrivate);
    if (refusal) return { error: refusal };
    try {
      return await exchange(asked, agentOf(allowPrivate), signal);
    } catch (error) {
      return { error: describe(error) };
    }
  };
}

/** One agent for public targets and one for private ones; it checks the address of each name as it resolves it. */
const agents = new Map<boolean, Agent>();

function agentOf(allowPrivate: boolean): Agent {
  const agent =
    agents.get(allowPrivate) ??
    new Agent({
      connect: { lookup: guardedLookup(allowPrivate), timeout: LIMITS.wholeMs },
      headersTimeout: LIMITS.wholeMs,
      bodyTimeout: LIMITS.wholeMs,
      keepAliveTimeout: 10 * SECOND,
    });
  agents.set(allowPrivate, agent);
  return agent;
}

function refused(
  { url, method, headers, body }: FetchRequest,
  origins: readonly string[],
  allowPrivate: boolean,
): string | undefined {
  const target = refusedTarget(url, allowPrivate);
  if (target) return `${target}: ${url.slice(0, 200)}`;
  const { origin } = new URL(url);
  if (!origins.includes(origin)) return `${origin} is not on the script's list`;
  if (!METHODS.includes(method)) return `no method is called ${method.slice(0, 20)}`;
  const name = Object.keys(headers).find((each) => OURS.test(each));
  if (name !== undefined) return `the header ${name} is not a script's to set`;
  if (body !== null && Buffer.byteLength(body) > LIMITS.requestBytes)
    return `a request of over ${LIMITS.requestBytes} bytes`;
  return undefined;
}

/** A redirect is answered to the script, not followed: following it would leave the list. */
async function exchange(
  { url, method, headers, body }: FetchRequest,
  dispatcher: Agent,
  signal: AbortSignal,
): Promise<FetchAnswer> {
  const response = await request(url, {
    dispatcher,
    method: method as Dispatcher.HttpMethod,
    headers,
    body,
    signal,
  });
  const text = await readAtMost(response.body, LIMITS.answerBytes);
  return { status: response.statusCode, headers: plain(response.headers), body: text };
}

async function readAtMost(body: Dispatcher.ResponseData['body'], most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Throwing here ends the connection.
    if (size > most) throw new Error(`an answer of over ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function plain(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message || error.name}${cause}`.slice(0, 300);
}
