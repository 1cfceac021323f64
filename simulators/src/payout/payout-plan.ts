import type { GatewayEnd } from '../gateway/ends.ts';
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
  /** The platform sends it through its gateway. */
  'gateway',
  /** It waits for a bulk file of a bank. */
  'batch',
  /** A supplier claims it, pays nobody, and confirms it with a UTR of its own making. */
  'invented',
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
  readonly gatewayEnd: GatewayEnd;
  /** What the bank answers to the file: paid, under way at first, failed and tried again, or failed and refunded. */
  readonly batchEnd: 'paid' | 'later' | 'retried' | 'refused';
  /** Taken back in the end, by a superAdmin or by an admin with approval. */
  readonly takenBack: 'no' | 'byOne' | 'byTwo';
}

export interface PayoutPlanOptions {
  readonly seed: number;
  readonly payouts: number;
  readonly durationMs: number;
  readonly mischief: number;
  readonly merchants: number;
  /** Whether payouts also go through the gateway and by bulk files, and are taken back; else suppliers pay all. */
  readonly everyWay?: boolean;
}

/** Paise. What is paid by bulk files is of a size of its own, so that a batch finds it. */
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
        ['no', 90],
        ['byOne', 6 * ways],
        ['byTwo', 6 * ways],
      ] as const),
    };
    return plan.course === 'batch'
      ? { ...plan, amount: random.int(BATCH_AMOUNTS.min / 100, BATCH_AMOUNTS.max / 100) * 100 }
      : plan;
  });
}
