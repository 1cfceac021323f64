import type { Channel } from '@sangam/contract/products.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { SECOND } from '../clock.ts';
import { type Queryable, hot, sql } from '../db/database.ts';
import { kycApproved } from '../kyc/approved.ts';
import { type TermsDay, termsDayOf, termsLimitReached } from '../products/terms-day.ts';
import type { SettingValues } from '../settings/settings.ts';
import { type OpenMinutes, type Whitelists, isOutsideHours, isWelcome } from './openness.ts';

/** A receiving account for one product with all that allocation weighs. Amounts in minor units. */
export interface Candidate extends OpenMinutes, Whitelists {
  readonly accountId: bigint;
  readonly productId: number;
  readonly supplierId: bigint;
  readonly supplierName: string;
  readonly accountName: string;
  readonly channel: Channel;
  readonly weight: number;
  /** Of the supplier among suppliers; comes before the account's own. */
  readonly supplierWeight: number;
  readonly supplierDailyCountLimit: number | null;
  readonly supplierDailyAmountLimit: bigint | null;
  readonly enabled: boolean;
  readonly frozen: boolean;
  readonly supplierFrozen: boolean;
  readonly supplierEnabled: boolean;
  readonly supplierKyc: boolean;
  readonly ownershipProven: boolean;
  readonly lastSeenAt: Date | null;
  readonly minAmount: bigint;
  readonly maxAmount: bigint;
  readonly dailyCountLimit: number | null;
  readonly dailyAmountLimit: bigint | null;
  readonly maxWaiting: number;
  readonly floatSteps: number;
  readonly floatStepMinor: bigint;
  /** Shared by the account's candidates of several products. */
  readonly usage: Usage;
  /** Shared by the supplier's candidates of the product. */
  readonly supplierDay: TermsDay;
}

/** What an account carries now; counted on in memory while a batch is placed. */
export interface Usage {
  waitingCount: number;
  dayOrders: number;
  dayAmount: bigint;
  lastUsedMs: number;
}

/** An order as the rules of an account see it. */
export interface CandidateOrder {
  readonly amount: bigint;
  readonly merchantId: bigint;
  readonly userName: string | null;
}

/**
 * What the deposit of a supplier still carries: deposit above its floor less what already waits on its accounts and is not
 * held out of the deposit yet. While both kinds wait (the setting was just switched), timed-out holds may hide some.
 */
export type DepositRoom = Map<bigint, bigint>;

/** Every account of these products, refused ones too. */
export async function loadCandidates(
  db: Queryable,
  productIds: readonly number[],
  now: Date,
): Promise<Candidate[]> {
  const rows = (await Promise.all(productIds.map((id) => candidatesOf(db, id, now)))).flat();
  const usages = new Map<bigint, Usage>();
  const days = new Map<string, TermsDay>();
  return rows.map((found) => {
    const { waitingCount, dayOrders, dayAmount, lastUsedAt, supplierOrders, supplierAmount, ...row } = found;
    const dayKey = `${row.supplierId}/${row.productId}`;
    const supplierDay =
      days.get(dayKey) ??
      termsDayOf(
        { countLimit: row.supplierDailyCountLimit, amountLimit: row.supplierDailyAmountLimit },
        { orders: supplierOrders, amount: supplierAmount },
      );
    days.set(dayKey, supplierDay);
    const usage = usages.get(row.accountId) ?? {
      waitingCount,
      dayOrders,
      dayAmount,
      lastUsedMs: lastUsedAt?.getTime() ?? 0,
    };
    usages.set(row.accountId, usage);
    return { ...row, usage, supplierDay };
  });
}

type CandidateRow = Omit<Candidate, 'usage' | 'supplierDay'> &
  Omit<Usage, 'lastUsedMs'> & {
    lastUsedAt: Date | null;
    supplierOrders: number | null;
    supplierAmount: bigint | null;
  };

