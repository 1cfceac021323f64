import { type Tx, sql } from '../platform/db/database.ts';

/** What a gateway reports of a payment of one of its orders. */
export interface Told {
  readonly orderId: bigint;
  readonly accountId: bigint;
  readonly by: 'question' | 'notice';
  /** The payment's name in this kind of report. */
  readonly name: string;
  /** Minor units. */
  readonly amount: bigint;
  readonly utr: string | null;
}

/**
 * Whether a gateway reports a payment that is new to us. Holds the order's page until the transaction ends. A payment with this sum and no
 * other UTR that was reported only in the other way is this one: it gets its name of this way too.
 */
export async function isNewPayment(tx: Tx, told: Told): Promise<boolean> {
  const { orderId, accountId, by, name, amount, utr } = told;
  const [own, other] =
    by === 'question' ? [sql`by_question`, sql`by_notice`] : [sql`by_notice`, sql`by_question`];
  const page = sql`order_id = ${orderId} and account_id = ${accountId}`;
  await tx.query(sql`select from hosted_pages where ${page} for update`);
  const known = await tx.query(sql`
    update hosted_payments set ${own} = ${name}, utr = coalesce(utr, ${utr})
    where ctid = (
      select ctid from hosted_payments where ${page} and (${own} = ${name} or ${own} is null and (${other} = ${name}
        or amount = ${amount} and (utr is null or ${utr}::text is null or utr = ${utr})))
      order by ${own} = ${name} desc nulls last, ${other} = ${name} desc limit 1)
    returning 1`);
  if (known.length > 0) return false;
  await tx.query(sql`
    insert into hosted_payments (order_id, account_id, amount, utr, ${own})
    values (${orderId}, ${accountId}, ${amount}, ${utr}, ${name})`);
  return true;
}
