import { businessDay } from '@sangam/contract/time.ts';
import { type Tx, hot, sql } from '../platform/db/database.ts';
import { perPlatform } from '../platform/node-state.ts';
import type { Platform } from '../platform/platform.ts';
import { type TermsDay, termsDayOf } from '../terms/products/terms-day.ts';
import type { Candidate, DepositRoom, Usage } from './candidates.ts';
import { newestDay, newestLoad } from './load.ts';
import { type Offers, readOffers } from './offers.ts';

/** What allocation chooses from. */
export interface AllocationPool {
  /** Every account of the products, refused ones too: the explanation names each. */
  readonly candidates: readonly Candidate[];
  /** By currency. */
  readonly rooms: ReadonlyMap<string, DepositRoom>;
}

interface Known extends Offers {
  readonly version: bigint;
}
const memory = perPlatform(() => new Map<number, Known>());

/**
 * Reads, without locks, the accounts of these products and the room of their suppliers' deposits. What people have set up is
 * remembered with its version, and is used while the version read together with the moving numbers is the same. Not for a
 * transaction that itself changes what people set up: it would remember changes that may be rolled back.
 */
export async function readAllocationPool(
  platform: Platform,
  tx: Tx,
  productIds: readonly number[],
  at: Date,
): Promise<AllocationPool> {
  const products = [...new Set(productIds)];
  const known = memory(platform);
  for (;;) {
    const remembered = products.flatMap((id) => known.get(id) ?? []);
    const state = await readState(tx, products, remembered, businessDay(at));
    const { version } = state;
    if (remembered.length === products.length && remembered.every((each) => each.version === version))
      return poolOf(remembered, state);
    // Read after the version: at worst the data is newer than the version says, and is read again next time.
    const read = await Promise.all(products.map((id) => readOffers(tx, id)));
    products.forEach((id, index) => known.set(id, { ...read[index]!, version }));
  }
}

/** What changes with every order. */
interface State {
  readonly version: bigint;
  readonly accounts: ReadonlyMap<bigint, Usage & { readonly payableAmount: bigint }>;
  readonly lastSeenMs: ReadonlyMap<bigint, number>;
  /** Deposits above their floor, without debt and what is unproven, and what is held from them; by supplier and currency. */
  readonly deposits: ReadonlyMap<string, bigint>;
  readonly held: ReadonlyMap<string, bigint>;
  /** By supplier and product. */
  readonly days: ReadonlyMap<string, { readonly orders: number; readonly amount: bigint }>;
}

interface StateRow {
  readonly kind: 'version' | 'account' | 'monitor' | 'deposit' | 'held' | 'day';
  readonly id: bigint;
  readonly currency: string | null;
  readonly count: number | null;
  readonly amount: bigint | null;
  readonly dayOrders: number | null;
  readonly dayAmount: bigint | null;
  readonly ms: number | null;
  readonly version: bigint | null;
}

/**
 * One statement, because deposits and waiting amounts must come from one snapshot, and because one statement costs less than
 * five (each takes a few microseconds of key look-ups).
 */
