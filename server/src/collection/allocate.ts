import { businessDay } from '@sangam/contract/time.ts';
import { standingRefusal } from '../accounts/candidates.ts';
import { addLoad, lockLoad, type PayeeAccount } from '../accounts/load.ts';
import type { AllocationPool } from '../accounts/allocation-pool.ts';
import type { Tx } from '../platform/db/database.ts';
import { perPlatform } from '../platform/node-state.ts';
import type { Platform } from '../platform/platform.ts';
import type { TermsDay, TermsDayOf } from '../terms/products/terms-day.ts';
import { writeRuns } from './allocation-runs.ts';
import { type AllocationRequest, MAX_ROUNDS, Search } from './search.ts';
import { insertWaiting, takenAmounts, type AmountSpan } from './store.ts';
import type { TakenAmounts, WaitingOrder } from './waiting.ts';

/** What an order's history keeps of its allocation; `candidatesOf` reads it back. */
export interface Explanation {
  /** The allocation run that this order was part of. */
  readonly run: string;
  /**
   * By account: the rule that refused it for this order, or 'chosen'. Where LimitMode only warns about a daily limit that the
   * order passes: 'chosenPastCount' or 'chosenPastAmount'.
   */
  readonly verdicts: Readonly<Record<string, string>>;
}

export interface Allocation {
  readonly waiting: WaitingOrder | null;
  /** What counts towards the limits of the chosen supplier's terms. */
  readonly supplierDay: TermsDay | undefined;
  /** The account the order waits on, as shown to its payer. */
  readonly payee: PayeeAccount | undefined;
  readonly explanation: Explanation;
}

/** The days on which the pool's suppliers could have the order counted towards their terms' limits. */
export function supplierDays({ candidates }: AllocationPool, day: string): TermsDayOf[] {
  return candidates.map(({ supplierId, productId, supplierDay }) => ({
    ownerKind: 'supplier',
    ownerId: supplierId,
    productId,
    day,
    termsDay: supplierDay,
  }));
}

/** How allocation makes sure that the merchants' order numbers are not used yet. */
export interface Claims {
  /** Claims the numbers and answers the orders whose numbers are new. Allocation leaves the other orders out of its answer. */
  ask(): Promise<ReadonlySet<bigint>>;
  /** Assumes that all numbers are new. If one is not, the database runs the transaction again. */
  assert_or_retry(): void;
}

/** A guess for an order that is created alone: the amounts of the account it will probably get, read together with the pool. */
export interface Guess {
  readonly span: AmountSpan;
  readonly taken: TakenAmounts;
}

const lastPools = perPlatform(() => new Map<number, AllocationPool>());

/** The amounts to be read if the pool is still as it was when this node last allocated; undefined without such a pool. */
export async function guessSpan(
  platform: Platform,
  request: AllocationRequest,
  at: Date,
): Promise<AmountSpan | undefined> {
  const pool = lastPools(platform).get(request.productId);
  if (!pool) return undefined;
  const settings = await platform.settings.all();
  const candidates = pool.candidates.filter((candidate) => !standingRefusal(candidate, at, settings));
  const state = new Search(request, { at, settings, candidates, rooms: pool.rooms, chosenMs: new Map() });
  return state.choose() ? state.span() : undefined;
}

export interface Allocations {
  readonly byOrder: ReadonlyMap<bigint, Allocation>;
  /** To be called once the transaction has committed. */
  readonly committed: () => void;
}

/**
 * Finds an account and a unique payable amount for each order, in the caller's transaction. Candidates are read without locks
 * and chosen by weight, then least recently used. The chosen accounts are then locked in id order and checked again, so a stale
 * read never leads to 'no account' while one is free. Where the guess fits the choice, the order is written at once: the write
 * itself asserts what the second check would have checked, and the transaction runs again if the assertion fails.
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
  const search = { at, settings, candidates: open, rooms, chosenMs: new Map<bigint, number>() };
  let states = requests.map((request) => new Search(request, search));
  let claimed: Promise<ReadonlySet<bigint>> | undefined;
  const place = (searching: readonly Search[], taken: TakenAmounts): void => {
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
    // The amounts must be read after the locks are taken. They are, because a transaction runs its statements in the order they
    // are sent.
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
    for (const { accountId, ...carried } of locked) Object.assign(usageOf.get(accountId)!, carried);
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