/**
 * Of one product: for a list of unknown length PostgreSQL would plan these nine tables anew each time (measured: longer
 * than it takes to read 50 accounts).
 */
function candidatesOf(db: Queryable, productId: number, now: Date): Promise<CandidateRow[]> {
  const day = businessDay(now);
  return db.query<CandidateRow>(
    hot(
      'candidates',
      sql`
    select r.account_id as "accountId", r.product_id as "productId", a.supplier_id as "supplierId",
      s.name as "supplierName", a.bank || ' ' || a.account_tail as "accountName", p.channel, r.weight,
      r.state = 0 as enabled, a.frozen, s.frozen as "supplierFrozen",
      s.enabled and coalesce(up.enabled, false) as "supplierEnabled",
      ${kycApproved('supplier', sql`a.supplier_id`, now)} as "supplierKyc",
      ${kycApproved('account', sql`a.id`, now)} as "ownershipProven",
      m.last_seen_at as "lastSeenAt",
      greatest(r.min_amount, coalesce(up.min_amount, r.min_amount)) as "minAmount",
      least(r.max_amount, coalesce(up.max_amount, r.max_amount)) as "maxAmount",
      a.daily_count_limit as "dailyCountLimit", a.daily_amount_limit as "dailyAmountLimit",
      a.max_waiting as "maxWaiting", a.opens_minute as "opensMinute", a.closes_minute as "closesMinute",
      a.merchant_whitelist::text[] as "merchantWhitelist", a.payer_whitelist as "payerWhitelist",
      coalesce(up.weight, 100) as "supplierWeight", up.daily_count_limit as "supplierDailyCountLimit",
      up.daily_amount_limit as "supplierDailyAmountLimit", td.orders as "supplierOrders", td.amount as "supplierAmount", p.float_steps as "floatSteps", p.float_step_minor as "floatStepMinor",
      l.waiting_count as "waitingCount", l.last_used_at as "lastUsedAt",
      coalesce(d.orders, 0) as "dayOrders", coalesce(d.amount, 0) as "dayAmount"
    from resources r
    join accounts a on a.id = r.account_id
    join suppliers s on s.id = a.supplier_id
    join products p on p.id = r.product_id
    join account_load l on l.account_id = a.id
    left join user_products up on up.owner_kind = 'supplier' and up.owner_id = s.id and up.product_id = r.product_id
    left join monitors m on m.id = a.monitor_id
    left join account_days d on d.account_id = a.id and d.day = ${day}
    left join user_product_days td
      on td.owner_kind = 'supplier' and td.owner_id = s.id and td.product_id = r.product_id and td.day = ${day}
    where r.product_id = ${productId}`,
    ),
  );
}

/** Ids of every account of a product, refused ones too. */
export async function accountsOf(db: Queryable, productId: number): Promise<bigint[]> {
  const rows = await db.query<{ id: bigint }>(sql`
    select account_id as id from resources where product_id = ${productId}`);
  return rows.map(({ id }) => id);
}

/**
 * Deposit room per currency and supplier of the products' accounts. Grouped, not one subquery a supplier: with 900 suppliers and
 * a plan kept from before they were many, those took half a second.
 */
