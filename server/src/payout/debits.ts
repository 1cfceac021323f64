import { type Sql, type Tx, sql } from '../db/database.ts';
import type { PayoutOrder } from './order.ts';

/** SQL: the stored debit (alias `m`) has no payout, and had none that was taken back. */
export const OPEN_DEBIT: Sql = sql`(m.direction = 'debit' and m.state = 'ignored' and m.order_id is null
  and m.reason is distinct from 'reversed')`;

/**
 * SQL: the bank's number of a transfer is another payout's than this one's: of one that was taken back since, or by what a bank's
 * file says of its row, whatever has become of that. Its debit says nothing of this payout.
 */
export function isOfAnother(utr: Sql, orderId: Sql): Sql {
  return sql`(
    exists (select from payout_orders x where x.utr = ${utr} and x.reversed_at is not null and x.id <> ${orderId})
    or exists (select from payout_batch_orders x where x.bank_reference = ${utr} and x.order_id <> ${orderId}))`;
}

/**
 * The stored debit with this reference and the payout's amount that no payout has, of the paying account where it is known, else
 * of any of the supplier's; locked. Undefined unless exactly one, and for whom no supplier pays. The desk, whose word is proof
 * itself, may also take one that was another payout's before that was taken back.
 */
export async function lockDebit(
  tx: Tx,
  order: Pick<PayoutOrder, 'id' | 'supplierId' | 'accountId' | 'amount'>,
  reference: string | null,
  { isDesk = false } = {},
): Promise<{ id: bigint } | undefined> {
  const { id, supplierId, accountId, amount } = order;
  if (supplierId === null || reference === null) return undefined;
  const rows = await tx.query<{ id: bigint }>(sql`
    select m.id from messages m
    where m.utr = ${reference} and m.supplier_id = ${supplierId} and m.amount = ${amount}
      and (${accountId}::bigint is null or m.account_id = ${accountId})
      and m.direction = 'debit' and m.state = 'ignored' and m.order_id is null
      and (${isDesk} or ${OPEN_DEBIT} and not ${isOfAnother(sql`m.utr`, sql`${id}::bigint`)})
    order by m.id for update`);
  return rows.length === 1 ? rows[0] : undefined;
}

/** A stored debit that no payout has, locked; undefined when it has found one. */
export async function lockOpenDebit(tx: Tx, messageId: bigint): Promise<{ utr: string | null } | undefined> {
  const [message] = await tx.query<{ utr: string | null }>(sql`
    select m.utr from messages m where m.id = ${messageId} and ${OPEN_DEBIT} for update`);
  return message;
}
