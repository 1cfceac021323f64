import type { Channel } from '@sangam/contract/products.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { SECOND } from '../clock.ts';
import { type Queryable, hot, sql } from '../db/database.ts';
import { kycApproved } from '../kyc/approved.ts';
import type { SettingValues } from '../settings/settings.ts';

/** A receiving account for one product with all that allocation weighs. Amounts in minor units. */
export interface Candidate {
  readonly accountId: bigint;
  readonly productId: number;
  readonly supplierId: bigint;
  readonly supplierName: string;
  readonly accountName: string;
  readonly channel: Channel;
  readonly weight: number;
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
}

/** What an account carries now; counted on in memory while a batch is placed. */
export interface Usage {
  waitingCount: number;
  dayOrders: number;
  dayAmount: bigint;
  lastUsedMs: number;
}

/** What the deposit of a supplier still carries: deposit above its floor less what already waits on its accounts. */
export type DepositRoom = Map<bigint, bigint>;

/** Every account of these products, refused ones too. */
export async function loadCandidates(
  db: Queryable,
  productIds: readonly number[],
  now: Date,
): Promise<Candidate[]> {
  const rows = (await Promise.all(productIds.map((id) => candidatesOf(db, id, now)))).flat();
  const usages = new Map<bigint, Usage>();
  return rows.map(({ waitingCount, dayOrders, dayAmount, lastUsedAt, ...row }) => {
    const usage = usages.get(row.accountId) ?? {
      waitingCount,
      dayOrders,
      dayAmount,
      lastUsedMs: lastUsedAt?.getTime() ?? 0,
    };
    usages.set(row.accountId, usage);
    return { ...row, usage };
  });
}

type CandidateRow = Omit<Candidate, 'usage'> & Omit<Usage, 'lastUsedMs'> & { lastUsedAt: Date | null };

/**
 * Of one product: for a list of unknown length PostgreSQL would plan these eight tables anew each time (measured: longer
 * than it takes to read 50 accounts).
 */
function candidatesOf(db: Queryable, productId: number, now: Date): Promise<CandidateRow[]> {
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
      a.max_waiting as "maxWaiting", p.float_steps as "floatSteps", p.float_step_minor as "floatStepMinor",
      l.waiting_count as "waitingCount", l.last_used_at as "lastUsedAt",
      coalesce(d.orders, 0) as "dayOrders", coalesce(d.amount, 0) as "dayAmount"
    from resources r
    join accounts a on a.id = r.account_id
    join suppliers s on s.id = a.supplier_id
    join products p on p.id = r.product_id
    join account_load l on l.account_id = a.id
    left join user_products up on up.owner_kind = 'supplier' and up.owner_id = s.id and up.product_id = r.product_id
    left join monitors m on m.id = a.monitor_id
    left join account_days d on d.account_id = a.id and d.day = ${businessDay(now)}
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

/** Deposit room per currency and supplier of the products' accounts. */
export async function loadDepositRooms(
  db: Queryable,
  productIds: readonly number[],
): Promise<Map<string, DepositRoom>> {
  const rows = await db.query<{ supplierId: bigint; currency: string; room: bigint }>(
    hot(
      'deposit rooms',
      sql`
    select s.supplier_id as "supplierId", s.currency,
      coalesce((select sum(l.balance - coalesce(l.floor, 0)) from ledger_accounts l
        where l.owner_kind = 'supplier' and l.owner_id = s.supplier_id and l.currency = s.currency and l.bucket = 'deposit'), 0)::bigint
      - coalesce((select sum(al.waiting_amount) from accounts a join account_load al on al.account_id = a.id
        where a.supplier_id = s.supplier_id and a.currency = s.currency), 0)::bigint as room
    from (
      select distinct a.supplier_id, p.currency
      from resources r join accounts a on a.id = r.account_id join products p on p.id = r.product_id
      where r.product_id = any(${productIds})
    ) s`,
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
  const seenSince = now.getTime() - settings.MonitorLiveTime * SECOND;
  if (candidate.lastSeenAt === null || candidate.lastSeenAt.getTime() < seenSince) return 'monitorOffline';
  return undefined;
}

/** The first rule that refuses a candidate for an amount, or undefined when it may take the order. */
export function refusalOf(
  candidate: Candidate,
  amount: bigint,
  settings: SettingValues,
  room: DepositRoom,
): string | undefined {
  const { usage } = candidate;
  if (amount < candidate.minAmount || amount > candidate.maxAmount) return 'outsideLimits';
  if (settings.LimitMode === 'enforce') {
    if (candidate.dailyCountLimit !== null && usage.dayOrders >= candidate.dailyCountLimit)
      return 'dailyCountReached';
    if (candidate.dailyAmountLimit !== null && usage.dayAmount + amount > candidate.dailyAmountLimit)
      return 'dailyAmountReached';
  }
  if (usage.waitingCount >= candidate.maxWaiting) return 'busy';
  const { redWalletCount } = settings;
  if (candidate.channel === 'wallet' && redWalletCount > 0 && usage.waitingCount >= redWalletCount)
    return 'walletFull';
  if ((room.get(candidate.supplierId) ?? 0n) < amount) return 'depositInsufficient';
  return undefined;
}
