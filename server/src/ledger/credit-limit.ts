import type { Currency } from '@sangam/contract/money.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { lockAccounts } from './store.ts';

/** How far below zero a supplier's deposit may go now. */
export async function depositLimit(tx: Tx, supplierId: bigint, currency: Currency): Promise<bigint> {
  const [account] = await tx.query<{ floor: bigint }>(sql`
    select floor from ledger_accounts
    where owner_kind = 'supplier' and owner_id = ${supplierId} and currency = ${currency} and bucket = 'deposit' and floor is not null`);
  return -(account?.floor ?? 0n);
}

/**
 * Locks a supplier's deposit and debt, and returns how low its own statements may take the deposit: to its floor, its debt, and what it was
 * credited for payouts that nothing but its statements proves.
 */
export async function lowestByOwnWord(tx: Tx, supplierId: bigint, currency: Currency): Promise<bigint> {
  const accounts = await tx.query<{ lowest: bigint }>(sql`
    select case bucket when 'debt' then -balance else coalesce(floor, 0) + unproven end as lowest from ledger_accounts
    where owner_kind = 'supplier' and owner_id = ${supplierId} and currency = ${currency} and bucket in ('deposit', 'debt')
    order by id for no key update`);
  return accounts.reduce((sum, { lowest }) => sum + lowest, 0n);
}

/**
 * Lets a supplier's deposit go down to minus the limit. Answers the limit before, or 'insufficient' when the deposit is lower
 * than that already.
 */
export async function setDepositLimit(
  platform: Platform,
  tx: Tx,
  supplierId: bigint,
  currency: Currency,
  limit: bigint,
): Promise<bigint | 'insufficient'> {
  const key = { ownerKind: 'supplier', ownerId: supplierId, currency, bucket: 'deposit', slot: 0, floor: 0n };
  const [account] = (await lockAccounts(platform, tx, [key])).values();
  if (account!.balance < -limit) return 'insufficient';
  await tx.query(sql`update ledger_accounts set floor = ${-limit} where id = ${account!.id}`);
  return -(account!.floor ?? 0n);
}
