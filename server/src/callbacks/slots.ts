import { SECOND } from '../platform/clock.ts';

/** Attempts under way to merchants that answer; beyond that the database is the limit, not the waiting. */
const QUICK_PLACES = 2048;
/**
 * A merchant that answers at once gets far with these (with half as many, claims and records are so small that a callback takes
 * an eighth to a sixth more of the processors; with twice as many no less: measured) …
 */
const QUICK_PER_MERCHANT = 128;
/** … and has these until it did so once. */
const FIRST_PER_MERCHANT = 8;
/** Attempts under way to merchants that are slow to answer: they wait, which costs a socket each and no work. */
const SLOW_PLACES = 256;
const SLOW_PER_MERCHANT = 8;
/** Without an answer for so long, a merchant is slow … */
const SLOW_AFTER = SECOND;
/** … and stays it for so long after the last time, unless it answers quickly before. */
const SLOW_FOR = 60 * SECOND;

/** An attempt under way. */
export interface Place {
  readonly merchantId: bigint;
  readonly since: number;
  /** Told its answer, and now waiting to be recorded. */
  answered: boolean;
}

export interface Room {
  readonly total: number;
  readonly perMerchant: number;
  /** Merchants that may have more or fewer, and how many. */
  readonly known: ReadonlyMap<bigint, number>;
}

/**
 * Who holds this node's places. Merchants that do not answer have places of their own, so that however many of them
 * there are they keep nobody else waiting, except for the second in which they are found out. Times are in ms of a
 * clock that only goes forward.
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

    /** The merchant is done with; the place is free for it again once `leave` is called. */
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
