import type { Candidate } from '../accounts/candidates.ts';
import { type Queryable, type Tx, hot, sql } from '../platform/db/database.ts';
import { perPlatform } from '../platform/node-state.ts';
import { HOUR } from '../platform/clock.ts';
import type { Platform } from '../platform/platform.ts';
import { lowestIdAfter } from '../platform/db/ids.ts';
import { columnNames, unnestRows } from '../platform/db/unnest-rows.ts';

/** A candidate as an allocation run stores it. */
export interface RunCandidate {
  readonly accountId: string;
  readonly accountName: string;
  readonly supplierName: string;
  readonly weight: number;
  /** The rule that refuses this account for every order, or 'eligible'. */
  readonly verdict: string;
}

/** The last committed run of a product, and what it found. */
interface KnownRun {
  readonly id: bigint;
  readonly candidates: readonly Candidate[];
  /** By position: what `standingRefusal` answers for each candidate. */
  readonly standing: readonly (string | undefined)[];
  readonly at: Date;
}
const knownRuns = perPlatform(() => new Map<number, KnownRun>());
/** A run is reused for one hour at most, so that it is stored in the same months as its orders. */
const REUSED_FOR = HOUR;

export interface WrittenRuns {
  /** By product, for the orders' history. */
  readonly ids: ReadonlyMap<number, bigint>;
  /** To be called after the commit. The next allocation that finds the same candidates then refers to the same run. */
  readonly remember: () => void;
}

/**
 * Stores the candidates once for all orders of a run, by product, and reuses the stored run until something changes. A product
 * may have hundreds of accounts; storing them for each order cost more than everything else in the creation of an order.
 */
export function writeRuns(
  platform: Platform,
  tx: Tx,
  candidates: readonly Candidate[],
  standing: readonly (string | undefined)[],
  at: Date,
): WrittenRuns {
  const known = knownRuns(platform);
  const positions = Map.groupBy(candidates.keys(), (index) => candidates[index]!.productId);
  const runs = [...positions].map(([productId, indexes]) => {
    const found = {
      candidates: indexes.map((index) => candidates[index]!),
      standing: indexes.map((index) => standing[index]),
      at,
    };
    const last = known.get(productId);
    const same = last !== undefined && isRepeated(last, found);
    return { productId, same, run: same ? last : { ...found, id: platform.ids.next(at) } };
  });
  const fresh = runs.filter(({ same }) => !same);
  if (fresh.length > 0)
    insertRuns(
      tx,
      fresh.map(({ productId, run }) => ({ id: run.id, productId, candidates: JSON.stringify(told(run)) })),
      at,
    );
  return {
    ids: new Map(runs.map(({ productId, run }) => [productId, run.id])),
    remember: () => {
      for (const { productId, run } of fresh) known.set(productId, run);
    },
  };
}

function isRepeated(last: KnownRun, found: Omit<KnownRun, 'id'>): boolean {
  const age = found.at.getTime() - last.at.getTime();
  if (age < 0 || age >= REUSED_FOR || found.candidates.length !== last.candidates.length) return false;
  return found.candidates.every((candidate, index) => {
    const before = last.candidates[index]!;
    return (
      candidate.accountId === before.accountId &&
      candidate.accountName === before.accountName &&
      candidate.supplierName === before.supplierName &&
      candidate.weight === before.weight &&
      found.standing[index] === last.standing[index]
    );
  });
}

function told({ candidates, standing }: KnownRun): RunCandidate[] {
  return candidates.map((candidate, index) => ({
    accountId: String(candidate.accountId),
    accountName: candidate.accountName,
    supplierName: candidate.supplierName,
    weight: candidate.weight,
    verdict: standing[index] ?? 'eligible',
  }));
}

export interface Run {
  readonly id: bigint;
  readonly productId: number;
  /** A list of RunCandidate in JSON. */
  readonly candidates: string;
}

const RUN = { id: 'bigint', productId: 'int', candidates: 'text' } as const;

export function insertRuns(tx: Tx, runs: readonly Run[], at: Date): void {
  tx.send(
    hot(
      'insert runs',
      sql`
    insert into allocation_runs (${columnNames(RUN)}, created_at)
    select id, product_id, candidates::jsonb, ${at} from ${unnestRows(RUN, runs)}`,
    ),
  );
}

const RANK: Readonly<Record<string, number>> = {
  chosen: 0,
  chosenPastCount: 0,
  chosenPastAmount: 0,
  eligible: 1,
};

/** Every candidate of an order's last allocation, the chosen one first, with the first rule that refused it. */
export async function lastAllocation(
  db: Queryable,
  orderId: bigint,
): Promise<{ candidates: RunCandidate[]; createdAt: Date } | undefined> {
  const [last] = await db.query<{
    candidates: RunCandidate[] | null;
    verdicts: Readonly<Record<string, string>>;
    createdAt: Date;
  }>(sql`
    select r.candidates, e.data -> 'verdicts' as verdicts, e.created_at as "createdAt"
    from order_events e left join allocation_runs r on r.id = nullif(e.data ->> 'run', '')::bigint
    where e.order_id = ${orderId} and e.id > ${lowestIdAfter(orderId)} and e.data ? 'run' order by e.id desc limit 1`);
  if (!last) return undefined;
  const candidates = (last.candidates ?? []).map((candidate) => ({
    ...candidate,
    verdict: last.verdicts[candidate.accountId] ?? candidate.verdict,
  }));
  const rank = (candidate: RunCandidate) => RANK[candidate.verdict] ?? 2;
  return {
    candidates: candidates.sort((a, b) => rank(a) - rank(b) || b.weight - a.weight),
    createdAt: last.createdAt,
  };
}
