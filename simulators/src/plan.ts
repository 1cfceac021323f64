import type { Reaction } from './merchant/merchant-endpoint.ts';
import { createPrng, type Prng } from './prng.ts';

/** What will happen to one order. Decided before the order is made, from the seed and its index alone. */
export interface OrderPlan {
  readonly index: number;
  /** Milliseconds after the start of the run. */
  readonly createAtMs: number;
  readonly merchant: number;
  readonly productId: number;
  /** Paise. */
  readonly amount: number;
  readonly format: 'json' | 'form';
  /** JSON bodies carry the amount as text, not as a number. */
  readonly amountAsText: boolean;
  readonly payerName: string;
  readonly payer: PayerPlan;
  readonly bank: BankPlan;
  readonly endpoint: EndpointPlan;
  readonly desk: DeskPlan;
  /** A forged message without money behind it. The forger guesses the balance ('blind') or knows it ('insider'). */
  readonly forged: 'blind' | 'insider' | null;
  /** The forger is the order's supplier, who also supplements the order: out of its deposit, or as an offset, which charges nobody. */
  readonly colludes: 'deposit' | 'offset' | null;
}

/**
 * What the desk does with the order. supplement: the bank's message never comes, and the desk completes the order with the payer's
 * UTR. otherAmount, otherAccount: the same, and then the bank reports this UTR with another sum or account. reverse: the paid
 * order is reversed, on an admin's request.
 */
export type DeskPlan = 'nothing' | 'supplement' | 'otherAmount' | 'otherAccount' | 'reverse';

export interface PayerPlan {
  /** exact: the amount shown. rounded: without the paise that make it unique. wrong: another sum. never: not at all. */
  readonly pays: 'exact' | 'rounded' | 'wrong' | 'never';
  readonly delayMs: number;
  /** Whether and when the payer types a UTR on the page. mistyped: another number. */
  readonly utr: 'none' | 'beforeMessage' | 'afterMessage' | 'mistyped';
}

export interface BankPlan {
  /** Chooses among the bank's wordings. */
  readonly variant: number;
  readonly reference: 'rrn' | 'neft' | 'none';
  /** The payer puts our identify code into the remark, which the bank prints beside the name. */
  readonly remark: boolean;
  readonly delayMs: number;
  /** The message is reported again under the same id, or as a second message about the same movement. */
  readonly repeats: readonly ('sameId' | 'secondTelling')[];
  /** The bank reports the movement again in another wording: it prints the UTR where the first does not, or the other way round. */
  readonly reworded: { readonly printsUtr: boolean; readonly afterMs: number } | null;
}

export type EndpointPlan =
  | 'success'
  | 'failsOnce'
  | 'failsTwice'
  | 'slow'
  | 'tooSlowOnce'
  | 'answersErrors'
  | 'hangs';

export interface PlanOptions {
  readonly seed: number;
  readonly orders: number;
  /** Orders per second, on average. */
  readonly rate: number;
  /** From 0 (everybody behaves) to 1 (hardly anybody does). */
  readonly mischief: number;
  readonly merchants: number;
  readonly products: readonly number[];
}

const PRODUCT_WEIGHTS: Readonly<Record<number, number>> = { 1010: 55, 1012: 15, 1001: 10, 1021: 12, 1023: 8 };
/** Products with a higher lowest amount than the others. */
const LARGE_PRODUCTS: ReadonlySet<number> = new Set([1001, 1012]);
const NEFT_PRODUCT = 1012;

const NAMES = [
  'Asha Rao',
  'Ravi Kumar',
  'Sunita Patil',
  'Imran Khan',
  'Priya Nair',
  'Joseph Das',
  'Neha Gupta',
  'Anil Joshi',
];

export function planOrders(options: PlanOptions): OrderPlan[] {
  const arrivals = createPrng(options.seed, 0);
  let at = 0;
  return Array.from({ length: options.orders }, (_, index) => {
    at += (-Math.log(1 - arrivals.next()) / options.rate) * 1_000;
    return planOrder(options, index, Math.floor(at));
  });
}

