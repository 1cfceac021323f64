import type { MpesaType } from '@sangam/contract/account-kinds.ts';
import { type Queryable, type Sql, type Tx, hot, raw, sql } from '../platform/db/database.ts';
import { unnestRows } from '../platform/db/unnest-rows.ts';

/** A change of an account's load, as counted in account_load and account_days. */
export interface LoadChange {
  readonly accountId: bigint;
  /** Business day of the allocation. */
  readonly day: string;
  /** Orders that begin (+) or cease (−) to wait, and their payable sum. */
  readonly waiting: number;
  readonly waitingAmount: bigint;
  /** What payers may still pay of timed-out orders until their grace ends. */
  readonly graceAmount?: bigint;
  /** The change of the day's counts. A timed-out, unpaid order no longer counts. */
  readonly counted: number;
  readonly countedAmount: bigint;
  /** Orders that were paid. */
  readonly paid?: number;
}

/*
 * Rows of account_load and account_days are read newest generation first (`newestLoad`, `newestDay`). They are changed by their
 * whole key, never by account or day alone: the migration says why. Whoever changes an account's days changes its load first,
 * in the same transaction, so that the version of the load stands for both.
 */

const ANY_GENERATION = raw('9223372036854775807');

/**
 * SQL: the newest row of an account's load; nothing, or another account's row, where it has none. The comparison uses the whole
 * row: with the account alone PostgreSQL expects one row, reads all its versions through a bitmap and sorts them (35 ms instead
 * of 2 ms for 50 accounts of 500 versions each).
 */
export const newestLoad = (accountId: Sql): Sql => sql`
  select * from account_load where (account_id, generation) <= (${accountId}, ${ANY_GENERATION})
  order by account_id desc, generation desc limit 1`;

/** SQL: the newest row of an account's day; nothing, or another row, where it has none. */
export const newestDay = (accountId: Sql, day: Sql): Sql => sql`
  select * from account_days where (account_id, day, generation) <= (${accountId}, ${day}, ${ANY_GENERATION})
  order by account_id desc, day desc, generation desc limit 1`;

/** Locks the load rows in account order, so that allocations on one account run one after the other. */
export function lockLoad(
  tx: Tx,
  accountIds: readonly bigint[],
  day: string,
): Promise<({ accountId: bigint } & Carried)[]> {
  return tx.query(
    hot(
      'lock load',
      sql`
    select l.account_id as "accountId", l.version, l.waiting_count as "waitingCount",
      coalesce(d.orders, 0) as "dayOrders", coalesce(d.amount, 0) as "dayAmount"
    from (select id from unnest(${accountIds}::bigint[]) as v (id) order by id) v
    join lateral (${newestLoad(sql`v.id`)} for update) l on l.account_id = v.id
    left join lateral (${newestDay(sql`v.id`, sql`${day}::date`)}) d on d.account_id = v.id and d.day = ${day}`,
    ),
  );
}

/** The load of an account, with the version of the row it was read from. */
export interface Carried {
  readonly version: bigint;
  readonly waitingCount: number;
  readonly dayOrders: number;
  readonly dayAmount: bigint;
}

const LOAD = {
  accountId: 'bigint',
  n: 'int',
  amount: 'bigint',
  version: 'bigint',
  ordersThen: 'int',
  amountThen: 'bigint',
} as const;

/**
 * Adds orders that begin to wait. The transaction runs again unless each account's load still has the version that the caller
 * read and its day then has the counts that the caller expects: an account that was not locked may have changed.
 */
export function addLoad(
  tx: Tx,
  placed: readonly { readonly accountId: bigint; readonly payable: bigint }[],
  carriedThen: (accountId: bigint) => Carried,
  day: string,
  at: Date,
): void {
  if (placed.length === 0) return;
  const sums = new Map<bigint, { count: number; amount: bigint }>();
  for (const { accountId, payable } of placed) {
    const sum = sums.get(accountId);
    sums.set(accountId, { count: (sum?.count ?? 0) + 1, amount: (sum?.amount ?? 0n) + payable });
  }
  const loads = [...sums].map(([accountId, { count, amount }]) => {
    const { version, dayOrders, dayAmount } = carriedThen(accountId);
    return { accountId, n: count, amount, version, ordersThen: dayOrders, amountThen: dayAmount };
  });
  tx.send(
    hot(
      'add load',
      sql`
    with v as (
      select * from ${unnestRows(LOAD, loads)}
    ), loaded as (
      update account_load l set version = l.version + 1, waiting_count = l.waiting_count + v.n,
        waiting_amount = l.waiting_amount + v.amount, last_used_at = ${at}
      from v where l.account_id = v.account_id and l.generation = load_generation(v.version) and l.version = v.version
      returning v.*
    ), counted as (
      -- Out of those loaded: their locks come first, here as everywhere.
      insert into account_days as d (account_id, day, version, orders, amount, allocated)
      select account_id, ${day}::date, coalesce(known.version, 0), n, amount, n from loaded
      left join lateral (${versionOfDay(sql`loaded.account_id`, sql`${day}::date`)}) known on true
      on conflict (account_id, day, generation) do update set version = d.version + 1, orders = d.orders + excluded.orders,
        amount = d.amount + excluded.amount, allocated = d.allocated + excluded.allocated
      returning account_id, orders, amount
    )
    select assert_or_retry(count(*) = ${loads.length}) from loaded l join counted d on d.account_id = l.account_id
    where d.orders = l.orders_then and d.amount = l.amount_then`,
    ),
  );
}

