import { timingSafeEqual } from 'node:crypto';
import { request } from 'undici';
import type { SendAnswer } from '../payout-channel.ts';
import { holdsNul, mended } from '../../platform/stored-text.ts';

export interface WireCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Posted as JSON; without one it is a GET. */
  readonly post?: object | undefined;
  /** Longest wait for the whole answer. */
  readonly patienceMs: number;
}

export interface WireAnswer {
  readonly status: number;
  /** Undefined: no JSON. */
  readonly body: unknown;
}

/** One call of an outside API; throws when no answer came. */
export async function callWire({ url, headers, post, patienceMs }: WireCall): Promise<WireAnswer> {
  const response = await request(url, {
    method: post ? 'POST' : 'GET',
    signal: AbortSignal.timeout(patienceMs),
    headers: { ...headers, ...(post ? { 'content-type': 'application/json' } : {}) },
    ...(post ? { body: JSON.stringify(post) } : {}),
  });
  return { status: response.statusCode, body: parseJson(await response.body.text()) };
}

/**
 * What an answer that names an error says of a send, by its HTTP status. Refused: 400, 403, 404 and 422, before anything was made of
 * the request. 429 (too many calls) and 401 (wrong keys) say nothing about the payout, which waits. Of all others nobody knows.
 */
export function refusalOf(status: number, reason: string): SendAnswer {
  if (status === 429) return { outcome: 'held', reason };
  if (status === 401) return { outcome: 'held', reason, closesAccount: true };
  return { outcome: [400, 403, 404, 422].includes(status) ? 'refused' : 'unknown', reason };
}

/** Undefined where the text is no JSON or holds U+0000. Half surrogate pairs are repaired. */
export function parseJson(text: string): unknown {
  if (holdsNul(text)) return undefined;
  try {
    return JSON.parse(text, (_, value: unknown) => mended(value)) as unknown;
  } catch {
    return undefined;
  }
}

/** Compares signatures in constant time. */
export function isSame(given: string | undefined, expected: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
