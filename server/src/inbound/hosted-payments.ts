import { amountText, type Currency } from '@sangam/contract/money.ts';
import { ADMINS } from '@sangam/contract/roles.ts';
import type { CollectionOrder } from '../collection/order.ts';
import { notifyWentBack } from '../evidence/matching/went-back.ts';
import { SYSTEM, writeEvents } from '../history/events.ts';
import { notify } from '../inbox/notify.ts';
import { type Sql, type Tx, sql } from '../platform/db/database.ts';
import { lowestIdAfter } from '../platform/db/ids.ts';
import type { Platform } from '../platform/platform.ts';

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
 * Whether a payment that a gateway reports is new to us. Holds the order's page until the transaction ends. A payment with this sum and no
 * other UTR that was reported only in the other way is this one: it gets its name of this way too. 'otherSum': the payment is known, and the
 * gateway states another sum than before.
 */
export async function notePayment(tx: Tx, told: Told): Promise<'new' | 'known' | 'otherSum'> {
  const { orderId, accountId, by, name, amount, utr } = told;
  const [own, other] =
    by === 'question' ? [sql`by_question`, sql`by_notice`] : [sql`by_notice`, sql`by_question`];
  const page = await holdPage(tx, orderId, accountId);
  const [known] = await tx.query<{ isSum: boolean }>(sql`
    update hosted_payments set ${own} = ${name}, utr = coalesce(utr, ${utr})
    where ctid = (
      select ctid from hosted_payments where ${page} and (${own} = ${name} or ${own} is null and (${other} = ${name}
        or amount = ${amount} and (utr is null or ${utr}::text is null or utr = ${utr})))
      order by ${own} = ${name} desc nulls last, ${other} = ${name} desc limit 1)
    returning amount = ${amount} as "isSum"`);
  if (known) return known.isSum ? 'known' : 'otherSum';
  await tx.query(sql`
    insert into hosted_payments (order_id, account_id, amount, utr, ${own})
    values (${orderId}, ${accountId}, ${amount}, ${utr}, ${name})`);
  return 'new';
}

async function holdPage(tx: Tx, orderId: bigint, accountId: bigint): Promise<Sql> {
  const page = sql`order_id = ${orderId} and account_id = ${accountId}`;
  await tx.query(sql`select from hosted_pages where ${page} for update`);
  return page;
}

/**
 * A gateway states another sum for a payment that it has reported before: it may have added a part payment, or corrected itself. The admins
 * are notified, once for each payment and sum. Of an order in the archive they are notified at each report, because its history is closed.
 */
export async function noteOtherSum(
  platform: Platform,
  tx: Tx,
  { orderId, name, amount }: Told,
  currency: Currency,
  order: CollectionOrder | undefined,
): Promise<void> {
  const data = { said: 'otherSum', payment: name, amount: Number(amount) };
  if (order) {
    const told = await tx.query(sql`
      select from order_events e where e.order_id = ${orderId} and e.id > ${lowestIdAfter(orderId)} and e.kind = 'contradicted'
        and e.data @> ${JSON.stringify(data)}::jsonb`);
    if (told.length > 0) return;
    const { status } = order;
    await writeEvents(platform, tx, [
      { orderId, kind: 'contradicted', from: status, to: status, actor: SYSTEM, data },
    ]);
  }
  await notify(platform, tx, { roles: ADMINS }, 'otherSumStated', {
    order: String(orderId),
    payment: name,
    amount: `${currency} ${amountText(amount, currency)}`,
  });
}

/** A payment that failed: its order, its account, and its name if the gateway states one. */
type Failed = Pick<Told, 'orderId' | 'accountId'> & { readonly name: string | null };

/** SQL: the gateway has reported this payment as paid before, or it states no name. */
const mayHavePaid = ({ orderId, accountId, name }: Failed): Sql => sql`(${name}::text is null or exists (
  select from hosted_payments where order_id = ${orderId} and account_id = ${accountId} and ${name} in (by_question, by_notice)))`;

/**
 * A gateway says that a payment failed which has paid its order: it was refunded or charged back. The admins are notified, once; they
 * reverse the order. A payment with another name is one that never paid.
 */
export async function noteFailed(platform: Platform, tx: Tx, failed: Failed): Promise<void> {
  const { orderId, accountId } = failed;
  await holdPage(tx, orderId, accountId);
  const [paid] = await tx.query<{ currency: string; amount: bigint; utr: string | null; status: number }>(sql`
    select o.currency, o.received as amount, o.utr, o.status from collection_orders o
    where o.id = ${orderId} and o.account_id = ${accountId} and o.received is not null and o.reversed_at is null
      and ${mayHavePaid(failed)}
      and not exists (select from order_events e
        where e.order_id = o.id and e.id > ${lowestIdAfter(orderId)} and e.kind = 'contradicted'
          and e.data->>'said' in ('failed', 'wentBack'))`);
  if (!paid) return;
  const { status, ...money } = paid;
  await writeEvents(platform, tx, [
    { orderId, kind: 'contradicted', from: status, to: status, actor: SYSTEM, data: { said: 'failed' } },
  ]);
  await notifyWentBack(platform, tx, { orderId, ...money });
}

/** The same of an order in the archive. Its history is closed, so the admins are notified at each report. */
export async function noteFailedOfArchived(
  platform: Platform,
  tx: Tx,
  { currency, received: amount, utr, accountId, reversedAt }: CollectionOrder,
  failed: Failed,
): Promise<void> {
  if (amount === null || reversedAt !== null || accountId !== failed.accountId) return;
  const [paid] = await tx.query(sql`select 1 where ${mayHavePaid(failed)}`);
  if (paid) await notifyWentBack(platform, tx, { orderId: failed.orderId, currency, amount, utr });
}
