import type { Channel } from '@sangam/contract/products.ts';
import { type Tx, hot, sql } from '../platform/db/database.ts';
import { kycApprovedUntilMs } from '../terms/kyc/approved.ts';
import type { PayeeAccount } from './load.ts';
import type { OpenMinutes, Whitelists } from './openness.ts';

/**
 * What people have set up for an account and one product. Only people change it, and each change gives the pool a new version
 * (allocation_pool_version). Amounts in minor units.
 */
export interface Offer extends OpenMinutes, Whitelists {
  readonly accountId: bigint;
  readonly productId: number;
  readonly supplierId: bigint;
  readonly supplierName: string;
  readonly accountName: string;
  readonly channel: Channel;
  readonly weight: number;
  /** The weight of the supplier among suppliers; compared before the account's own weight. */
  readonly supplierWeight: number;
  readonly supplierDailyCountLimit: number | null;
  readonly supplierDailyAmountLimit: bigint | null;
  readonly enabled: boolean;
  readonly frozen: boolean;
  readonly supplierFrozen: boolean;
  readonly supplierEnabled: boolean;
  /** Infinity where the record does not expire, −Infinity where it is not approved. */
  readonly supplierKycUntilMs: number;
  readonly ownershipProvenUntilMs: number;
  readonly monitorId: bigint | null;
  readonly minAmount: bigint;
  readonly maxAmount: bigint;
  readonly dailyCountLimit: number | null;
  readonly dailyAmountLimit: bigint | null;
  readonly maxWaiting: number;
  readonly floatSteps: number;
  readonly floatStepMinor: bigint;
  readonly payee: PayeeAccount;
}

/** An account of a supplier with offers. Whatever waits on it, for any product, is charged to the same deposit. */
export interface DepositAccount {
  readonly accountId: bigint;
  readonly supplierId: bigint;
  readonly currency: string;
}

export interface Offers {
  readonly offers: readonly Offer[];
  readonly depositAccounts: readonly DepositAccount[];
}

/**
 * Every account of one product, refused ones too. One product a call: for a list of unknown length PostgreSQL would plan the
 * query each time (measured: planning took longer than reading 50 accounts).
 */
export async function readOffers(tx: Tx, productId: number): Promise<Offers> {
  type OfferRow = Omit<Offer, 'payee'> & Omit<PayeeAccount, 'id' | 'supplierId'>;
  const [offers, depositAccounts] = await Promise.all([
    tx.query<OfferRow>(
      hot(
        'offers',
        sql`
    select r.account_id as "accountId", r.product_id as "productId", a.supplier_id as "supplierId",
      s.name as "supplierName", a.bank || ' ' || a.account_tail as "accountName", p.channel, r.weight,
      r.state = 0 as enabled, a.frozen, s.frozen as "supplierFrozen",
      s.enabled and coalesce(up.enabled, false) as "supplierEnabled",
      ${kycApprovedUntilMs('supplier', sql`a.supplier_id`)} as "supplierKycUntilMs",
      ${kycApprovedUntilMs('account', sql`a.id`)} as "ownershipProvenUntilMs",
      a.monitor_id as "monitorId",
      greatest(r.min_amount, coalesce(up.min_amount, r.min_amount)) as "minAmount",
      least(r.max_amount, coalesce(up.max_amount, r.max_amount)) as "maxAmount",
      a.daily_count_limit as "dailyCountLimit", a.daily_amount_limit as "dailyAmountLimit",
      a.max_waiting as "maxWaiting", a.opens_minute as "opensMinute", a.closes_minute as "closesMinute",
      a.merchant_whitelist::text[] as "merchantWhitelist", a.payer_whitelist as "payerWhitelist",
      coalesce(up.weight, 100) as "supplierWeight", up.daily_count_limit as "supplierDailyCountLimit",
      up.daily_amount_limit as "supplierDailyAmountLimit", p.float_steps as "floatSteps", p.float_step_minor as "floatStepMinor",
      a.bank, a.owner_name as "ownerName", a.account_number as "accountNumber", a.ifsc, a.vpa,
      a.mpesa_type as "mpesaType", a.credentials is not null as "hasApi"
    from resources r
    join accounts a on a.id = r.account_id
    join suppliers s on s.id = a.supplier_id
    join products p on p.id = r.product_id
    left join user_products up on up.owner_kind = 'supplier' and up.owner_id = s.id and up.product_id = r.product_id
    where r.product_id = ${productId}`,
      ),
    ),
    tx.query<DepositAccount>(
      hot(
        'deposit accounts',
        sql`
    select a.id as "accountId", a.supplier_id as "supplierId", a.currency from accounts a
    where a.supplier_id in (select o.supplier_id from resources r join accounts o on o.id = r.account_id where r.product_id = ${productId})`,
      ),
    ),
  ]);
  return {
    offers: offers.map(({ bank, ownerName, accountNumber, ifsc, vpa, mpesaType, hasApi, ...offer }) => {
      const { accountId: id, supplierId } = offer;
      return {
        ...offer,
        payee: { id, supplierId, bank, ownerName, accountNumber, ifsc, vpa, mpesaType, hasApi },
      };
    }),
    depositAccounts,
  };
}
