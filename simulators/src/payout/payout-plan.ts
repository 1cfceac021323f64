import { createPrng } from '../prng.ts';

/** How a payout comes to its end. */
export const PAYOUT_COURSES = [
  /** A supplier claims it, pays and confirms it. */
  'paid',
  /** Two suppliers claim it at once: one may pay. */
  'contested',
  /** The first supplier hands it back, another one pays. */
  'handedOn',
  /** A supplier claims and pays it, the desk confirms. */
  'confirmedByDesk',
  /** The desk refuses it: refunded. */
  'rejected',
  /** The merchant takes it back before anybody claims it. */
  'cancelled',
] as const;

export type PayoutCourse = (typeof PAYOUT_COURSES)[number];

/** What will happen to one payout, decided before it is made, from the seed and its index alone. */
export interface PayoutPlan {
  readonly index: number;
  /** Milliseconds after the start of the run. */
  readonly createAtMs: number;
  readonly merchant: number;
  /** Paise. */
  readonly amount: number;
  readonly format: 'json' | 'form';
  readonly payeeName: string;
  readonly course: PayoutCourse;
  /** Whether the bank tells of the debit before the supplier confirms, after it, or never: then the desk accepts proof. */
  readonly debit: 'before' | 'after' | 'never';
  /** Whose turn it is first; the next one is the rival. */
  readonly supplier: number;
  readonly variant: number;
  readonly delayMs: number;
}

export interface PayoutPlanOptions {
  readonly seed: number;
  readonly payouts: number;
  readonly durationMs: number;
  readonly mischief: number;
  readonly merchants: number;
}

const NAMES = ['Asha Rao', 'Ravi Kumar', 'Sunita Patil', 'Imran Khan', 'Priya Nair', 'Joseph Das'];

export function planPayouts(options: PayoutPlanOptions): PayoutPlan[] {
  return Array.from({ length: options.payouts }, (_, index) => {
    const random = createPrng(options.seed, -3, index);
    const { mischief } = options;
    return {
      index,
      createAtMs: random.int(0, options.durationMs),
      merchant: random.int(0, options.merchants - 1),
      amount: random.int(25, 400) * 10_00,
      format: random.pick(['json', 'form'] as const),
      payeeName: random.pick(NAMES),
      course: random.weighted([
        ['paid', 60],
        ['contested', 5 + 20 * mischief],
        ['handedOn', 20 * mischief],
        ['confirmedByDesk', 5 + 10 * mischief],
        ['rejected', 3 + 10 * mischief],
        ['cancelled', 3 + 10 * mischief],
      ] as const),
      debit: random.weighted([
        ['before', 45],
        ['after', 45],
        ['never', 20 * mischief],
      ] as const),
      supplier: random.int(0, 99),
      variant: random.int(0, 59),
      delayMs: random.int(200, 2_500),
    };
  });
}
