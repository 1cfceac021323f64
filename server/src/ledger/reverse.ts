import type { Currency } from '@sangam/contract/money.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { post, type Bucket, type Leg, type PostingOutcome } from './post.ts';

interface Moved {
  readonly postingId: bigint;
  readonly orderId: bigint | null;
  readonly currency: Currency;
  readonly ownerKind: Leg['ownerKind'];
  readonly ownerId: bigint;
  readonly bucket: Bucket;
  readonly slot: number;
  readonly amount: bigint;
}

/**
 * Posts the mirror of a posting, linked to it; `postings.reverses` is unique, so there is never a second mirror. The legs are
 * rebuilt from the entries, so terms that have changed since do not matter. What an owner's balance can no longer give becomes
 * its debt. What an owner gets back repays an open debt first.
 */
export async function postMirror(
  platform: Platform,
  tx: Tx,
  request: {
    /** Key of the posting to undo. */
    readonly undo: string;
    readonly key: string;
    readonly reason: string | null;
    readonly userId: bigint | null;
  },
): Promise<PostingOutcome> {
  const moved = await tx.query<Moved>(sql`
    select p.id as "postingId", p.order_id as "orderId", p.currency, a.owner_kind as "ownerKind", a.owner_id as "ownerId", a.bucket,
      case when a.bucket = 'pending' then a.slot else 0 end as slot, sum(e.amount)::bigint as amount
    from postings p join ledger_entries e on e.posting_id = p.id join ledger_accounts a on a.id = e.account_id
    where p.key = ${request.undo} group by 1, 2, 3, 4, 5, 6, 7 order by 4, 5, 6, 7`);
  const [first] = moved;
  if (!first) throw new Error(`there is no posting ${request.undo} to undo`);
  const [outcome] = await post(platform, tx, [
    {
      key: request.key,
      kind: 'reversal',
      orderId: first.orderId,
      currency: first.currency,
      legs: mirrorOf(moved),
      reverses: first.postingId,
      ...(request.reason === null ? {} : { reason: request.reason }),
      ...(request.userId === null ? {} : { userId: request.userId }),
    },
  ]);
  return outcome!;
}

/**
 * One leg per owner and account. Pending money is taken where it waits, or where a settlement run has moved it. Money that was
 * frozen, held or debt comes back as free money. Takings come first: what the same owner gets back then covers them before a
 * debt is left.
 */
function mirrorOf(moved: readonly Moved[]): Leg[] {
  const legs = new Map<string, Leg>();
  for (const { ownerKind, ownerId, bucket, slot, amount } of moved) {
    const into = ownerKind === 'platform' ? bucket : freeBucket(ownerKind, bucket);
    const name = `${ownerKind}/${ownerId}/${into}/${slot}`;
    legs.set(name, {
      ownerKind,
      ownerId,
      bucket: into,
      slot,
      amount: (legs.get(name)?.amount ?? 0n) - amount,
      spillsToDebt: ownerKind !== 'platform',
    });
  }
  return [...legs.values()].sort((a, b) => Number(a.amount > 0n) - Number(b.amount > 0n));
}

function freeBucket(ownerKind: 'merchant' | 'supplier', bucket: Bucket): Bucket {
  if (ownerKind === 'merchant') return bucket === 'frozen' || bucket === 'debt' ? 'available' : bucket;
  return bucket === 'held' || bucket === 'debt' ? 'deposit' : bucket;
}
