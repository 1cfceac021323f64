import { timingSafeEqual } from 'node:crypto';
import { request } from 'undici';
import type { SendAnswer } from '../payout-channel.ts';
import { holdsNul, mended } from '../../platform/stored-text.ts';

export interface WireCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent by POST as JSON; without it the call is a GET. */
  readonly post?: object | undefined;
  /** Longest wait for the whole answer. */
  readonly patienceMs: number;
  /** Once it is aborted, the call does not go out, not even if it waits for a connection. */
  readonly givenUp?: AbortSignal | undefined;
}

export interface WireAnswer {
  readonly status: number;
  /** Undefined where the answer is not JSON. */
  readonly body: unknown;
}

/** Calls an outside API once; throws when no answer came. */
export async function callWire({ url, headers, post, patienceMs, givenUp }: WireCall): Promise<WireAnswer> {
  const late = AbortSignal.timeout(patienceMs);
  const response = await request(url, {
    method: post ? 'POST' : 'GET',
    signal: givenUp ? AbortSignal.any([late, givenUp]) : late,
    headers: { ...headers, ...(post ? { 'content-type': 'application/json' } : {}) },
    ...(post ? { body: JSON.stringify(post) } : {}),
  });
  return { status: response.statusCode, body: parseJson(await response.body.text()) };
}

/**
 * What an error answer to a send means, by its HTTP status. 400, 403, 404 and 422: refused, before the gateway did anything.
 * 429 (too many calls) and 401 (wrong keys) have nothing to do with the payout, which waits. All others: unknown.
 */
export function refusalOf(status: number, reason: string): SendAnswer {
  if (status === 429) return { outcome: 'held', reason };
  if (status === 401) return { outcome: 'held', reason, closesAccount: true };
  return { outcome: [400, 403, 404, 422].includes(status) ? 'refused' : 'unknown', reason };
}

/** Undefined where the text is not JSON or contains U+0000. Half surrogate pairs are repaired. */
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
