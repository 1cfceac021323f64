import { randomInt } from 'node:crypto';
import type { Currency } from '@sangam/contract/money.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import {
  accountName,
  existingKeys,
  insertPostings,
  lockAccounts,
  type AccountKey,
  type EntryRow,
  type LedgerAccount,
  type PostingRow,
} from './store.ts';

export type Bucket =
  | 'available'
  | 'pending'
  | 'frozen'
  | 'deposit'
  | 'held'
  | 'commission'
  | 'debt'
  | 'revenue'
  | 'suspense'
  | 'float'
  | 'external'
  | 'adjustment';

/** One leg of a posting. */
export interface Leg {
  readonly ownerKind: 'merchant' | 'supplier' | 'platform';
  /** 0 for the platform. */
  readonly ownerId: bigint;
  readonly bucket: Bucket;
  /** Which of the owner's accounts of this bucket: pending money has one account for each due day. 0 when left out. */
  readonly slot?: number;
  /** Minor units; negative takes from the account. Zero legs are dropped. */
  readonly amount: bigint;
  /**
   * Pairs the leg with its owner's debt account. What the account cannot give above its floor becomes debt; for pending money,
   * the available balance gives first. What the account would receive repays an open debt first. For events that have already
   * happened in the world.
   */
  readonly spillsToDebt?: boolean;
  /** The account must keep this much, whatever its own floor allows: a withdrawal is not paid from a credit limit. */
  readonly atLeast?: bigint;
}

export interface PostingRequest {
  /** Idempotency key: the same key posts once, however often it is tried. */
  readonly key: string;
  readonly kind: string;
  readonly orderId: bigint | null;
  readonly currency: Currency;
  readonly legs: readonly Leg[];
  readonly reverses?: bigint;
  readonly reason?: string;
  readonly userId?: bigint;
  /** Time of the event when it is posted later; the clock's now otherwise. */
  readonly at?: Date;
}

/**
 * 'duplicate': the key was posted before. 'insufficient': an account would go below its floor, and nothing of this posting was
 * written.
 */
export type PostingOutcome = 'posted' | 'duplicate' | 'insufficient';

/** Buckets without a floor: they may go negative. */
const UNBOUNDED: ReadonlySet<Bucket> = new Set([
  'debt',
  'revenue',
  'suspense',
  'float',
  'external',
  'adjustment',
]);

/** Platform accounts are spread over slots, so that no row is locked by every order (measured: with one row the rate is half). */
const PLATFORM_SLOTS = 16;

/**
 * Posts a list of double entries in the caller's transaction; nothing else writes balances. Balances are locked in id order.
 * Postings apply in the given order, and one that cannot apply fails alone.
 */
export async function post(
  platform: Platform,
  tx: Tx,
  requests: readonly PostingRequest[],
): Promise<PostingOutcome[]> {
  if (requests.length === 0) return [];
  for (const request of requests) assertBalanced(request);

  // One slot a call, chosen before any statement: few rows are locked, and no query calls random() for each row.
  const slot = randomInt(PLATFORM_SLOTS);
  const [known, accounts] = await Promise.all([
    existingKeys(
      tx,
      requests.map((request) => request.key),
    ),
    lockAccounts(
      platform,
      tx,
      requests.flatMap((request) => keysOf(request, slot)),
    ),
  ]);
  const now = platform.clock.now();

  const postings: PostingRow[] = [];
  const entries: EntryRow[] = [];
  const outcomes = requests.map((request): PostingOutcome => {
    if (known.has(request.key)) return 'duplicate';
    known.add(request.key);
    const moves = movesOf(request, slot, accounts);
    if (!moves) return 'insufficient';
    const createdAt = request.at ?? now;
    const postingId = platform.ids.next(request.at);
    postings.push({
      id: postingId,
      key: request.key,
      kind: request.kind,
      orderId: request.orderId,
      currency: request.currency,
      reverses: request.reverses ?? null,
      reason: request.reason ?? null,
      userId: request.userId ?? null,
      createdAt,
    });
    for (const { account, amount } of moves) {
      account.balance += amount;
      entries.push({
        id: platform.ids.next(request.at),
        postingId,
        accountId: account.id,
        amount,
        balanceAfter: account.balance,
        createdAt,
      });
    }
    return 'posted';
  });
  insertPostings(tx, postings, entries, [...accounts.values()]);
  return outcomes;
}

function assertBalanced(request: PostingRequest): void {
  const sum = request.legs.reduce((total, leg) => total + leg.amount, 0n);
  if (sum !== 0n) throw new Error(`posting ${request.key} does not balance: ${sum}`);
}

function keyOf(request: PostingRequest, leg: Leg, bucket: Bucket, slot: number): AccountKey {
  const floor = UNBOUNDED.has(bucket) ? null : 0n;
  return {
    ownerKind: leg.ownerKind,
    ownerId: leg.ownerId,
    currency: request.currency,
    bucket,
    slot: leg.ownerKind === 'platform' ? slot : bucket === leg.bucket ? (leg.slot ?? 0) : 0,
    floor,
  };
}

function keysOf(request: PostingRequest, slot: number): AccountKey[] {
  return request.legs.flatMap((leg) => pathOf(leg).map((bucket) => keyOf(request, leg, bucket, slot)));
}

/** The buckets that a leg takes from, in this order. */
function pathOf({ bucket, spillsToDebt }: Leg): readonly Bucket[] {
  if (!spillsToDebt) return [bucket];
  return bucket === 'pending' ? ['pending', 'available', 'debt'] : [bucket, 'debt'];
}

interface Move {
  readonly account: LedgerAccount;
  readonly amount: bigint;
}

/** The entries of a posting, computed from the present balances; undefined when a floor forbids the posting. */
function movesOf(
  request: PostingRequest,
  slot: number,
  accounts: ReadonlyMap<string, LedgerAccount>,
): Move[] | undefined {
  const changes = new Map<LedgerAccount, bigint>();
  const after = (account: LedgerAccount) => account.balance + (changes.get(account) ?? 0n);
  const change = (account: LedgerAccount, amount: bigint) => {
    if (amount !== 0n) changes.set(account, (changes.get(account) ?? 0n) + amount);
  };
  for (const leg of request.legs) {
    const path = pathOf(leg).map((bucket) => accounts.get(accountName(keyOf(request, leg, bucket, slot)))!);
    const [own, last] = [path[0]!, path.at(-1)!];
    let rest = leg.amount;
    if (rest > 0n && leg.spillsToDebt) {
      const owed = after(last) < 0n ? -after(last) : 0n;
      const repaid = rest < owed ? rest : owed;
      change(last, repaid);
      change(own, rest - repaid);
    } else {
      for (const account of path) {
        const room = after(account) - (account.floor ?? 0n);
        const taken = account === last || -rest <= room ? rest : room > 0n ? -room : 0n;
        change(account, taken);
        rest -= taken;
      }
    }
    if (leg.atLeast !== undefined && after(own) < leg.atLeast) return undefined;
  }
  for (const account of changes.keys()) {
    if (account.floor !== null && after(account) < account.floor) return undefined;
  }
  return [...changes].filter(([, amount]) => amount !== 0n).map(([account, amount]) => ({ account, amount }));
}
