import { waitingAmountOf } from '../accounts/load.ts';
import { firstIdAt, ID_SLACK } from '../platform/db/ids.ts';
import { type Queryable, type Tx, sql } from '../platform/db/database.ts';
import { refuse, type Refusal, wrongInput } from '../platform/refusal.ts';
import { scopeOf, type Viewer } from '../platform/viewer.ts';

/** The owner of a balance. */
export interface Owner {
  readonly ownerKind: 'merchant' | 'supplier';
  readonly ownerId: bigint;
}

type MoneyBucket = 'available' | 'deposit' | 'commission';

/** The buckets that people may move money into and out of. The first is the default. */
const BUCKETS: Readonly<Record<Owner['ownerKind'], readonly MoneyBucket[]>> = {
  merchant: ['available'],
  supplier: ['deposit', 'commission'],
};

/** The owner, if it exists and the viewer may see it; otherwise 404. */
export async function visibleOwner(
  db: Queryable,
  viewer: Viewer,
  input: { readonly ownerKind: Owner['ownerKind']; readonly ownerId: string },
): Promise<Owner | Refusal> {
  const ownerId = BigInt(input.ownerId);
  const isMerchant = input.ownerKind === 'merchant';
  const rows = await db.query(
    isMerchant
      ? sql`select 1 from merchants m where m.id = ${ownerId} ${scopeOf(viewer, { merchant: sql`m.id` })}`
      : sql`select 1 from suppliers s where s.id = ${ownerId} ${scopeOf(viewer, { supplier: sql`s.id` })}`,
  );
  return rows.length === 0 ? refuse('notFound') : { ownerKind: input.ownerKind, ownerId };
}

export function bucketOf(owner: Owner, bucket: MoneyBucket | undefined): MoneyBucket | Refusal {
  const buckets = BUCKETS[owner.ownerKind];
  if (bucket === undefined) return buckets[0]!;
  return buckets.includes(bucket) ? bucket : wrongInput('bucket');
}

/** A balance in minor units, as the transaction sees it. */
export async function balanceNow(tx: Tx, owner: Owner, currency: string, bucket: string): Promise<bigint> {
  const [row] = await tx.query<{ balance: bigint }>(sql`
    select coalesce(sum(balance), 0)::bigint as balance from ledger_accounts
    where owner_kind = ${owner.ownerKind} and owner_id = ${owner.ownerId} and currency = ${currency} and bucket = ${bucket}`);
  return row!.balance;
}

/** A balance, and the state of the ledger (a `pg_snapshot`) in which it stands so. */
export async function balanceAsOf(
  tx: Tx,
  owner: Owner,
  currency: string,
  bucket: string,
): Promise<{ readonly balance: bigint; readonly asOf: string }> {
  const [row] = await tx.query<{ balance: bigint; asOf: string }>(sql`
    select coalesce(sum(balance), 0)::bigint as balance, pg_current_snapshot()::text as "asOf" from ledger_accounts
    where owner_kind = ${owner.ownerKind} and owner_id = ${owner.ownerId} and currency = ${currency} and bucket = ${bucket}`);
  return row!;
}

/**
 * What came into a balance since a state of the ledger, in minor units. `since`: the time of that state by some node's clock; it only limits
 * the look-up.
 */
export async function arrivedSince(
  tx: Tx,
  owner: Owner,
  currency: string,
  bucket: string,
  { asOf, since }: { readonly asOf: string; readonly since: Date },
): Promise<bigint> {
  const [row] = await tx.query<{ arrived: bigint }>(sql`
    select coalesce(sum(e.amount), 0)::bigint as arrived from ledger_accounts a join ledger_entries e on e.account_id = a.id
    where a.owner_kind = ${owner.ownerKind} and a.owner_id = ${owner.ownerId} and a.currency = ${currency} and a.bucket = ${bucket}
      and e.id >= ${firstIdAt(since) - ID_SLACK} and e.amount > 0
      and not pg_visible_in_snapshot(e.tx_id::text::xid8, ${asOf}::pg_snapshot)`);
  return row!.arrived;
}

