import { setImmediate } from 'node:timers/promises';
import type { Candidate, DepositRoom } from '../../accounts/candidates.ts';
import { MAX_ROUNDS, Search } from '../../collection/search.ts';
import {
  AMOUNT_COOLS,
  SECOND_WORDING,
  type TakenAmounts,
  type WaitingOrder,
} from '../../collection/waiting.ts';
import { MINUTE } from '../../platform/clock.ts';
import type { SettingValues } from '../../platform/settings/settings.ts';
import { Agenda } from './agenda.ts';

/** An order of the day, with its real outcome. */
export interface Arrival {
  readonly orderId: bigint;
  readonly merchantId: bigint;
  readonly productId: number;
  readonly currency: string;
  readonly amount: bigint;
  readonly userName: string | null;
  readonly at: Date;
  /** The account that the order was given first. Null: none. */
  readonly accountId: bigint | null;
  readonly bank: string | null;
  readonly payable: bigint | null;
  readonly received: bigint | null;
  readonly paidAt: Date | null;
  readonly stated: boolean;
  /** When the order ended unpaid before its time was over (released or cancelled). Null: it did not. */
  readonly endedAt: Date | null;
  readonly merchantRatePpm: number;
  readonly merchantFixedFee: bigint;
  /** The allocation run that the order was part of. */
  readonly run: string;
}

/** For one run, by account: its weight then, and the rule that refused it for every order ('eligible': none). */
export type Standing = ReadonlyMap<bigint, { readonly weight: number; readonly verdict: string }>;

/** An order that waits when the day begins. */
export type Carried = Pick<Arrival, 'orderId' | 'payable' | 'paidAt' | 'received' | 'stated'> & {
  readonly accountId: bigint;
  readonly expiresAt: Date;
  readonly releaseAt: Date;
};

export interface Day {
  readonly arrivals: readonly Arrival[];
  readonly standings: ReadonlyMap<string, Standing>;
  /** The accounts as they are set up now. The replay keeps its own counts of what they carry. */
  readonly candidates: readonly Candidate[];
  readonly rooms: ReadonlyMap<string, DepositRoom>;
  readonly carried: readonly Carried[];
  readonly settings: SettingValues;
  /** The share of a bank's orders in an hour that were paid. */
  readonly rateOf: (bank: string, at: Date) => number;
  /** The median time from order to payment at the bank, ms. */
  readonly delayOf: (bank: string) => number;
}

/** What the replay changes. */
export interface Change {
  readonly settings: Partial<
    Pick<SettingValues, 'OrderTimeoutMinutes' | 'CompleteCheckOrderTime' | 'LimitMode'>
  >;
  readonly floatSteps?: number | undefined;
  readonly maxWaiting?: number | undefined;
  readonly accounts: ReadonlyMap<
    bigint,
    {
      readonly weight?: number | undefined;
      readonly dailyCountLimit?: number | undefined;
      readonly dailyAmountLimit?: bigint | undefined;
      readonly closed?: boolean | undefined;
    }
  >;
}

export interface Replayed {
  readonly arrival: Arrival;
  readonly waiting: WaitingOrder | null;
  /** Minor units that would have arrived. Null: nothing. */
  readonly received: bigint | null;
  /** Whether the payment is assumed from the rate of its new bank. */
  readonly assumed: boolean;
  /** For an order without an account: the rules that refused the accounts. */
  readonly verdicts: ReadonlySet<string>;
}

export interface Replay {
  readonly orders: readonly Replayed[];
  /** The most orders that waited at one time, by account. */
  readonly mostWaiting: ReadonlyMap<bigint, number>;
}

/** Orders between two pauses, in which the node answers calls. */
const SLICE = 250;

/** Gives every order of a day an account as allocation would, batch by batch. Writes nothing. */
export async function replay(day: Day, change: Change): Promise<Replay> {
  const state = new State(day, change);
  const orders: Replayed[] = [];
  let pauses = 0;
  for (const batch of batchesOf(day.arrivals)) {
    if (orders.length >= pauses * SLICE) {
      pauses += 1;
      await setImmediate();
    }
    orders.push(...state.place(batch));
  }
  return { orders, mostWaiting: state.mostWaiting };
}

/** Orders of the same moment were allocated together. */
function* batchesOf(arrivals: readonly Arrival[]): Generator<readonly Arrival[]> {
  for (let from = 0; from < arrivals.length;) {
    let to = from + 1;
    while (arrivals[to]?.at.getTime() === arrivals[from]!.at.getTime()) to += 1;
    yield arrivals.slice(from, to);
    from = to;
  }
}

type Simulated = Candidate & { weight: number };

