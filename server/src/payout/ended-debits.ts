import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { DAY, MINUTE } from '../platform/clock.ts';
import { type Sql, sql } from '../platform/db/database.ts';
import { firstIdAt } from '../platform/db/ids.ts';
import { hasComeBackSince } from '../evidence/matching/taken-back.ts';
import { movedAtOf } from '../evidence/matching/reported-amounts.ts';
import type { Platform } from '../platform/platform.ts';
import { notifyContradiction } from './contradicted.ts';
import { hasItsDebit, movedAfter, OPEN_DEBIT, UNJOINED } from './debits.ts';
import { lockPayouts } from './store.ts';

/** Debits and files of this time are looked at: a file may be called off, or a payout refunded, long after the bank paid by the file. */
const LOOK_BACK = 30 * DAY;
/** Another payout of the same amount may still get the debit for this long. */
const WAITED_FOR = 2 * DAY;
const CLOCK_SLACK = 5 * MINUTE;
const AT_ONCE = 100;

const { cancelled, completed, inProgress, preparing, processingError, rejected, submitted, toBeConfirmed } =
  PAYOUT_STATUS;

/**
 * Finds payouts that a bank has debited by a file which should not pay them any more, by a claim that was refunded or given back, or after
 * their reversal, and notifies the admins of each once; once two people have unfrozen a payout, of another debit of it too. A payout that
 * waits or has failed is frozen (`notifyContradiction`). Returns how many it found. The rules are in docs/domain.md#gateways-and-sends.
 */
export async function reportDebitsOfEnded(platform: Platform): Promise<number> {
  const now = platform.clock.now().getTime();
  const since = new Date(now - LOOK_BACK);
  const found = await platform.db.query<{
    orderId: bigint;
    messageId: bigint;
    attempt: number;
    utr: string | null;
  }>(sql`
    with debits as materialized (${openDebits(since)}), refunded as materialized (${refundedClaims(since)})
    select distinct on (o.id) o.id as "orderId", m.id as "messageId", o.attempt, m.utr
    from (${debitsOfFiles(now, since)} union all ${debitsOfClaims(now, since)} union all ${debitsOfGivenBack(now, since)}
      union all ${debitsOfReversed(since)}) m
    join payout_orders o on o.id = m.order_id
    where not ${IS_REPORTED} order by o.id, m.id limit ${AT_ONCE}`);
  for (const { orderId, messageId, attempt, utr } of found) {
    await platform.db.tx(async (tx) => {
      const [order] = await lockPayouts(tx, [orderId]);
      if (order) await notifyContradiction(platform, tx, order, { said: 'debited', attempt, messageId, utr });
    });
  }
  return found.length;
}

/**
 * SQL: payouts with the debits of files that should not pay them. Aliases here and in the parts below: `m` is the debit, `a` its account, `i` a
 * row of a file of that account, `b` the batch of the file, `o` the payout of the row.
 */
const debitsOfFiles = (now: number, since: Date): Sql => sql`
  select o.id as order_id, m.id, m.utr
  from debits m join accounts a on a.id = m.account_id
  join payout_batches b on b.account_id = a.id and ${FILE_CAME_BEFORE_DEBIT}
  join payout_batch_orders i on i.batch_id = b.id and i.in_file and i.amount = m.amount
  join payout_orders o on o.id = i.order_id
  where b.exported_at >= ${since}
    and (${ENDED_UNPAID}
      or ${ROW_IS_OPEN} and (${LEFT_ITS_ACCOUNT} or ${HAS_FAILED} or ${IS_IN_LATER_FILE} or ${IS_PAID_BY_HAND}) and not ${FAILED_AFTER_DEBIT})
    and (${BANK_NAMES_ROW} or not ${anotherMayBeMeant(now, since)})`;

/** SQL: claims that the desk refunded, with debits that fit them: the supplier may have paid until it knew of the refund. */
const debitsOfClaims = (now: number, since: Date): Sql => sql`
  select o.id, m.id, m.utr from refunded o
  join debits m on m.supplier_id = o.supplier_id and m.amount = o.amount and m.currency = o.currency
    and coalesce(o.account_id, m.account_id) = m.account_id
  join accounts a on a.id = m.account_id
  where ${movedAfter(movedAtOf(sql`m`), sql`o.claimed_at`)}
    and ${movedAtOf(sql`m`)} <= o.finished_at + ${WAITED_FOR} * interval '1 millisecond' and not ${anotherMayBeMeant(now, since)}`;

/**
 * SQL: payouts whose claim was given back (alias `e`), whoever did it, with debits of the claimer that fit: it may have paid before it knew.
 * If the claimer has the payout again, a debit that is not yet its own may be of the new claim.
 */
const debitsOfGivenBack = (now: number, since: Date): Sql => sql`
  select o.id, m.id, m.utr from order_events e
  join payout_orders o on o.id = e.order_id
  join debits m on m.supplier_id::text = e.data->>'supplierId' and m.amount = o.amount and m.currency = o.currency
  join accounts a on a.id = m.account_id
  where e.kind in ('claimCancelled', 'handedBack') and e.id >= ${firstIdAt(since)}
    and ${movedAfter(movedAtOf(sql`m`), CLAIMED_AT)}
    and ${movedAtOf(sql`m`)} <= e.created_at + ${WAITED_FOR} * interval '1 millisecond'
    and (o.supplier_id is distinct from m.supplier_id or ${hasItsDebit(sql`o`)}) and not ${anotherMayBeMeant(now, since)}`;

