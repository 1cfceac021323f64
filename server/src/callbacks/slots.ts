import { SECOND } from '../platform/clock.ts';

/** Attempts at once to merchants that answer. With more, the database is the limit, not the waiting. */
const QUICK_PLACES = 2048;
/**
 * Enough for a merchant that answers at once (measured: with half as many, claims and records become so small that a callback
 * takes an eighth to a sixth more processor time; with twice as many it takes no less) …
 */
const QUICK_PER_MERCHANT = 128;
/** … and this many until it has answered quickly once. */
const FIRST_PER_MERCHANT = 8;
/** Attempts at once to merchants that answer slowly. They mostly wait, which costs a socket each and no work. */
const SLOW_PLACES = 256;
const SLOW_PER_MERCHANT = 8;
/** A merchant is slow when an attempt has no answer for this long … */
const SLOW_AFTER = SECOND;
/** … and stays slow for this long after the last such attempt, unless it answers quickly before. */
const SLOW_FOR = 60 * SECOND;

/** An attempt under way. */
export interface Place {
  readonly merchantId: bigint;
  readonly since: number;
  /** The attempt is answered and waits to be recorded. */
  answered: boolean;
}

export interface Room {
  readonly total: number;
  readonly perMerchant: number;
  /** Merchants that may have more or fewer than `perMerchant`, and how many. */
  readonly known: ReadonlyMap<bigint, number>;
}

/**
 * Who holds this node's places. Slow merchants have their own places. So any number of them delays the others only for the
 * second until they count as slow. Times are in ms of a clock that only goes forward.
 */
export function createSlots() {
  const held = new Set<Place>();
  const slowUntil = new Map<bigint, number>();
  const quick = new Set<bigint>();
  const isSlow = (place: Place, now: number) =>
    (slowUntil.get(place.merchantId) ?? 0) > now || (!place.answered && now - place.since > SLOW_AFTER);

  return {
    take(merchantId: bigint, now: number): Place {
      const place = { merchantId, since: now, answered: false };
      held.add(place);
      return place;
    },

    /** The merchant has answered. Its place becomes free once `leave` is called. */
    answered(place: Place, now: number): void {
      place.answered = true;
      const { merchantId } = place;
      if (now - place.since > SLOW_AFTER) {
        quick.delete(merchantId);
        slowUntil.set(merchantId, now + SLOW_FOR);
      } else {
        quick.add(merchantId);
        slowUntil.delete(merchantId);
      }
    },

    leave(place: Place): void {
      held.delete(place);
    },

    /** What may be started now. */
    room(now: number): Room {
      for (const [merchantId, until] of slowUntil) if (until <= now) slowUntil.delete(merchantId);
      const waiting = new Map<bigint, number>();
      const late = new Set(slowUntil.keys());
      let slowSlots = 0;
      for (const place of held) {
        if (isSlow(place, now)) {
          slowSlots += 1;
          late.add(place.merchantId);
        }
        if (!place.answered) waiting.set(place.merchantId, (waiting.get(place.merchantId) ?? 0) + 1);
      }
      const mostOf = (merchantId: bigint) => {
        if (late.has(merchantId)) return slowSlots < SLOW_PLACES ? SLOW_PER_MERCHANT : 0;
        return quick.has(merchantId) ? QUICK_PER_MERCHANT : FIRST_PER_MERCHANT;
      };
      const known = new Map(
        [...new Set([...quick, ...late, ...waiting.keys()])].map((merchantId) => [
          merchantId,
          Math.max(0, mostOf(merchantId) - (waiting.get(merchantId) ?? 0)),
        ]),
      );
      const total = Math.max(0, QUICK_PLACES - (held.size - slowSlots));
      return { total, perMerchant: FIRST_PER_MERCHANT, known };
    },
  };
}
