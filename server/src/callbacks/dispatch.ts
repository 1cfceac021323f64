import { gather } from '../platform/db/gather.ts';
import type { Platform } from '../platform/platform.ts';
import { createSlots } from './slots.ts';
import type { ClaimedCallback, MadeAttempt, OutcomeListener } from './callback.ts';
import { makeAttempt, recordMade } from './record.ts';
import { LEASE, type Sender } from './send.ts';
import { claimCallbacks, type Mark } from './store.ts';

/** How long a due callback may wait for the next claim, in ms. */
const POLL = 200;
/** Places that become free within this many ms are filled by one claim … */
const GATHER = 40;
/**
 * … which starts earlier when half of the running attempts are answered, if there are at least this many: the other half keeps
 * the node busy.
 */
const WORTH_A_CLAIM = 100;
/**
 * Answers are recorded in batches, at most two at a time. Claim and record cost the database 300 µs a callback in batches of
 * 25, 130 µs in batches of 125, 110 µs in batches of 250 (measured).
 */
const RECORDING = { batch: 512, inFlight: 2, delay: 40 };

/**
 * Delivers due callbacks until stopped. The outbox table holds the state, so any number of nodes may run a dispatcher. Claims
 * nothing while `mayDecide` answers no.
 */
export function startDispatcher(
  platform: Platform,
  sender: Sender,
  onOutcomes: OutcomeListener,
  mayDecide: () => boolean = () => true,
): { stop(): Promise<void> } {
  const places = createSlots();
  const running = new Set<Promise<void>>();
  const record = gather(async (made: readonly MadeAttempt[]) => {
    await recordMade(platform, made, onOutcomes);
    return made.map(() => undefined);
  }, RECORDING);
  let stopped = false;
  let unanswered = 0;
  let wake = () => {};
  const marks = new Map<bigint, Mark>();
  let lookedAt = -Infinity;

  async function start(callback: ClaimedCallback, secret: string): Promise<void> {
    const place = places.take(callback.merchantId, performance.now());
    unanswered += 1;
    try {
      const made = await makeAttempt(platform, sender, callback, secret).finally(() => (unanswered -= 1));
      places.answered(place, performance.now());
      wake();
      await record(made);
    } catch (error) {
      // The row keeps its lease and is tried again when the lease ends.
      platform.log.error({ err: error, callbackId: String(callback.id) }, 'callback attempt not recorded');
    } finally {
      places.leave(place);
    }
  }

  /** Claims for merchants whose last claim filled their places; for all merchants where there are none, or after `POLL`. */
  async function claim(): Promise<ClaimedCallback[]> {
    const now = performance.now();
    const room = places.room(now);
    if (room.total === 0 || !mayDecide()) return [];
    const most = (merchantId: bigint) => room.known.get(merchantId) ?? room.perMerchant;
    const after = new Map([...marks].filter(([merchantId]) => most(merchantId) > 0));
    const isWhole = after.size === 0 || now - lookedAt >= POLL;
    if (isWhole) lookedAt = now;
    try {
      const limits = { ...room, leaseMs: LEASE };
      const claimed = await claimCallbacks(platform, isWhole ? limits : { ...limits, after });
      for (const merchantId of after.keys()) marks.delete(merchantId);
      for (const [merchantId, own] of Map.groupBy(claimed, (callback) => callback.merchantId))
        if (own.length === most(merchantId)) marks.set(merchantId, own.at(-1)!);
      return claimed;
    } catch (error) {
      platform.log.warn({ err: error }, 'callbacks could not be claimed');
      return [];
    }
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      const secrets = new Map<bigint, string>();
      for (const callback of await claim()) {
        const { merchantId, merchant } = callback;
        // Opened once for each merchant: opening costs as much as signing.
        const secret =
          secrets.get(merchantId) ?? platform.vault.open(merchant.secret, ['merchants.secret', merchantId]);
        secrets.set(merchantId, secret);
        const task: Promise<void> = start(callback, secret).finally(() => {
          running.delete(task);
          wake();
        });
        running.add(task);
      }
      await untilWoken();
    }
  }

  /** Waits until places become free (and a little longer, for more of them), or until the next poll. */
  function untilWoken(): Promise<void> {
    const half = unanswered / 2;
    const enough = half < WORTH_A_CLAIM ? 0 : half;
    return new Promise((resolve) => {
      let timer = setTimeout(resolve, POLL);
      let wait: number = POLL;
      wake = () => {
        const shorter = stopped || unanswered <= enough ? 0 : GATHER;
        if (shorter >= wait) return;
        wait = shorter;
        clearTimeout(timer);
        timer = setTimeout(resolve, wait);
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