/** The platform as it would be at a moment of the replay. */
class State {
  readonly #day: Day;
  readonly #change: Change;
  readonly #settings: SettingValues;
  readonly #accounts = new Map<bigint, Simulated[]>();
  readonly #candidates: readonly Simulated[];
  readonly #rooms: ReadonlyMap<string, DepositRoom>;
  readonly #taken: TakenAmounts = new Map();
  readonly #agenda = new Agenda();
  readonly mostWaiting = new Map<bigint, number>();

  constructor(day: Day, change: Change) {
    this.#day = day;
    this.#change = change;
    this.#settings = { ...day.settings, ...change.settings };
    this.#candidates = simulated(day, change);
    for (const candidate of this.#candidates)
      this.#accounts.set(candidate.accountId, [
        ...(this.#accounts.get(candidate.accountId) ?? []),
        candidate,
      ]);
    this.#rooms = new Map([...day.rooms].map(([currency, room]) => [currency, new Map(room)]));
    for (const order of day.carried) this.#carry(order);
  }

  /** An order that waits from the day before keeps its amount and its slot on the account. */
  #carry(order: Carried): void {
    const [candidate] = this.#accounts.get(order.accountId) ?? [];
    if (!candidate || order.payable === null) return;
    candidate.usage.waitingCount += 1;
    const outcome = { paidAt: order.paidAt, received: order.received, stated: order.stated };
    this.#takeAmount(order.accountId, order.payable);
    this.#plan(candidate, { ...order, payable: order.payable, countsToday: false }, outcome, 0n);
  }

  /** Allocates orders that came together. All choose first, then each takes its amount, as in `allocate`. */
  place(batch: readonly Arrival[]): Replayed[] {
    const { at } = batch[0]!;
    this.#agenda.runUntil(at.getTime());
    const shared = { at, settings: this.#settings, rooms: this.#rooms, chosenMs: new Map<bigint, number>() };
    const searches = batch.map((arrival) => {
      const { candidates, verdicts } = this.#open(arrival);
      const want = { ...arrival, identifyCode: '', payerUtr: null, avoid: null };
      return { arrival, verdicts, search: new Search(want, { ...shared, candidates }) };
    });
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const choosing = searches.filter(({ search }) => search.choose());
      if (choosing.length === 0) break;
      for (const { search } of choosing) search.settle(this.#taken);
    }
    return searches.map(({ arrival, verdicts, search }) => this.#follow(arrival, verdicts, search));
  }

  /** The accounts that may be chosen, and the rules that refuse the other accounts for every order. */
  #open({ productId, run }: Arrival): { candidates: Simulated[]; verdicts: Set<string> } {
    const standing = this.#day.standings.get(run);
    const verdicts = new Set<string>();
    const candidates = this.#candidates.filter((candidate) => {
      if (candidate.productId !== productId) return false;
      const then = standing?.get(candidate.accountId);
      const changed = this.#change.accounts.get(candidate.accountId);
      candidate.weight = changed?.weight ?? then?.weight ?? candidate.weight;
      const verdict = changed?.closed ? 'disabled' : (then?.verdict ?? 'unknown');
      if (verdict === 'eligible') return true;
      verdicts.add(verdict);
      return false;
    });
    return { candidates, verdicts };
  }

  /** What happens to an order after its search for an account. */
  #follow(arrival: Arrival, verdicts: Set<string>, search: Search): Replayed {
    const { waiting } = search;
    if (!waiting) {
      for (const verdict of Object.values(search.verdicts())) verdicts.add(verdict);
      return { arrival, waiting: null, received: null, assumed: false, verdicts };
    }
    const candidate = search.choice!;
    const { waitingCount } = candidate.usage;
    this.mostWaiting.set(
      candidate.accountId,
      Math.max(this.mostWaiting.get(candidate.accountId) ?? 0, waitingCount),
    );
    const outcome = outcomeOf(this.#day, arrival, candidate, waiting);
    const counted = { ...waiting, countsToday: true };
    const received = this.#plan(candidate, counted, outcome, arrival.amount);
    return { arrival, waiting, received, assumed: outcome.assumed, verdicts: NO_VERDICTS };
  }

  #takeAmount(accountId: bigint, payable: bigint): void {
    this.#taken.set(accountId, (this.#taken.get(accountId) ?? new Map()).set(payable, 'taken'));
  }

  #free(candidate: Candidate, payable: bigint, atMs: number): void {
    this.#agenda.add(atMs, () => void this.#taken.get(candidate.accountId)?.delete(payable));
  }

  /** After a payment the amount rests: from then on only an order that finds no other amount gets it. A while later it is free for all. */
  #rest({ accountId }: Candidate, payable: bigint, paidMs: number): void {
    const amounts = this.#taken.get(accountId)!;
    this.#agenda.add(paidMs + AMOUNT_COOLS, () => void amounts.set(payable, 'resting'));
    this.#agenda.add(paidMs + SECOND_WORDING, () => {
      if (amounts.get(payable) === 'resting') amounts.delete(payable);
    });
  }

  /** Plans what follows from a payment, or from no payment. Answers the amount that arrives. */
  #plan(
    candidate: Simulated,
    order: {
      readonly payable: bigint;
      readonly expiresAt: Date;
      readonly releaseAt: Date;
      readonly countsToday: boolean;
    },
    outcome: Outcome,
    amount: bigint,
  ): bigint | null {
    const { payable, countsToday } = order;
    const { usage, supplierDay, supplierId } = candidate;
    const room = [...this.#rooms.values()].find((each) => each.has(supplierId));
    const addRoom = (more: bigint) => room?.set(supplierId, (room.get(supplierId) ?? 0n) + more);
    const count = (orders: 1 | -1) => {
      if (!countsToday) return;
      usage.dayOrders += orders;
      usage.dayAmount += BigInt(orders) * payable;
      supplierDay.orders += orders;
      supplierDay.amount += BigInt(orders) * amount;
    };
    const expires = Math.min(
      order.expiresAt.getTime(),
      outcome.endedAt?.getTime() ?? Number.POSITIVE_INFINITY,
    );
    const paid = outcome.paidAt?.getTime() ?? Number.POSITIVE_INFINITY;
    const releases = outcome.endedAt ? expires : order.releaseAt.getTime();
    const isPaid = outcome.received !== null && paid < releases;
    const stopsWaiting = Math.min(expires, paid);
    this.#agenda.add(stopsWaiting, () => {
      usage.waitingCount -= 1;
      if (!isPaid || paid > expires) count(-1);
    });
    if (isPaid && outcome.received !== null) {
      const { received } = outcome;
      this.#agenda.add(paid, () => {
        addRoom(payable - received);
        if (paid > expires) count(1);
      });
      if (received !== payable) this.#free(candidate, payable, paid + AMOUNT_COOLS);
      else if (outcome.stated) this.#rest(candidate, payable, paid);
      else this.#free(candidate, payable, paid + SECOND_WORDING);
      return received;
    }
    this.#agenda.add(releases, () => addRoom(payable));
    this.#free(candidate, payable, releases + AMOUNT_COOLS);
    return null;
  }
}