/** Locks a balance until the transaction's end: it waits for postings that are under way, and later postings wait for it. */
export async function holdBalance(tx: Tx, owner: Owner, currency: string, bucket: string): Promise<void> {
  await tx.query(sql`
    select from ledger_accounts
    where owner_kind = ${owner.ownerKind} and owner_id = ${owner.ownerId} and currency = ${currency} and bucket = ${bucket}
    order by id for no key update`);
}

/** Whether the owner is frozen. Its row is locked, so the answer stays true until the transaction's end. */
export async function isFrozen(tx: Tx, ownerKind: Owner['ownerKind'], ownerId: bigint): Promise<boolean> {
  const table = ownerKind === 'merchant' ? sql`merchants` : sql`suppliers`;
  const [row] = await tx.query<{ frozen: boolean }>(
    sql`select frozen from ${table} where id = ${ownerId} for share`,
  );
  return row?.frozen === true;
}

/**
 * The part of a balance that the owner may not withdraw, in minor units: always its debt. Of a supplier's deposit also the amounts of its
 * unproven payouts, what payers may still pay into its accounts, and what its commission lacks of what it earned by unproven payouts, its own
 * and those of suppliers it is an agent of. Of its commission also what it earned so, and what its deposit lacks of zero and of its unproven
 * payouts. What is lacking of unproven money has repaid a debt.
 */
export async function withheldOf(tx: Tx, owner: Owner, currency: string, bucket: string): Promise<bigint> {
  const debt = -(await balanceNow(tx, owner, currency, 'debt'));
  if (owner.ownerKind === 'merchant') return debt;
  const { paid, earned } = await unprovenOf(tx, owner.ownerId, currency);
  if (bucket === 'commission') {
    const lacking = paid - (await balanceNow(tx, owner, currency, 'deposit'));
    return debt + earned + (lacking > 0n ? lacking : 0n);
  }
  const waiting = await waitingAmountOf(tx, owner.ownerId, currency);
  return debt + paid + waiting + (await lackingCommission(tx, owner.ownerId, currency));
}

/** What a supplier's commission lacks of what it earned by unproven payouts, in minor units: that has repaid a debt. */
export async function lackingCommission(tx: Tx, supplierId: bigint, currency: string): Promise<bigint> {
  const { earned } = await unprovenOf(tx, supplierId, currency);
  const supplier = { ownerKind: 'supplier', ownerId: supplierId } as const;
  const lacking = earned - (await balanceNow(tx, supplier, currency, 'commission'));
  return lacking > 0n ? lacking : 0n;
}

/** What a supplier was credited for its unproven payouts, and what it earned by them and as agent by those of others. */
async function unprovenOf(
  tx: Tx,
  supplierId: bigint,
  currency: string,
): Promise<{ readonly paid: bigint; readonly earned: bigint }> {
  const [own] = await tx.query<{ paid: bigint; earned: bigint }>(sql`
    select coalesce(sum(amount), 0)::bigint as paid, coalesce(sum(supplier_commission), 0)::bigint as earned
    from payout_orders where unproven and supplier_id = ${supplierId} and currency = ${currency}`);
  return { paid: own!.paid, earned: own!.earned + (await earnedAsAgent(tx, supplierId, currency)) };
}

/**
 * What a supplier earned as agent by other suppliers' unproven payouts. An order has only the sum of all its agents; the ledger has each
 * agent's part.
 */
async function earnedAsAgent(tx: Tx, agentId: bigint, currency: string): Promise<bigint> {
  const [row] = await tx.query<{ earned: bigint }>(sql`
    select coalesce(sum(e.amount), 0)::bigint as earned
    from payout_orders o join postings p on p.order_id = o.id and p.kind = 'payoutCompleted'
      join ledger_entries e on e.posting_id = p.id join ledger_accounts a on a.id = e.account_id
    where o.unproven and o.agent_commission > 0 and o.currency = ${currency} and o.supplier_id <> ${agentId}
      and a.owner_kind = 'supplier' and a.owner_id = ${agentId}`);
  return row!.earned;
}
