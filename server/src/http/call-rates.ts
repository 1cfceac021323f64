import type { FastifyReply, FastifyRequest } from 'fastify';
import { MINUTE, SECOND } from '../platform/clock.ts';
import { addressMatcher } from '../platform/net/addresses.ts';
import { sourceOf } from '../platform/net/source.ts';
import { perPlatform } from '../platform/node-state.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import { localeOf, send } from './caller.ts';
import { refusalAnswer } from './envelope.ts';

/**
 * How many calls of one kind a node accepts from one source: `burst` at once, `perMinute` in the long run. Many people may share an address
 * (an office, a mobile network in India), so these limits stop floods and not people. Merchants' calls have their own rates.
 */
const RATES = {
  /** Sign-in, by source. A whole office may sign in from one address in the morning. */
  signIn: { perMinute: 60, burst: 60 },
  /** The payment page and its calls, by source. An open page asks twenty times a minute. */
  payPage: { perMinute: 3_000, burst: 1_000 },
  /** Calls of monitors before anything in them is checked, by source. The phones of a supplier may share an address. */
  monitors: { perMinute: 6_000, burst: 2_000 },
  /** Wrong signatures in calls of monitors, by source. */
  monitorMisses: { perMinute: 60, burst: 60 },
  /** Wrong signatures in calls of the merchant API, by merchant and source. Many merchants may call from one address. */
  merchantMisses: { perMinute: 60, burst: 60 },
  /** Signed calls of one monitor. */
  monitor: { perMinute: 1_200, burst: 600 },
  /** Calls of gateways and rails. A refused call may be a payment that is reported only once, so only floods reach this limit. */
  webhook: { perMinute: 6_000, burst: 3_000 },
  health: { perMinute: 600, burst: 120 },
} as const;

export type CallKind = keyof typeof RATES;

/**
 * How many sources of a kind are remembered. Beyond it the source unseen for longest is forgotten; it then just has a full bucket again.
 */
const MOST_SOURCES = 50_000;

interface Bucket {
  tokens: number;
  at: number;
}

export interface CallRates {
  /** Takes one call from the bucket of `who`. Answers 0 if the call may pass, else in how many whole seconds it may. */
  take(kind: CallKind, who: string): number;
  /** The same answer, without taking a call. */
  wait(kind: CallKind, who: string): number;
}

export const isThisMachine = addressMatcher(['127.0.0.0/8', '::1/128']);

/** The buckets of this node. Each node has its own, because a shared counter in the database would be a hot row on every call. */
export const callRates = perPlatform(({ clock }: Platform): CallRates => {
  const kinds = new Map<CallKind, Map<string, Bucket>>();

  function filled(kind: CallKind, who: string): Bucket {
    const { perMinute, burst } = RATES[kind];
    const now = clock.now().getTime();
    const { tokens, at } = kinds.get(kind)?.get(who) ?? { tokens: burst, at: now };
    return { tokens: Math.min(burst, tokens + (Math.max(0, now - at) / MINUTE) * perMinute), at: now };
  }

  function keep(kind: CallKind, who: string, bucket: Bucket): void {
    const buckets = kinds.get(kind) ?? new Map<string, Bucket>();
    kinds.set(kind, buckets);
    // Keeps the map in the order of the last calls.
    buckets.delete(who);
    buckets.set(who, bucket);
    if (buckets.size > MOST_SOURCES) buckets.delete(buckets.keys().next().value!);
  }

  const secondsUntilOne = (kind: CallKind, { tokens }: Bucket) =>
    tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * MINUTE) / RATES[kind].perMinute / SECOND);

  return {
    take(kind, who) {
      const bucket = filled(kind, who);
      const seconds = secondsUntilOne(kind, bucket);
      keep(kind, who, seconds === 0 ? { ...bucket, tokens: bucket.tokens - 1 } : bucket);
      return seconds;
    },
    wait: (kind, who) => secondsUntilOne(kind, filled(kind, who)),
  };
});

/**
 * Takes one call of an address, or of one caller at it. Answers 0, or in how many seconds the call may pass. Calls from this machine are
 * not counted: a call through a proxy carries the address of its real caller.
 */
export function takeCall(platform: Platform, kind: CallKind, ip: string, caller = ''): number {
  return isThisMachine(ip) ? 0 : callRates(platform).take(kind, caller + sourceOf(ip));
}

/** The same answer, without taking a call. */
export function waitOf(platform: Platform, kind: CallKind, ip: string, caller = ''): number {
  return isThisMachine(ip) ? 0 : callRates(platform).wait(kind, caller + sourceOf(ip));
}

/** The refusal 429, with the seconds after which the same call may pass. */
export function comeAgainIn(seconds: number): Refusal {
  return refuse('tooMany', {}, { retryAfterSeconds: seconds });
}

/** A hook that answers 429 before it reads anything of a call, when its address makes too many calls of this kind. */
export function stopFloods(platform: Platform, kind: CallKind) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const seconds = takeCall(platform, kind, request.ip);
    return seconds === 0 ? undefined : send(reply, refusalAnswer(comeAgainIn(seconds), localeOf(request)));
  };
}