const NO_VERDICTS: ReadonlySet<string> = new Set();

/** Candidates with their own counts. Candidates of one account share what it carries; those of one supplier and product share its day. */
function simulated(day: Day, change: Change): Simulated[] {
  const usages = new Map<bigint, Candidate['usage']>();
  const days = new Map<string, Candidate['supplierDay']>();
  return day.candidates.map((candidate) => {
    const { accountId, supplierId, productId } = candidate;
    const usage = usages.get(accountId) ?? { ...candidate.usage };
    const supplierDay = days.get(`${supplierId}/${productId}`) ?? { ...candidate.supplierDay };
    usages.set(accountId, usage);
    days.set(`${supplierId}/${productId}`, supplierDay);
    return {
      ...candidate,
      usage,
      supplierDay,
      floatSteps: change.floatSteps ?? candidate.floatSteps,
      maxWaiting: change.maxWaiting ?? candidate.maxWaiting,
      dailyCountLimit: change.accounts.get(accountId)?.dailyCountLimit ?? candidate.dailyCountLimit,
      dailyAmountLimit: change.accounts.get(accountId)?.dailyAmountLimit ?? candidate.dailyAmountLimit,
    };
  });
}

interface Outcome {
  readonly paidAt: Date | null;
  readonly received: bigint | null;
  readonly stated: boolean;
  readonly endedAt?: Date | null;
}

/**
 * Whether the payer would have paid, which nobody can know. On an account of the same bank it is the order's real outcome. Otherwise it is
 * drawn by that bank's rate in that hour, with the order's number as the seed, so that the same question has the same answer.
 */
function outcomeOf(
  day: Day,
  arrival: Arrival,
  candidate: Candidate,
  waiting: WaitingOrder,
): Outcome & { readonly assumed: boolean } {
  const { bank } = candidate.payee;
  const { received, payable, stated } = arrival;
  // A payer who paid the asked amount would also have paid the amount asked now.
  const asked = received !== null && received === payable ? waiting.payable : received;
  if (arrival.accountId !== null && arrival.bank === bank)
    return { paidAt: arrival.paidAt, received: asked, stated, endedAt: arrival.endedAt, assumed: false };
  const drawn = Number((arrival.orderId * 2_654_435_761n) % 1_000_000n) / 1_000_000;
  if (drawn >= day.rateOf(bank, arrival.at))
    return { paidAt: null, received: null, stated: false, assumed: false };
  const delay = arrival.paidAt ? arrival.paidAt.getTime() - arrival.at.getTime() : day.delayOf(bank);
  const paidAt = new Date(arrival.at.getTime() + Math.max(delay, MINUTE / 60));
  return { paidAt, received: asked ?? waiting.payable, stated: true, assumed: true };
}
