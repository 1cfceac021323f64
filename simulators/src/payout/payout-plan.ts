import type { GatewayEnd } from '../gateway/ends.ts';
import { createPrng } from '../prng.ts';

/** The course of a payout. */
export const PAYOUT_COURSES = [
  /** A supplier claims it, pays and confirms it. */
  'paid',
  /** Two suppliers claim it at the same time; one of them may pay. */
  'contested',
  /** The first supplier gives it back, another one pays. */
  'handedOn',
  /** A supplier claims and pays it; the desk confirms. */
  'confirmedByDesk',
  /** The desk rejects it, and the merchant is refunded. */
  'rejected',
  /** The merchant cancels it before anybody claims it. */
  'cancelled',
  /** The platform sends it through its gateway. */
  'gateway',
  /** It waits for a bank's bulk file. */
  'batch',
  /** A supplier claims it, pays nobody, and confirms it with an invented UTR. */
  'invented',
] as const;

export type PayoutCourse = (typeof PAYOUT_COURSES)[number];

/** What will happen to one payout. Decided before the payout is made, from the seed and its index alone. */
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
  /**
   * Whether the bank's text about the debit is reported before the supplier confirms, after that, or never. In the last case the
   * desk accepts proof.
   */
  readonly debit: 'before' | 'after' | 'never';
  /** Index of the first supplier; the next one is the rival. */
  readonly supplier: number;
  readonly variant: number;
  readonly delayMs: number;
  readonly gatewayEnd: GatewayEnd;
  /** The bank's answer to the file: paid, in progress at first, failed and retried, or failed and refunded. */
  readonly batchEnd: 'paid' | 'later' | 'retried' | 'refused';
  /** Reversed at the end, on an admin's request. */
  readonly takenBack: boolean;
}

export interface PayoutPlanOptions {
  readonly seed: number;
  readonly payouts: number;
  readonly durationMs: number;
  readonly mischief: number;
  readonly merchants: number;
  /** Payouts also go through the gateway and by bulk files, and some are reversed. Otherwise suppliers pay all of them. */
  readonly everyWay?: boolean;
}

/** Paise. Payouts for bulk files have amounts of their own, so that a batch finds them. */
export const BATCH_AMOUNTS = { min: 5_000_00, max: 6_000_00 } as const;

const NAMES = ['Asha Rao', 'Ravi Kumar', 'Sunita Patil', 'Imran Khan', 'Priya Nair', 'Joseph Das'];

export function planPayouts(options: PayoutPlanOptions): PayoutPlan[] {
  return Array.from({ length: options.payouts }, (_, index) => {
    const random = createPrng(options.seed, -3, index);
    const { mischief, everyWay = false } = options;
    const ways = everyWay ? 1 : 0;
    const plan: PayoutPlan = {
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
        ['gateway', 30 * ways],
        ['batch', 30 * ways],
        ['invented', 8 * mischief],
      ] as const),
      debit: random.weighted([
        ['before', 45],
        ['after', 45],
        ['never', 20 * mischief],
      ] as const),
      supplier: random.int(0, 99),
      variant: random.int(0, 59),
      delayMs: random.int(200, 2_500),
      gatewayEnd: random.weighted([
        ['success', 50],
        ['failed', 5 + 10 * mischief],
        ['refused', 5 + 10 * mischief],
        ['stuck', 10 * mischief],
        ['errorAfter', 20 * mischief],
        ['silentAfter', 20 * mischief],
        ['tornAfter', 20 * mischief],
        ['errorBefore', 10 * mischief],
      ] as const),
      batchEnd: random.weighted([
        ['paid', 50],
        ['later', 10 + 10 * mischief],
        ['retried', 5 + 20 * mischief],
        ['refused', 5 + 10 * mischief],
      ] as const),
      takenBack: random.weighted([
        [false, 90],
        [true, 12 * ways],
      ] as const),
    };
    return plan.course === 'batch'
      ? { ...plan, amount: random.int(BATCH_AMOUNTS.min / 100, BATCH_AMOUNTS.max / 100) * 100 }
      : plan;
  });
}