/** The version and generation of a day's row; no row where the account has no such day. */
const versionOfDay = (accountId: Sql, day: Sql): Sql =>
  sql`select version, generation from (${newestDay(accountId, day)}) d where d.account_id = ${accountId} and d.day = ${day}`;

/** Applies a list of changes, summed per account, in account order. */
export function changeLoad(tx: Tx, changes: readonly LoadChange[], lastUsedAt: Date | null): void {
  if (changes.length === 0) return;
  const accounts = sumBy(changes, (change) => String(change.accountId));
  const days = sumBy(changes, (change) => `${change.accountId}/${change.day}`).filter(
    (sum) => sum.counted !== 0 || sum.countedAmount !== 0n || (sum.paid ?? 0) !== 0,
  );
  const ids = accounts.map((sum) => sum.accountId);
  lockLoads(tx, ids);
  tx.send(
    hot(
      'change loads',
      sql`
    update account_load l set version = l.version + 1, waiting_count = l.waiting_count + v.n,
      waiting_amount = l.waiting_amount + v.amount, grace_amount = l.grace_amount + v.grace,
      last_used_at = coalesce(${lastUsedAt}::timestamptz, l.last_used_at)
    from ${unnestRows(
      { accountId: 'bigint', n: 'int', amount: 'bigint', grace: 'bigint' },
      accounts.map((sum) => ({
        ...sum,
        n: sum.waiting,
        amount: sum.waitingAmount,
        grace: sum.graceAmount ?? 0n,
      })),
    )}
    cross join lateral (${newestLoad(sql`v.account_id`)}) newest
    where l.account_id = v.account_id and l.generation = newest.generation`,
    ),
  );
  if (days.length === 0) return;
  // Two steps: an upsert checks the proposed row (a negative change) before it finds the existing one.
  tx.send(
    hot(
      'begin days of accounts',
      sql`
    insert into account_days (account_id, day, orders, amount)
    select account_id, day, 0, 0 from ${unnestRows({ accountId: 'bigint', day: 'date' }, days)}
    where not exists (${versionOfDay(sql`v.account_id`, sql`v.day`)})`,
    ),
  );
  tx.send(
    hot(
      'change days of accounts',
      sql`
    update account_days d set version = d.version + 1, orders = d.orders + v.orders, amount = d.amount + v.amount,
      paid = d.paid + v.paid
    from ${unnestRows(
      { accountId: 'bigint', day: 'date', orders: 'int', amount: 'bigint', paid: 'int' },
      days.map((sum) => ({ ...sum, orders: sum.counted, amount: sum.countedAmount, paid: sum.paid ?? 0 })),
    )}
    cross join lateral (${versionOfDay(sql`v.account_id`, sql`v.day`)}) newest
    where d.account_id = v.account_id and d.day = v.day and d.generation = newest.generation`,
    ),
  );
}

/** Locks the loads in account order, so that changes of one account run one after the other. */
export function lockLoads(tx: Tx, accountIds: readonly bigint[]): void {
  tx.send(
    hot(
      'lock loads',
      sql`
    select from (select id from unnest(${accountIds}::bigint[]) as v (id) order by id) v
    cross join lateral (${newestLoad(sql`v.id`)} for update) l`,
    ),
  );
}

function sumBy(changes: readonly LoadChange[], keyOf: (change: LoadChange) => string): LoadChange[] {
  const sums = new Map<string, LoadChange>();
  for (const change of changes) {
    const sum = sums.get(keyOf(change));
    sums.set(
      keyOf(change),
      sum
        ? {
            ...sum,
            waiting: sum.waiting + change.waiting,
            waitingAmount: sum.waitingAmount + change.waitingAmount,
            graceAmount: (sum.graceAmount ?? 0n) + (change.graceAmount ?? 0n),
            counted: sum.counted + change.counted,
            countedAmount: sum.countedAmount + change.countedAmount,
            paid: (sum.paid ?? 0) + (change.paid ?? 0),
          }
        : change,
    );
  }
  return [...sums.values()];
}

/** What payers are shown of an account, and what messages are told apart by. */
export interface PayeeAccount {
  readonly id: bigint;
  readonly supplierId: bigint;
  readonly bank: string;
  readonly ownerName: string;
  readonly accountNumber: string;
  readonly ifsc: string | null;
  readonly vpa: string | null;
  readonly mpesaType: MpesaType | null;
  /** The account's rail has an API that we may call. */
  readonly hasApi: boolean;
}

export async function payeeAccounts(
  db: Queryable,
  accountIds: readonly bigint[],
): Promise<Map<bigint, PayeeAccount>> {
  const rows = await db.query<PayeeAccount>(
    hot(
      'payee accounts',
      sql`
    select id, supplier_id as "supplierId", bank, owner_name as "ownerName", account_number as "accountNumber", ifsc, vpa,
      mpesa_type as "mpesaType", credentials is not null as "hasApi"
    from accounts where id = any(${accountIds})`,
    ),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** What payers may still pay into a supplier's accounts, graces included, and what its deposit therefore has to carry. Minor units. */
export async function waitingAmountOf(db: Queryable, supplierId: bigint, currency: string): Promise<bigint> {
  const [row] = await db.query<{ amount: bigint }>(sql`
    select greatest(0, coalesce(sum(l.waiting_amount + l.grace_amount), 0) - coalesce((select h.balance from ledger_accounts h
      where h.owner_kind = 'supplier' and h.owner_id = ${supplierId} and h.currency = ${currency} and h.bucket = 'held'), 0))::bigint as amount
    from accounts a join account_load l on l.account_id = a.id
    where a.supplier_id = ${supplierId} and a.currency = ${currency}`);
  return row!.amount;
}
