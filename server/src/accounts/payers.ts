import { ACCOUNT_AREAS } from '@sangam/contract/account-kinds.ts';
import { type Queryable, type Sql, type Tx, sql } from '../platform/db/database.ts';
import { audit } from '../platform/audit/record.ts';
import type { Platform } from '../platform/platform.ts';
import { isOutsideHours, type OpenMinutes, type Whitelists } from './openness.ts';

/** A payout account that sends by itself, with its limits. Amounts in minor units. */
export interface Payer {
  readonly id: bigint;
  readonly accountNumber: string;
  readonly minAmount: bigint;
  readonly maxAmount: bigint;
  readonly merchantWhitelist: Whitelists['merchantWhitelist'];
  readonly dailyCountLimit: number | null;
  readonly dailyAmountLimit: bigint | null;
}

/**
 * Accounts that may pay new payouts of a product now: open, in their hours, with credentials (the signer has a wallet's);
 * heaviest first, then oldest.
 */
export async function openPayers(
  { clock }: Pick<Platform, 'clock'>,
  db: Queryable,
  kind: 'gateway' | 'mpesa' | 'usdt',
  productId: number,
): Promise<Payer[]> {
  const rows = await db.query<Payer & OpenMinutes>(sql`
    select a.id, a.account_number as "accountNumber", r.min_amount as "minAmount", r.max_amount as "maxAmount", a.daily_count_limit as "dailyCountLimit",
      a.daily_amount_limit as "dailyAmountLimit", a.opens_minute as "opensMinute", a.closes_minute as "closesMinute",
      a.merchant_whitelist::text[] as "merchantWhitelist"
    from accounts a join resources r on r.account_id = a.id join suppliers s on s.id = a.supplier_id
    where s.enabled and not s.frozen and a.kind = ${kind} and a.direction = 'out' and not a.frozen
      and (a.credentials is not null or a.kind = 'usdt')
      and r.product_id = ${productId} and r.state = 0
      and (a.pay_script_id is null
        or exists (select from pay_scripts p where p.id = a.pay_script_id and p.live_version is not null))
    order by r.weight desc, a.id`);
  return rows.filter((row) => !isOutsideHours(row, clock.now()));
}

/** Those of the payers that are still switched on for the product and not frozen. What was read of them before may be seconds old. */
export async function stillOpen(
  db: Queryable,
  payers: readonly Payer[],
  productId: number,
): Promise<Payer[]> {
  const open = await db.query<{ id: bigint }>(sql`
    select a.id from accounts a join suppliers s on s.id = a.supplier_id
    join resources r on r.account_id = a.id and r.product_id = ${productId} and r.state = 0
    where a.id = any(${payers.map(({ id }) => id)}) and not a.frozen and s.enabled and not s.frozen`);
  return payers.filter((payer) => open.some(({ id }) => id === payer.id));
}

/** An account that its supplier pays from by hand, named by bank and last four digits. */
export interface HandPayer {
  readonly accountId: bigint;
  readonly name: string;
}

/** Gateways, wallets and paybills send by themselves and are left out. */
const KEPT_BY_HAND = ACCOUNT_AREAS.payoutAccounts.kinds;

/** SQL: the name of a HandPayer (alias `a`). */
export const PAYER_NAME: Sql = sql`a.bank || ' ' || a.account_tail`;

/** The accounts a supplier may say it paid from by hand: its own, of the currency, open for some payout; oldest first. */
export function handPayers(db: Queryable, supplierId: bigint, currency: string): Promise<HandPayer[]> {
  return db.query<HandPayer>(sql`
    select a.id as "accountId", ${PAYER_NAME} as name from accounts a
    where a.supplier_id = ${supplierId} and a.currency = ${currency} and a.direction = 'out' and a.kind = any(${KEPT_BY_HAND})
      and not a.frozen and exists (select from resources r where r.account_id = a.id and r.state = 0)
    order by a.id`);
}

/** A payout wallet's address; undefined where the account is of another kind. */
export async function walletAddress(db: Queryable, accountId: bigint): Promise<string | undefined> {
  const [row] = await db.query<{ address: string }>(sql`
    select account_number as address from accounts where id = ${accountId} and kind = 'usdt' and direction = 'out'`);
  return row?.address;
}

/** Closes an account for new payouts until a person opens it again, with an audit row. False: the account was closed before. */
export async function closePayer(
  platform: Platform,
  tx: Tx,
  accountId: bigint,
  reason: string,
): Promise<boolean> {
  const closed = await tx.query<{ productId: number }>(sql`
    update resources set state = 1 where account_id = ${accountId} and state = 0 returning product_id as "productId"`);
  for (const { productId } of closed)
    await audit(platform, tx, {
      userId: null,
      action: 'resource.disable',
      subject: `resource:${accountId}/${productId}`,
      before: { state: 0 },
      after: { state: 1 },
      reason,
      ip: null,
    });
  return closed.length > 0;
}

/** Ids of the last transfers that the platform sent from a wallet, the last sent first; at most 20. */
export async function transfersSentLast(db: Queryable, accountId: bigint): Promise<string[]> {
  const rows = await db.query<{ txid: string }>(sql`
    select gateway_ref as txid from payout_orders
    where account_id = ${accountId} and taken_on is not null and gateway_ref ~ '^[0-9a-f]{64}$'
    order by taken_on desc, submitted_at desc nulls last limit 20`);
  return rows.map(({ txid }) => txid);
}
