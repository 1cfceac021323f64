import { type Queryable, type Tx, join, hot, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { columnNames, unnestRows } from '../platform/db/unnest-rows.ts';

export interface AccountKey {
  readonly ownerKind: string;
  readonly ownerId: bigint;
  readonly currency: string;
  readonly bucket: string;
  readonly slot: number;
  /** Floor of an account that is created now. An existing account keeps its own floor (a deposit's credit limit). */
  readonly floor: bigint | null;
}

/** The unique name of an account. */
export function accountName(key: Omit<AccountKey, 'floor'>): string {
  return `${key.ownerKind}/${key.ownerId}/${key.currency}/${key.bucket}/${key.slot}`;
}

export interface LedgerAccount {
  readonly id: bigint;
  readonly floor: bigint | null;
  readonly ownerKind: string;
  readonly ownerId: bigint;
  readonly currency: string;
  readonly bucket: string;
  readonly slot: number;
  balance: bigint;
}

export interface PostingRow {
  readonly id: bigint;
  readonly key: string;
  readonly kind: string;
  readonly orderId: bigint | null;
  readonly currency: string;
  readonly reverses: bigint | null;
  readonly reason: string | null;
  readonly userId: bigint | null;
  readonly createdAt: Date;
}

export interface EntryRow {
  readonly id: bigint;
  readonly postingId: bigint;
  readonly accountId: bigint;
  readonly amount: bigint;
  readonly balanceAfter: bigint;
  readonly createdAt: Date;
}

export async function existingKeys(tx: Tx, keys: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ key: string }>(
    hot('keys posted', sql`select key from postings where key = any(${keys})`),
  );
  return new Set(rows.map((row) => row.key));
}

function columnsOf(keys: readonly AccountKey[]) {
  return unnestRows(
    { ownerKind: 'text', ownerId: 'bigint', currency: 'text', bucket: 'text', slot: 'smallint' },
    keys,
    'k',
  );
}

/** Locks the accounts in id order and creates missing ones. The keys of the map are `accountName`s. */
export async function lockAccounts(
  platform: Platform,
  tx: Tx,
  wanted: readonly AccountKey[],
): Promise<Map<string, LedgerAccount>> {
  const keys = [...new Map(wanted.map((key) => [accountName(key), key])).values()];
  const lock = () =>
    tx.query<LedgerAccount>(
      hot(
        'lock ledger accounts',
        sql`
      select a.id, a.floor, a.owner_kind as "ownerKind", a.owner_id as "ownerId", a.currency, a.bucket, a.slot, a.balance
      from ${columnsOf(keys)} join ledger_accounts a using (owner_kind, owner_id, currency, bucket, slot)
      order by a.id for no key update of a`,
      ),
    );
  let rows = await lock();
  if (rows.length < keys.length) {
    const found = new Set(rows.map(accountName));
    const missing = keys.filter((key) => !found.has(accountName(key)));
    await tx.query(sql`
      insert into ledger_accounts (id, owner_kind, owner_id, currency, bucket, slot, floor)
      values ${join(missing.map((key) => sql`(${platform.ids.next()}, ${key.ownerKind}, ${key.ownerId}, ${key.currency}, ${key.bucket}, ${key.slot}, ${key.floor}::bigint)`))}
      on conflict do nothing`);
    rows = await lock();
  }
  return new Map(rows.map((row) => [accountName(row), row]));
}

const ENTRY = {
  id: 'bigint',
  postingId: 'bigint',
  accountId: 'bigint',
  amount: 'bigint',
  balanceAfter: 'bigint',
  createdAt: 'timestamptz',
} as const;

const POSTING = {
  id: 'bigint',
  key: 'text',
  kind: 'text',
  orderId: 'bigint',
  currency: 'text',
  reverses: 'bigint',
  reason: 'text',
  userId: 'bigint',
  createdAt: 'timestamptz',
} as const;

/**
 * Writes postings with their entries in one statement. `entry_sum` is computed from the inserted rows themselves, so its check
 * constraint makes the database enforce double entry.
 */
export function insertPostings(
  tx: Tx,
  postings: readonly PostingRow[],
  entries: readonly EntryRow[],
  accounts: readonly LedgerAccount[],
): void {
  if (postings.length === 0) return;
  tx.send(
    hot(
      'insert postings',
      sql`
    with e as (
      select * from ${unnestRows(ENTRY, entries, 'e')}
    ), p as (
      select * from ${unnestRows(POSTING, postings, 'p')}
    ), written as (
      insert into ledger_entries (${columnNames(ENTRY)}) select * from e
      returning posting_id, amount
    )
    insert into postings (id, key, kind, order_id, currency, entry_count, entry_sum, reverses, reason, user_id, created_at)
    select p.id, p.key, p.kind, p.order_id, p.currency, w.entry_count, w.entry_sum, p.reverses, p.reason, p.user_id, p.created_at
    from p join (select posting_id, count(*) as entry_count, sum(amount) as entry_sum from written group by posting_id) w
      on w.posting_id = p.id`,
    ),
  );
  tx.send(
    hot(
      'write balances',
      sql`
    update ledger_accounts a set balance = v.balance
    from ${unnestRows({ id: 'bigint', balance: 'bigint' }, accounts)}
    where a.id = v.id and a.balance <> v.balance`,
    ),
  );
}

export interface BalanceRow {
  readonly ownerKind: 'merchant' | 'supplier' | 'platform';
  readonly ownerId: bigint;
  readonly currency: 'INR' | 'KES' | 'USDT';
  readonly bucket: string;
  readonly balance: bigint;
}

/** Balances of some owners, slots added up. */
export function balancesOf(
  db: Queryable,
  ownerKind: 'merchant' | 'supplier',
  ownerIds: readonly bigint[],
): Promise<BalanceRow[]> {
  return db.query<BalanceRow>(sql`
    select owner_kind as "ownerKind", owner_id as "ownerId", currency, bucket, sum(balance)::bigint as balance
    from ledger_accounts where owner_kind = ${ownerKind} and owner_id = any(${ownerIds})
    group by 1, 2, 3, 4 order by 2, 3, 4`);
}

/** Sums over all owners of each kind. */
export function totalBalances(db: Queryable): Promise<Omit<BalanceRow, 'ownerId'>[]> {
  return db.query(sql`
    select owner_kind as "ownerKind", currency, bucket, sum(balance)::bigint as balance
    from ledger_accounts group by 1, 2, 3 order by 1, 2, 3`);
}