/** SQL: when the supplier first claimed the payout that it gave back by the event `e`. */
const CLAIMED_AT = sql`(
  select min(c.created_at) from order_events c
  where c.order_id = e.order_id and c.kind = 'claimed' and c.data->>'supplierId' = e.data->>'supplierId')`;

/**
 * SQL: reversed payouts with debits of their supplier that have their UTR and were joined to none: they were paid after all, or once more
 * after their money had come back.
 */
const debitsOfReversed = (since: Date): Sql => sql`
  select o.id, m.id, m.utr from payout_orders o join messages m on m.utr = o.utr and m.supplier_id = o.supplier_id
  join accounts a on a.id = m.account_id and a.direction = 'out'
  where ${isRecent(since)} and o.reversed_at >= ${since} and ${UNJOINED} and not ${hasComeBackSince(sql`m`)} and m.id >= ${firstIdAt(since)}`;

const openDebits = (since: Date): Sql => sql`
  select m.id, m.account_id, m.supplier_id, m.amount, m.currency, m.utr, m.received_at, m.bank_time, m.time_precision
  from accounts a join messages m on m.account_id = a.id
  where a.direction = 'out' and ${OPEN_DEBIT} and m.id >= ${firstIdAt(since)}`;

const refundedClaims = (since: Date): Sql => sql`
  select o.* from payout_orders o
  where ${isRecent(since)} and ${ENDED_UNPAID} and o.finished_at >= ${since} and o.claimed_at is not null`;

/** SQL: the payout (alias `o`) is not older than twice the time that is looked at, so that a sweep reads no payouts of years. */
const isRecent = (since: Date): Sql => sql`o.id >= ${firstIdAt(new Date(since.getTime() - LOOK_BACK))}`;

/** SQL: the bank may have had the file when the debit came. */
const FILE_CAME_BEFORE_DEBIT = sql`coalesce(b.sent_at, b.exported_at) <= m.received_at + ${CLOCK_SLACK} * interval '1 millisecond'`;

/** SQL: the payout was cancelled or rejected. A reversed payout is left out: it is 'rejected' as well, but it was paid. */
const ENDED_UNPAID = sql`o.status in (${cancelled}, ${rejected}) and o.reversed_at is null`;

/** SQL: nobody has confirmed that the bank paid this row. */
const ROW_IS_OPEN = sql`i.state <> 'completed'`;

/** SQL: the batch was called off, and the payout waits or somebody else has it: it is no longer paid from the account of the file. */
const LEFT_ITS_ACCOUNT = sql`o.account_id is distinct from a.id`;

/** SQL: the gateway or the bank says that the payout was not paid. */
const HAS_FAILED = sql`o.status = ${processingError}`;

/**
 * SQL: a later file of the same account has taken up the payout, and the debit is of the earlier file: the payout has a debit already, or
 * the money moved before the later file was made.
 */
const IS_IN_LATER_FILE = sql`exists (
  select from payout_batch_orders n join payout_batches l on l.id = n.batch_id
  where n.order_id = o.id and n.batch_id > i.batch_id and l.account_id = a.id
    and (not coalesce(${movedAfter(movedAtOf(sql`m`), sql`l.exported_at`)}, false) or ${hasItsDebit(sql`o`)}))`;

/** SQL: a claim has taken up the payout and was paid from the account of the file; the debit is of the file, as for a later file. */
const IS_PAID_BY_HAND = sql`(o.claimed_at is not null
  and (not ${movedAfter(movedAtOf(sql`m`), sql`o.claimed_at`)} or ${hasItsDebit(sql`o`)}))`;

/** SQL: the payout failed after the debit had come: the bank may have returned the money. */
const FAILED_AFTER_DEBIT = sql`exists (
  select from order_events e where e.order_id = o.id and e.kind = 'failed' and e.created_at >= m.received_at)`;

/** SQL: the debit has the number that the bank gave the row: no other payout can be meant. */
const BANK_NAMES_ROW = sql`m.utr = i.bank_reference`;

/**
 * SQL: the debit may be of a payout (alias `p`) that is of the account, or that the supplier claimed without naming an account. After two
 * days only one that is said to be paid by the debit's own reference may still be meant.
 */
const anotherMayBeMeant = (now: number, since: Date): Sql => sql`exists (
  select from payout_orders p
  where (p.account_id = a.id and p.id <> o.id or p.account_id is null and p.supplier_id = a.supplier_id) and p.amount = m.amount
    and (m.id >= ${firstIdAt(new Date(now - WAITED_FOR))} or p.utr = m.utr) and (${MAY_BE_PAID_NOW} or ${completedWithoutDebit(since)}))`;

/** SQL: payout `p` is under way. */
const MAY_BE_PAID_NOW = sql`p.status in (${inProgress}, ${preparing}, ${toBeConfirmed}, ${submitted})`;

/** SQL: payout `p` was completed in the days that are looked at, and its own debit has not come. */
const completedWithoutDebit = (since: Date): Sql =>
  sql`p.status = ${completed} and p.finished_at >= ${since} and not ${hasItsDebit(sql`p`)}`;

/** SQL: the admins were notified of this debit, or of another one of this payout about which two people have not decided yet. */
const IS_REPORTED = sql`exists (
  select from order_events e where e.order_id = o.id and e.kind = 'contradicted' and e.data->>'said' = 'debited'
    and (coalesce(e.data->>'messageId' = m.id::text, e.data->>'utr' is not distinct from m.utr)
      or not exists (select from order_events u
        where u.order_id = o.id and u.kind = 'unfrozen' and u.data->'contradictions' ? e.id::text)))`;