export async function loadDepositRooms(
  db: Queryable,
  productIds: readonly number[],
): Promise<Map<string, DepositRoom>> {
  const rows = await db.query<{ supplierId: bigint; currency: string; room: bigint }>(
    hot(
      'deposit rooms',
      sql`
    with s as (
      select distinct a.supplier_id, p.currency
      from resources r join accounts a on a.id = r.account_id join products p on p.id = r.product_id
      where r.product_id = any(${productIds})
    ), deposits as (
      select l.owner_id, l.currency, sum(l.balance - coalesce(l.floor, 0)) as amount from ledger_accounts l
      where l.owner_kind = 'supplier' and l.bucket = 'deposit' and l.owner_id in (select supplier_id from s) group by 1, 2
    ), held as (
      select l.owner_id, l.currency, sum(l.balance) as amount from ledger_accounts l
      where l.owner_kind = 'supplier' and l.bucket = 'held' and l.owner_id in (select supplier_id from s) group by 1, 2
    ), waiting as (
      select a.supplier_id, a.currency, sum(l.waiting_amount) as amount from accounts a join account_load l on l.account_id = a.id
      where a.supplier_id in (select supplier_id from s) group by 1, 2
    )
    select s.supplier_id as "supplierId", s.currency,
      (coalesce(d.amount, 0) - greatest(0, coalesce(w.amount, 0) - coalesce(h.amount, 0)))::bigint as room
    from s
    left join deposits d on d.owner_id = s.supplier_id and d.currency = s.currency
    left join held h on h.owner_id = s.supplier_id and h.currency = s.currency
    left join waiting w on w.supplier_id = s.supplier_id and w.currency = s.currency`,
    ),
  );
  const rooms = new Map<string, DepositRoom>();
  for (const { currency, supplierId, room } of rows) {
    rooms.set(currency, (rooms.get(currency) ?? new Map<bigint, bigint>()).set(supplierId, room));
  }
  return rooms;
}

/**
 * The first rule that refuses a candidate whatever the order, or undefined. The names of rules are shown in the
 * allocation's explanation.
 */
export function standingRefusal(
  candidate: Candidate,
  now: Date,
  settings: SettingValues,
): string | undefined {
  if (candidate.frozen) return 'frozen';
  if (!candidate.enabled) return 'disabled';
  if (candidate.supplierFrozen) return 'supplierFrozen';
  if (!candidate.supplierEnabled) return 'supplierDisabled';
  if (settings.KYC && !candidate.supplierKyc) return 'kycMissing';
  if (settings.KYC && !candidate.ownershipProven) return 'ownershipUnproven';
  if (isOutsideHours(candidate, now)) return 'outsideHours';
  const seenSince = now.getTime() - settings.MonitorLiveTime * SECOND;
  if (candidate.lastSeenAt === null || candidate.lastSeenAt.getTime() < seenSince) return 'monitorOffline';
  return undefined;
}

/** The first rule that refuses a candidate for an order, or undefined when it may take it. */
export function refusalOf(
  candidate: Candidate,
  order: CandidateOrder,
  settings: SettingValues,
  room: DepositRoom,
): string | undefined {
  const { usage } = candidate;
  const { amount } = order;
  if (amount < candidate.minAmount || amount > candidate.maxAmount) return 'outsideLimits';
  if (!isWelcome(candidate, order)) return 'notWhitelisted';
  const limit = settings.LimitMode === 'enforce' ? limitReached(candidate, amount) : undefined;
  if (limit) return limit;
  const supplierLimit = termsLimitReached(candidate.supplierDay, amount);
  if (supplierLimit)
    return supplierLimit === 'count' ? 'supplierDailyCountReached' : 'supplierDailyAmountReached';
  if (usage.waitingCount >= candidate.maxWaiting) return 'busy';
  const { redWalletCount } = settings;
  if (candidate.channel === 'wallet' && redWalletCount > 0 && usage.waitingCount >= redWalletCount)
    return 'walletFull';
  if ((room.get(candidate.supplierId) ?? 0n) < amount) return 'depositInsufficient';
  return undefined;
}

/** The daily limit of the account that an order of this amount would go past. */
export function limitReached(
  { usage, dailyCountLimit, dailyAmountLimit }: Candidate,
  amount: bigint,
): 'dailyCountReached' | 'dailyAmountReached' | undefined {
  if (dailyCountLimit !== null && usage.dayOrders >= dailyCountLimit) return 'dailyCountReached';
  if (dailyAmountLimit !== null && usage.dayAmount + amount > dailyAmountLimit) return 'dailyAmountReached';
  return undefined;
}
