import { businessDay } from '@sangam/contract/time.ts';
import {
  limitReached,
  refusalOf,
  standingRefusal,
  type Candidate,
  type DepositRoom,
} from '../accounts/candidates.ts';
import { addLoad, lockLoad, type PayeeAccount } from '../accounts/load.ts';
import type { AllocationPool } from '../accounts/allocation-pool.ts';
import { MINUTE } from '../platform/clock.ts';
import type { Tx } from '../platform/db/database.ts';
import { perPlatform } from '../platform/node-state.ts';
import type { Platform } from '../platform/platform.ts';
import type { TermsDay, TermsDayOf } from '../terms/products/terms-day.ts';
import type { SettingValues } from '../platform/settings/settings.ts';
import { writeRuns } from './allocation-runs.ts';
import { insertWaiting, takenAmounts, type AmountSpan } from './store.ts';
import type { WaitingOrder } from './waiting.ts';

/** An order that needs an account. */
export interface AllocationRequest {
  readonly orderId: bigint;
  readonly merchantId: bigint;
  readonly productId: number;
  readonly currency: string;
  readonly amount: bigint;
  readonly identifyCode: string;
  readonly userName: string | null;
  readonly payerUtr: string | null;
  /** Account to pass over (reselect). */
  readonly avoid: bigint | null;
}

/** What an order's history keeps of its allocation; `candidatesOf` reads it back. */
export interface Explanation {
  /** The allocation run it was part of. */
  readonly run: string;
  /**
   * By account: what spoke against it for this order, or 'chosen'; where LimitMode only warns, 'chosenPastCount' or
   * 'chosenPastAmount'.
   */
  readonly verdicts: Readonly<Record<string, string>>;
}

export interface Allocation {
  readonly waiting: WaitingOrder | null;
  /** What counts towards the limits of the chosen supplier's terms. */
  readonly supplierDay: TermsDay | undefined;
  /** The account it waits on, as its payer is told. */
  readonly payee: PayeeAccount | undefined;
  readonly explanation: Explanation;
}

/** The days of the pool's suppliers an order could count towards. */
export function supplierDays({ candidates }: AllocationPool, day: string): TermsDayOf[] {
  return candidates.map(({ supplierId, productId, supplierDay }) => ({
    ownerKind: 'supplier',
    ownerId: supplierId,
    productId,
    day,
    termsDay: supplierDay,
  }));
}

/** What speaks for the numbers of the orders to be placed. */
export interface Claims {
  /** Answers the orders that are to be placed after all; the others are not in the allocation's answer. */
  ask(): Promise<ReadonlySet<bigint>>;
  /** Takes it for granted that all are: the transaction is run again if not. */
  assert_or_retry(): void;
}

/** Amounts read along with the pool for an order that comes alone, because its choice could be guessed. */
export interface Guess {
  readonly span: AmountSpan;
  readonly taken: Map<bigint, Set<bigint>>;
}

const lastPools = perPlatform(() => new Map<number, AllocationPool>());

/** What an order would be given if nothing had happened since this node last allocated. */
export async function guessSpan(
  platform: Platform,
  request: AllocationRequest,
  at: Date,
): Promise<AmountSpan | undefined> {
  const pool = lastPools(platform).get(request.productId);
  if (!pool) return undefined;
  const settings = await platform.settings.all();
  const candidates = pool.candidates.filter((candidate) => !standingRefusal(candidate, at, settings));
  const state = new Search(request, { at, settings, candidates, rooms: pool.rooms });
  return state.choose() ? state.span() : undefined;
}

export interface Allocations {
  readonly byOrder: ReadonlyMap<bigint, Allocation>;
  /** To be called once the transaction has committed. */
  readonly committed: () => void;
}

/** Times an order looks again when its account turned out full under the lock. */
const MAX_ROUNDS = 8;

/**
 * Finds an account and a unique payable amount for each order, in the caller's transaction. Candidates are read
 * without locks and chosen by weight, then least recently used; the chosen accounts are then locked in id order and
 * looked at again, so neither a stale read nor a skipped row can say 'no account' while one is free. Where the guess was right,
 * the order is written at once, insisting on what would have been looked at again.
 */
