import { standingRefusal, type Candidate } from '../accounts/candidates.ts';
import { type Queryable, type Tx, hot, sql } from '../db/database.ts';
import type { Platform } from '../platform.ts';
import type { SettingValues } from '../settings/settings.ts';

/** A candidate as an allocation run kept it. */
export interface RunCandidate {
  readonly accountId: string;
  readonly accountName: string;
  readonly supplierName: string;
  readonly weight: number;
  /** The rule that refuses it whatever the order, or 'eligible'. */
  readonly verdict: string;
}

/**
 * Keeps the candidates of a run once for all its orders, by product; answers the run's id per product. A product
 * may have hundreds of accounts: written for each order they cost more than everything else of its creation.
 */
export function writeRuns(
  platform: Platform,
  tx: Tx,
  candidates: readonly Candidate[],
  at: Date,
  settings: SettingValues,
): Map<number, string> {
  const runs = [...Map.groupBy(candidates, (candidate) => candidate.productId)].map(
    ([productId, ofProduct]) => ({
      id: platform.ids.next(at),
      productId,
      candidates: ofProduct.map((candidate): RunCandidate => ({
        accountId: String(candidate.accountId),
        accountName: candidate.accountName,
        supplierName: candidate.supplierName,
        weight: candidate.weight,
        verdict: standingRefusal(candidate, at, settings) ?? 'eligible',
      })),
    }),
  );
  if (runs.length > 0) insertRuns(tx, runs, at);
  return new Map(runs.map((run) => [run.productId, String(run.id)]));
}

export interface Run {
  readonly id: bigint;
  readonly productId: number;
  readonly candidates: readonly RunCandidate[];
}

export function insertRuns(tx: Tx, runs: readonly Run[], at: Date): void {
  tx.send(
    hot(
      'insert runs',
      sql`
    insert into allocation_runs (id, product_id, candidates, created_at)
    select id, product_id, candidates, ${at} from unnest(${runs.map((run) => run.id)}::bigint[],
      ${runs.map((run) => run.productId)}::int[], ${runs.map((run) => JSON.stringify(run.candidates))}::jsonb[])
      as v (id, product_id, candidates)`,
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
    where e.order_id = ${orderId} and e.id > ${orderId} and e.data ? 'run' order by e.id desc limit 1`);
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
