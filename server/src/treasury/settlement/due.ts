import type { Currency } from '@sangam/contract/money.ts';
import { type Queryable, sql } from '../../platform/db/database.ts';
import { dayOfSlot } from './due-day.ts';

/** A merchant's pending money in minor units, by currency and the business day (`YYYY-MM-DD`) on which it becomes available. */
export async function dueOfMerchant(
  db: Queryable,
  merchantId: bigint,
): Promise<{ currency: Currency; day: string; amount: number }[]> {
  const rows = await db.query<{ currency: Currency; slot: number; amount: bigint }>(sql`
    select currency, slot, balance as amount from ledger_accounts
    where owner_kind = 'merchant' and owner_id = ${merchantId} and bucket = 'pending' and balance > 0 order by slot, currency`);
  return rows.map(({ currency, slot, amount }) => ({
    currency,
    day: dayOfSlot(slot),
    amount: Number(amount),
  }));
}