export async function allocate(
  platform: Platform,
  tx: Tx,
  requests: readonly AllocationRequest[],
  at: Date,
  pool: AllocationPool,
  how: { readonly claims?: Claims; readonly guess?: Guess | undefined } = {},
): Promise<Allocations> {
  const { candidates, rooms } = pool;
  let { claims } = how;
  const { guess } = how;
  const settings = await platform.settings.all();
  const usageOf = new Map(candidates.map((candidate) => [candidate.accountId, candidate.usage]));
  const standing = candidates.map((candidate) => standingRefusal(candidate, at, settings));
  const open = candidates.filter((_, index) => standing[index] === undefined);
  const search = { at, settings, candidates: open, rooms };
  let states = requests.map((request) => new Search(request, search));
  let claimed: Promise<ReadonlySet<bigint>> | undefined;
  const place = (searching: readonly Search[], taken: Guess['taken']): void => {
    for (const state of searching) state.settle(taken);
    const placed = searching.flatMap((state) => (state.waiting ? [state.waiting] : []));
    addLoad(tx, placed, (accountId) => usageOf.get(accountId)!, businessDay(at), at);
    insertWaiting(tx, placed);
  };

  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const choosing = states.filter((state) => state.choose());
    if (choosing.length === 0) break;
    if (guess && round === 0 && states.length === 1 && states[0]!.wouldTake(guess.span)) {
      claims?.assert_or_retry();
      claims = undefined;
      place(choosing, guess.taken);
      continue;
    }
    claimed ??= claims?.ask();
    const chosen = [...new Set(choosing.map((state) => state.choice!.accountId))];
    // The amounts are read once the locks are held: statements of a transaction run in the order they are sent.
    const [locked, taken, mine] = await Promise.all([
      lockLoad(tx, chosen, businessDay(at)),
      takenAmounts(
        tx,
        choosing.map((state) => state.span()),
        choosing.map(({ orderId }) => orderId),
        at,
      ),
      claimed,
    ]);
    const searching = mine ? choosing.filter((state) => mine.has(state.orderId)) : choosing;
    if (mine) states = states.filter((state) => mine.has(state.orderId));
    for (const { accountId, waitingCount, dayOrders, dayAmount } of locked) {
      Object.assign(usageOf.get(accountId)!, { waitingCount, dayOrders, dayAmount });
    }
    place(searching, taken);
  }
  const mine = await (claimed ?? claims?.ask());
  if (mine) states = states.filter((state) => mine.has(state.orderId));
  const runs = states.length > 0 ? writeRuns(platform, tx, candidates, standing, at) : undefined;
  const byOrder = new Map(
    states.map((state) => [
      state.orderId,
      {
        waiting: state.waiting,
        supplierDay: state.waiting ? state.choice?.supplierDay : undefined,
        payee: state.waiting ? state.choice?.payee : undefined,
        explanation: { run: runs?.ids.get(state.productId)?.toString() ?? '', verdicts: state.verdicts() },
      },
    ]),
  );
  const committed = () => {
    for (const { productId } of requests) lastPools(platform).set(productId, pool);
    runs?.remember();
  };
  return { byOrder, committed };
}

interface SearchContext {
  readonly at: Date;
  readonly settings: SettingValues;
  readonly candidates: readonly Candidate[];
  readonly rooms: ReadonlyMap<string, DepositRoom>;
}

/** The search of one order: undecided → a choice under test → placed on an account, or out of candidates. */
class Search {
  readonly #request: AllocationRequest;
  readonly #context: SearchContext;
  readonly #candidates: readonly Candidate[];
  readonly #room: DepositRoom;
  readonly #verdicts = new Map<bigint, string>();
  choice: Candidate | undefined;
  waiting: WaitingOrder | null = null;

  constructor(request: AllocationRequest, context: SearchContext) {
    this.#request = request;
    this.#context = context;
    this.#room = context.rooms.get(request.currency) ?? new Map<bigint, bigint>();
    this.#candidates = context.candidates.filter((candidate) => candidate.productId === request.productId);
    if (request.avoid !== null) this.#verdicts.set(request.avoid, 'heldForAnother');
  }

  get orderId(): bigint {
    return this.#request.orderId;
  }

  get productId(): number {
    return this.#request.productId;
  }

