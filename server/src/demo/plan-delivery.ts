import { randomUUID } from 'node:crypto';
import { SCHEDULE } from '../callbacks/schedule.ts';
import { SECOND } from '../platform/clock.ts';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import type { IdMaker } from '../platform/db/ids.ts';
import type { Random } from './random.ts';

const SHARES = { exhausted: 0.02, retried: 0.07 } as const;
/** Shares while the merchant's server does not answer. */
const DEAF_SHARES = { exhausted: 0.4, retried: 0.9 } as const;

export interface Attempt {
  readonly id: bigint;
  readonly at: Date;
  readonly status: number | null;
  readonly answer: string | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly nonce: string;
}

/** How the merchant was notified: every attempt, and the status in which the order ended. */
export interface Delivery {
  readonly callbackId: bigint;
  readonly attempts: readonly Attempt[];
  readonly status: typeof COLLECTION_STATUS.callbackSucceeded | typeof COLLECTION_STATUS.callbackFailed;
  readonly endedAt: Date;
}

/** Whether the merchant acknowledged it. */
export const isTold = ({ status }: Delivery): boolean => status === COLLECTION_STATUS.callbackSucceeded;

const FAILURES = [
  { status: 500, answer: 'Internal Server Error', error: null, durationMs: 140 },
  { status: 502, answer: '<html><body><h1>502 Bad Gateway</h1></body></html>', error: null, durationMs: 60 },
  { status: 200, answer: 'fail', error: null, durationMs: 90 },
  { status: null, answer: null, error: 'timed out after 10 s', durationMs: 10_002 },
] as const;

/**
 * Plans attempts by the dispatcher's own schedule. None may still be due now. `isDeaf`: whether the merchant's server did not answer at a
 * moment.
 */
export function planDelivery(
  ids: IdMaker,
  paidAt: Date,
  now: Date,
  random: Random,
  isDeaf: boolean,
): Delivery {
  const shares = isDeaf ? DEAF_SHARES : SHARES;
  const room = (tries: number) =>
    SCHEDULE.slice(0, tries).reduce((sum, wait) => sum + wait, 0) + tries * 11 * SECOND;
  const age = now.getTime() - paidAt.getTime();
  const exhausted = age > room(SCHEDULE.length) && random.chance(shares.exhausted);
  const wanted = exhausted ? SCHEDULE.length : random.chance(shares.retried) ? random.int(1, 3) : 0;
  const failures = exhausted || age > room(wanted + 1) ? wanted : 0;

  const attempts: Attempt[] = [];
  let at = Math.min(
    paidAt.getTime() + random.int(60, 400),
    Math.max(now.getTime() - SECOND, paidAt.getTime() + 1),
  );
  const failure = random.pick(FAILURES);
  for (let tried = 0; tried < failures; tried += 1) {
    if (tried > 0) at += SCHEDULE[tried]!;
    const durationMs = failure.durationMs + random.int(0, 40);
    attempts.push({
      id: ids.next(new Date(at)),
      at: new Date(at),
      ...failure,
      durationMs,
      nonce: randomUUID(),
    });
    at += durationMs;
  }
  if (!exhausted) {
    if (failures > 0) at += SCHEDULE[failures]!;
    const durationMs = Math.round(random.logNormal(110, 1.7));
    const success = { status: 200, answer: 'success', error: null, durationMs };
    attempts.push({ id: ids.next(new Date(at)), at: new Date(at), ...success, nonce: randomUUID() });
    at += durationMs;
  }
  return {
    callbackId: ids.next(paidAt),
    attempts,
    status: exhausted ? COLLECTION_STATUS.callbackFailed : COLLECTION_STATUS.callbackSucceeded,
    endedAt: new Date(at),
  };
}
