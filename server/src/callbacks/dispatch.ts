import { HOUR, MINUTE, SECOND } from '../clock.ts';
import type { Tx } from '../db/database.ts';
import { timed } from '../monitoring/stage-times.ts';
import type { Platform } from '../platform.ts';
import type { Sender } from './send.ts';
import { claimCallbacks, recordAttempt, type ClaimedCallback } from './store.ts';

/** Wait before each attempt: the first at once, then as domain.md says; after the last the callback is exhausted. */
export const SCHEDULE = [
  0,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  6 * HOUR,
] as const;

const MAX_IN_FLIGHT = 64;
/** A dead merchant holds at most so many of this node's places, for at most the sender's time-out. */
const PER_MERCHANT = 4;
/** Longer than an attempt can last; a node killed in between leaves its rows to others after it. */
const LEASE = 30 * SECOND;
const POLL = 200;

export type CallbackOutcome = 'succeeded' | 'failed' | 'exhausted';

/** Told, in the transaction that records the attempt, what it means for the order. */
export type OutcomeListener = (
  platform: Platform,
  tx: Tx,
  callback: ClaimedCallback,
  outcome: CallbackOutcome,
) => Promise<void>;

/** Sends one leased callback and records the attempt together with what follows from it. */
export async function deliver(
  platform: Platform,
  sender: Sender,
  callback: ClaimedCallback,
  onOutcome: OutcomeListener,
): Promise<CallbackOutcome> {
  const attempt = await timed(platform, 'callback', () =>
    sender.send({ ...callback, secret: platform.vault.open(callback.secret) }, platform.clock.now()),
  );
  const tries = callback.attempts + 1;
  const wait = SCHEDULE[tries];
  const outcome = attempt.acknowledged ? 'succeeded' : wait === undefined ? 'exhausted' : 'failed';
  const next = {
    state: outcome === 'succeeded' ? 1 : outcome === 'exhausted' ? 2 : 0,
    at: new Date(platform.clock.now().getTime() + (outcome === 'failed' ? wait! : 0)),
  } as const;
  await platform.db.tx(async (tx) => {
    await recordAttempt(platform, tx, callback, attempt, next);
    await onOutcome(platform, tx, callback, outcome);
  });
  return outcome;
}

/** Delivers what is due until stopped; the outbox table is the truth, so any number of nodes may run one. */
export function startDispatcher(
  platform: Platform,
  sender: Sender,
  onOutcome: OutcomeListener,
): { stop(): Promise<void> } {
  const inFlight = new Map<bigint, number>();
  const running = new Set<Promise<void>>();
  let stopped = false;
  let wake = () => {};

  async function start(callback: ClaimedCallback): Promise<void> {
    const { merchantId } = callback;
    inFlight.set(merchantId, (inFlight.get(merchantId) ?? 0) + 1);
    try {
      await deliver(platform, sender, callback, onOutcome);
    } catch (error) {
      // The row keeps its lease and is tried again when it ends.
      platform.log.error({ err: error, callbackId: String(callback.id) }, 'callback attempt not recorded');
    } finally {
      const left = inFlight.get(merchantId)! - 1;
      if (left === 0) inFlight.delete(merchantId);
      else inFlight.set(merchantId, left);
    }
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      const room = MAX_IN_FLIGHT - running.size;
      const busy = [...inFlight]
        .filter(([, count]) => count >= PER_MERCHANT)
        .map(([merchantId]) => merchantId);
      const limits = { total: room, perMerchant: PER_MERCHANT, leaseMs: LEASE };
      const claimed =
        room === 0
          ? []
          : await claimCallbacks(platform.db, platform.clock.now(), limits, busy).catch((error: unknown) => {
              platform.log.warn({ err: error }, 'callbacks could not be claimed');
              return [];
            });
      for (const callback of claimed) {
        const task: Promise<void> = start(callback).finally(() => {
          running.delete(task);
          wake();
        });
        running.add(task);
      }
      if (claimed.length === 0) await pause();
    }
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  const done = loop();
  return {
    async stop() {
      stopped = true;
      wake();
      await done;
      await Promise.all(running);
    },
  };
}