  /** Chooses the best candidate no rule refuses; false when placed already or none is left. */
  choose(): boolean {
    if (this.waiting) return false;
    this.choice = undefined;
    const { at, settings } = this.#context;
    for (const candidate of this.#candidates) {
      if (this.#verdicts.has(candidate.accountId)) continue;
      if (this.choice && !preferred(candidate, this.choice)) continue;
      const refusal = refusalOf(candidate, this.#request, settings, this.#room);
      if (refusal) this.#verdicts.set(candidate.accountId, refusal);
      else this.choice = candidate;
    }
    // In this batch the next order prefers another account.
    if (this.choice) this.choice.usage.lastUsedMs = Math.max(this.choice.usage.lastUsedMs + 1, at.getTime());
    return this.choice !== undefined;
  }

  /** The amounts the choice may take. */
  span(): AmountSpan {
    const { accountId, floatSteps, floatStepMinor } = this.choice!;
    const { amount } = this.#request;
    return { accountId, low: amount, high: amount + BigInt(floatSteps) * floatStepMinor };
  }

  /** Whether the choice is the one whose amounts these are. */
  wouldTake({ accountId, low, high }: AmountSpan): boolean {
    const span = this.span();
    return span.accountId === accountId && span.low >= low && span.high <= high;
  }

  /** Under the account's lock, or insisting on what was seen: takes the smallest free amount, or notes why this account cannot. */
  settle(taken: Map<bigint, Set<bigint>>): void {
    const candidate = this.choice!;
    const { at, settings } = this.#context;
    const refusal = refusalOf(candidate, this.#request, settings, this.#room);
    const used = taken.get(candidate.accountId) ?? new Set<bigint>();
    const payable = refusal ? undefined : freeAmount(this.#request.amount, candidate, used);
    if (payable === undefined) {
      this.#verdicts.set(candidate.accountId, refusal ?? 'noFreeAmount');
      return;
    }
    taken.set(candidate.accountId, used.add(payable));
    const past = settings.LimitMode === 'warn' ? limitReached(candidate, this.#request.amount) : undefined;
    candidate.usage.waitingCount += 1;
    candidate.usage.dayOrders += 1;
    candidate.usage.dayAmount += payable;
    this.#room.set(candidate.supplierId, (this.#room.get(candidate.supplierId) ?? 0n) - payable);
    candidate.supplierDay.orders += 1;
    candidate.supplierDay.amount += this.#request.amount;
    this.#verdicts.set(candidate.accountId, past ? CHOSEN_PAST[past] : 'chosen');
    const expiresAt = new Date(at.getTime() + settings.OrderTimeoutMinutes * MINUTE);
    this.waiting = {
      orderId: this.#request.orderId,
      merchantId: this.#request.merchantId,
      productId: this.#request.productId,
      accountId: candidate.accountId,
      supplierId: candidate.supplierId,
      currency: this.#request.currency,
      amount: this.#request.amount,
      payable,
      slot: namesItsOrder(candidate) ? this.#request.orderId : 0n,
      identifyCode: this.#request.identifyCode,
      payerUtr: this.#request.payerUtr,
      userName: this.#request.userName,
      day: businessDay(at),
      allocatedAt: at,
      expiresAt,
      releaseAt: new Date(expiresAt.getTime() + settings.CompleteCheckOrderTime * MINUTE),
      timedOut: false,
      held: settings.IsSupplierRemoveBalanceOnOrderFinished ? 0n : payable,
    };
  }

  verdicts(): Record<string, string> {
    return Object.fromEntries(
      [...this.#verdicts].map(([accountId, verdict]) => [String(accountId), verdict]),
    );
  }
}

const CHOSEN_PAST = { dailyCountReached: 'chosenPastCount', dailyAmountReached: 'chosenPastAmount' } as const;

function preferred(a: Candidate, b: Candidate): boolean {
  if (a.supplierWeight !== b.supplierWeight) return a.supplierWeight > b.supplierWeight;
  return a.weight !== b.weight ? a.weight > b.weight : a.usage.lastUsedMs < b.usage.lastUsedMs;
}

/**
 * A paybill's payers give their order's code, and a gateway tells which order it was paid, so that any number of orders of
 * one amount may wait there.
 */
function namesItsOrder({ channel, payee }: Candidate): boolean {
  return channel === 'gateway' || payee.mpesaType === 'paybill';
}

/** Smallest amount + k·step not yet waited for on the account; adding, never subtracting (docs/rails.md#usdt-trc-20). */
function freeAmount(amount: bigint, candidate: Candidate, taken: ReadonlySet<bigint>): bigint | undefined {
  if (namesItsOrder(candidate)) return amount;
  if (candidate.floatSteps === 0) return taken.has(amount) ? undefined : amount;
  for (let k = 0; k <= candidate.floatSteps; k += 1) {
    const payable = amount + BigInt(k) * candidate.floatStepMinor;
    if (!taken.has(payable)) return payable;
  }
  return undefined;
}
