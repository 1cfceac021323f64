import { gather } from '../platform/db/gather.ts';
import type { Platform } from '../platform/platform.ts';
import { createSlots } from './slots.ts';
import type { ClaimedCallback, MadeAttempt, OutcomeListener } from './callback.ts';
import { makeAttempt, recordMade } from './record.ts';
import { LEASE, type Sender } from './send.ts';
import { claimCallbacks, type Mark } from './store.ts';

/** How long a due callback may wait for the next look. */
const POLL = 200;
/** Places that become free within so long are filled by one claim … */
const GATHER = 40;
/** … which begins earlier when half of those under way are answered, if that many are worth it: the other half keeps the node busy. */
const WORTH_A_CLAIM = 100;
/**
 * Answers are recorded together, two times at once. Claim and record cost the database 300 µs a callback for 25 at a time, 130
 * for 125, 110 for 250 (measured).
 */
const RECORDING = { batch: 512, inFlight: 2, delay: 40 };

/**
 * Delivers what is due until stopped; the outbox table is the truth, so any number of nodes may run one. Claims nothing
 * while `mayDecide` says no.
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
      // The row keeps its lease and is tried again when it ends.
      platform.log.error({ err: error, callbackId: String(callback.id) }, 'callback attempt not recorded');
    } finally {
      places.leave(place);
    }
  }

  /** Of merchants that had more due than they may be sent at once each time; of all, when there is none of those or `POLL` is over. */
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
        // Opened once a merchant: it costs as much as signing.
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

  /** Until places become free (and a little longer, for more of them), or it is time to look again. */
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