function planOrder(options: PlanOptions, index: number, createAtMs: number): OrderPlan {
  const random = createPrng(options.seed, index + 1);
  const products = options.products.map((id) => [id, PRODUCT_WEIGHTS[id] ?? 0] as const);
  const productId = random.weighted(products);
  const rupees = random.int(LARGE_PRODUCTS.has(productId) ? 50 : 10, 300) * 10;
  const plan = {
    index,
    createAtMs,
    merchant: random.int(0, options.merchants - 1),
    productId,
    amount: rupees * 100,
    format: random.pick(['json', 'form'] as const),
    amountAsText: random.chance(0.5),
    payerName: random.pick(NAMES),
    payer: planPayer(random, options.mischief),
    bank: planBank(random, options.mischief, productId),
    endpoint: planEndpoint(random, options.mischief),
  };
  const desk = planDesk(random, options.mischief, plan.payer);
  const forged = random.weighted([
    [null, 100],
    ['blind', 15 * options.mischief],
    ['insider', 15 * options.mischief],
  ] as const);
  if (plan.payer.pays !== 'never' || forged === null) return { ...plan, desk, forged: null, colludes: null };
  const colludes = random.weighted([
    [null, 40],
    ['deposit', 40],
    ['offset', 20],
  ] as const);
  // Forging pays only for sums that the chain checks: 10,000 rupees and above.
  return { ...plan, desk, forged, colludes, amount: plan.amount + 12_000_00 };
}

function planDesk(random: Prng, mischief: number, payer: PayerPlan): DeskPlan {
  const desk = random.weighted([
    ['nothing', 100],
    ['supplement', 10 * mischief],
    ['otherAmount', 3 * mischief],
    ['otherAccount', 3 * mischief],
    ['reverse', 16 * mischief],
  ] as const);
  return payer.pays === 'exact' ? desk : 'nothing';
}

function planPayer(random: Prng, mischief: number): PayerPlan {
  const pays = random.weighted([
    ['exact', 100],
    ['never', 4 + 24 * mischief],
    ['rounded', 14 * mischief],
    ['wrong', 8 * mischief],
  ] as const);
  const late = random.chance(0.25 * mischief);
  const utr = random.weighted([
    ['none', 70],
    ['beforeMessage', 12],
    ['afterMessage', 10],
    ['mistyped', 8 * mischief],
  ] as const);
  return { pays, delayMs: late ? random.int(8_000, 20_000) : random.int(800, 5_000), utr };
}

function planBank(random: Prng, mischief: number, productId: number): BankPlan {
  const late = random.chance(0.2 * mischief);
  const reworded = random.chance(0.1 * mischief)
    ? { printsUtr: random.chance(0.5), afterMs: random.int(60_000, 120_000) }
    : null;
  return {
    variant: random.int(0, 59),
    reference: random.weighted([
      ['rrn', 80],
      ['neft', productId === NEFT_PRODUCT ? 60 : 0],
      ['none', reworded ? 0 : 30 * mischief],
    ] as const),
    remark: random.chance(productId === NEFT_PRODUCT ? 0.6 : 0.25),
    delayMs: late ? random.int(5_000, 15_000) : random.int(200, 2_500),
    repeats: [
      ...(random.chance(0.2 * mischief) ? (['sameId'] as const) : []),
      ...(random.chance(0.15 * mischief) ? (['secondTelling'] as const) : []),
    ],
    reworded,
  };
}

function planEndpoint(random: Prng, mischief: number): EndpointPlan {
  return random.weighted([
    ['success', 100],
    ['failsOnce', 10 * mischief],
    ['failsTwice', 4 * Math.max(0, mischief - 0.5)],
    ['slow', 8 * mischief],
    ['tooSlowOnce', 1.5 * mischief],
    ['answersErrors', 3 * mischief],
    ['hangs', 1 * mischief],
  ] as const);
}

/** How the merchant's program reacts to the given attempt. */
export function reactionOf(plan: OrderPlan, attempt: number): Reaction {
  const failure = { kind: 'error', status: 500, body: 'Internal Server Error' } as const;
  const success = { kind: 'success' } as const;
  switch (plan.endpoint) {
    case 'success':
      return success;
    case 'failsOnce':
      return attempt > 1 ? success : failure;
    case 'failsTwice':
      return attempt > 2 ? success : failure;
    case 'slow':
      return { kind: 'slow', delayMs: 2_000 + (plan.index % 7) * 1_000 };
    case 'tooSlowOnce':
      return attempt > 1 ? success : { kind: 'slow', delayMs: 12_000 };
    case 'answersErrors':
      return plan.index % 2 === 0 ? failure : { kind: 'error', status: 200, body: 'fail' };
    case 'hangs':
      return { kind: 'hang' };
  }
}

export function neverAcknowledges(plan: OrderPlan): boolean {
  return plan.endpoint === 'answersErrors' || plan.endpoint === 'hangs';
}