async function readState(
  tx: Tx,
  productIds: readonly number[],
  known: readonly Known[],
  day: string,
): Promise<State> {
  const accountIds = idsOf(known.flatMap((each) => each.depositAccounts.map((account) => account.accountId)));
  const supplierIds = idsOf(
    known.flatMap((each) => each.depositAccounts.map((account) => account.supplierId)),
  );
  const monitorIds = idsOf(known.flatMap((each) => each.offers.flatMap((offer) => offer.monitorId ?? [])));
  const rows = await tx.query<StateRow>(
    hot(
      'pool state',
      sql`
    select 'version' as kind, version as id, null as currency, null::int as count, null::bigint as amount, null::int as "dayOrders",
      null::bigint as "dayAmount", null::float8 as ms, null::bigint as version
    from allocation_pool_version
    union all
    select 'account', l.account_id, null, l.waiting_count, l.waiting_amount + l.grace_amount, d.orders, d.amount,
      extract(epoch from l.last_used_at)::float8 * 1000, l.version
    from unnest(${accountIds}::bigint[]) as v (id)
    join lateral (${newestLoad(sql`v.id`)}) l on l.account_id = v.id
    left join lateral (${newestDay(sql`v.id`, sql`${day}::date`)}) d on d.account_id = v.id and d.day = ${day}
    union all
    select 'monitor', id, null, null, null, null, null, extract(epoch from last_seen_at)::float8 * 1000, null
    from monitors where id = any(${monitorIds}::bigint[])
    union all
    select case bucket when 'held' then bucket else 'deposit' end as of, owner_id, currency, null,
      sum(balance - unproven - case bucket when 'deposit' then coalesce(floor, 0) else 0 end)::bigint,
      null, null, null, null
    from ledger_accounts
    where owner_kind = 'supplier' and owner_id = any(${supplierIds}::bigint[]) and bucket in ('deposit', 'debt', 'held')
    group by of, owner_id, currency
    union all
    select 'day', owner_id, null, product_id, null, orders, amount, null, null
    from user_product_days
    where owner_kind = 'supplier' and owner_id = any(${supplierIds}::bigint[]) and product_id = any(${productIds}::int[])
      and day = ${day}`,
    ),
  );
  const accounts = new Map<bigint, Usage & { payableAmount: bigint }>();
  const lastSeenMs = new Map<bigint, number>();
  const balances = { deposit: new Map<string, bigint>(), held: new Map<string, bigint>() };
  const days = new Map<string, { orders: number; amount: bigint }>();
  let version: bigint | undefined;
  for (const { kind, id, currency, count, amount, dayOrders, dayAmount, ms, version: loadVersion } of rows) {
    if (kind === 'version') version = id;
    else if (kind === 'account')
      accounts.set(id, {
        version: loadVersion!,
        waitingCount: count!,
        payableAmount: amount!,
        dayOrders: dayOrders ?? 0,
        dayAmount: dayAmount ?? 0n,
        lastUsedMs: ms ?? 0,
      });
    else if (kind === 'monitor') lastSeenMs.set(id, ms ?? Number.NEGATIVE_INFINITY);
    else if (kind === 'day') days.set(`${id}/${count}`, { orders: dayOrders!, amount: dayAmount! });
    else balances[kind].set(`${id}/${currency}`, amount!);
  }
  return { version: version!, accounts, lastSeenMs, deposits: balances.deposit, held: balances.held, days };
}

const idsOf = (ids: readonly bigint[]): string => `{${[...new Set(ids)].join(',')}}`;

function poolOf(known: readonly Known[], state: State): AllocationPool {
  const days = new Map<string, TermsDay>();
  const dayOf = (offer: Known['offers'][number]): TermsDay => {
    const key = `${offer.supplierId}/${offer.productId}`;
    const counted = state.days.get(key) ?? { orders: null, amount: null };
    const day =
      days.get(key) ??
      termsDayOf(
        { countLimit: offer.supplierDailyCountLimit, amountLimit: offer.supplierDailyAmountLimit },
        counted,
      );
    days.set(key, day);
    return day;
  };
  const candidates = known.flatMap(({ offers }) =>
    offers.flatMap((offer): Candidate | [] => {
      const usage = state.accounts.get(offer.accountId);
      const lastSeenMs = offer.monitorId === null ? undefined : state.lastSeenMs.get(offer.monitorId);
      if (!usage) return [];
      return {
        ...offer,
        usage,
        supplierDay: dayOf(offer),
        lastSeenMs: lastSeenMs ?? Number.NEGATIVE_INFINITY,
      };
    }),
  );
  return { candidates, rooms: roomsOf(known, state) };
}

/**
 * The room of deposits: what is above their floor, less the suppliers' debts and what only they say they have paid out, and less what
 * payers can still pay into the suppliers' accounts (graces included) and is not held from the deposits yet.
 */
function roomsOf(known: readonly Known[], state: State): Map<string, DepositRoom> {
  const accounts = known.flatMap(({ depositAccounts }) => depositAccounts);
  const payable = new Map<string, bigint>();
  const rooms = new Map<string, DepositRoom>();
  for (const { accountId, supplierId, currency } of new Map(
    accounts.map((account) => [account.accountId, account]),
  ).values()) {
    const key = `${supplierId}/${currency}`;
    const sum = (payable.get(key) ?? 0n) + (state.accounts.get(accountId)?.payableAmount ?? 0n);
    payable.set(key, sum);
    const unheld = sum - (state.held.get(key) ?? 0n);
    const room = (state.deposits.get(key) ?? 0n) - (unheld > 0n ? unheld : 0n);
    rooms.set(currency, (rooms.get(currency) ?? new Map<bigint, bigint>()).set(supplierId, room));
  }
  return rooms;
}
