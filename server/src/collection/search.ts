import { businessDay } from '@sangam/contract/time.ts';
import { limitReached, refusalOf, type Candidate, type DepositRoom } from '../accounts/candidates.ts';
import { MINUTE } from '../platform/clock.ts';
import type { SettingValues } from '../platform/settings/settings.ts';
import type { AmountSpan } from './store.ts';
import { type AccountAmounts, releaseTime, type TakenAmounts, type WaitingOrder } from './waiting.ts';

/*
 * Which account and amount an order gets: a pure choice among candidates that reads and writes nothing. Allocation runs it on
 * what it has read and locked. The what-if analysis runs it on a simulated state.
 */

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
  /** Account to leave out (reselect). */
  readonly avoid: bigint | null;
}

interface SearchContext {
  readonly at: Date;
  readonly settings: SettingValues;
  readonly candidates: readonly Candidate[];
  readonly rooms: ReadonlyMap<string, DepositRoom>;
  /** By account: when an order of the same batch chose it, so that the next order prefers another. Empty at the start of a batch. */
  readonly chosenMs: Map<bigint, number>;
}

/** How often an order chooses again when its account turned out full under the lock. */
export const MAX_ROUNDS = 8;

/** The search for one order: undecided, then a choice to be tested, then placed on an account or out of candidates. */
export class Search {
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

  /** Chooses the best candidate that no rule refuses; false when the order is placed already or no candidate is left. */
  choose(): boolean {
    if (this.waiting) return false;
    this.choice = undefined;
    const { at, settings, chosenMs } = this.#context;
    for (const candidate of this.#candidates) {
      if (this.#verdicts.has(candidate.accountId)) continue;
      if (this.choice && !preferred(candidate, this.choice, chosenMs)) continue;
      const refusal = refusalOf(candidate, this.#request, settings, this.#room);
      if (refusal) this.#verdicts.set(candidate.accountId, refusal);
      else this.choice = candidate;
    }
    if (this.choice)
      chosenMs.set(this.choice.accountId, Math.max(lastUsedMs(this.choice, chosenMs) + 1, at.getTime()));
    return this.choice !== undefined;
  }

  /** The range of amounts that the chosen account may give. */
  span(): AmountSpan {
    const { accountId, floatSteps, floatStepMinor } = this.choice!;
    const { amount } = this.#request;
    return { accountId, low: amount, high: amount + BigInt(floatSteps) * floatStepMinor };
  }

  /** Whether the choice is this account and its range lies within this span. */
  wouldTake({ accountId, low, high }: AmountSpan): boolean {
    const span = this.span();
    return span.accountId === accountId && span.low >= low && span.high <= high;
  }

  /**
   * Takes the smallest free amount, or notes why this account cannot. The caller holds the account's lock, or its write asserts
   * what was read.
   */
  settle(taken: TakenAmounts): void {
    const candidate = this.choice!;
    const { at, settings } = this.#context;
    const refusal = refusalOf(candidate, this.#request, settings, this.#room);
    const used: AccountAmounts = taken.get(candidate.accountId) ?? new Map();
    const payable = refusal ? undefined : freeAmount(this.#request.amount, candidate, used);
    if (payable === undefined) {
      this.#verdicts.set(candidate.accountId, refusal ?? 'noFreeAmount');
      return;
    }
    // The deposit has to carry the payable amount, not the asked one.
    if (payable > (this.#room.get(candidate.supplierId) ?? 0n)) {
      this.#verdicts.set(candidate.accountId, 'depositInsufficient');
      return;
    }
    taken.set(candidate.accountId, used.set(payable, 'taken'));
    const past = settings.LimitMode === 'warn' ? limitReached(candidate, this.#request.amount) : undefined;
    candidate.usage.waitingCount += 1;
    candidate.usage.dayOrders += 1;
    candidate.usage.dayAmount += payable;
    candidate.usage.lastUsedMs = at.getTime();
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
      releaseAt: releaseTime(
        { expiresAt, currency: this.#request.currency },
        settings.CompleteCheckOrderTime,
      ),
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

function preferred(a: Candidate, b: Candidate, chosenMs: ReadonlyMap<bigint, number>): boolean {
  if (a.supplierWeight !== b.supplierWeight) return a.supplierWeight > b.supplierWeight;
  return a.weight !== b.weight ? a.weight > b.weight : lastUsedMs(a, chosenMs) < lastUsedMs(b, chosenMs);
}

function lastUsedMs({ accountId, usage }: Candidate, chosenMs: ReadonlyMap<bigint, number>): number {
  return chosenMs.get(accountId) ?? usage.lastUsedMs;
}

/**
 * Payers of a paybill give their order's code, and a gateway says which order was paid. So any number of orders of one amount
 * may wait on such an account.
 */
function namesItsOrder({ channel, payee }: Candidate): boolean {
  return channel === 'gateway' || payee.mpesaType === 'paybill';
}

/**
 * The smallest amount + k·step that no order waits for on the account. Steps are added, never subtracted
 * (docs/rails.md#usdt-trc-20). A resting amount is taken where no other is free. A chain reports each payment once, so no
 * amount rests there.
 */
function freeAmount(amount: bigint, candidate: Candidate, taken: AccountAmounts): bigint | undefined {
  if (namesItsOrder(candidate)) return amount;
  let resting: bigint | undefined;
  for (let k = 0; k <= candidate.floatSteps; k += 1) {
    const payable = amount + BigInt(k) * candidate.floatStepMinor;
    const use = taken.get(payable);
    if (use === undefined || (use === 'resting' && candidate.channel === 'usdt')) return payable;
    if (use === 'resting') resting ??= payable;
  }
  return resting;
}
