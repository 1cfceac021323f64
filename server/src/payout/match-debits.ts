import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { DAY } from '../platform/clock.ts';
import { type Sql, type Tx, sql } from '../platform/db/database.ts';
import { firstIdAt } from '../platform/db/ids.ts';
import { type OrderEvent, SYSTEM } from '../history/events.ts';
import { joinMessage } from '../evidence/matching/join.ts';
import { movedAtOf } from '../evidence/matching/reported-amounts.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal } from '../platform/refusal.ts';
import { corroborated } from '../evidence/trusted-chain/corroborated.ts';
import { complete } from './complete.ts';
import { debitTurns } from './debit-turns.ts';
import {
  hasItsDebit,
  isOfAnother,
  lockDebit,
  lockOpenDebit,
  movedAfter,
  movedBefore,
  OPEN_DEBIT,
  payableSince,
} from './debits.ts';
import { HELD_BY_NOBODY, lockPayouts } from './store.ts';

/** A debit that found no payout in this time paid something else. */
const LOOK_BACK = 3 * DAY;
/** Another payout that a supplier or a batch took longer than this before the money moved does not count as one that the debit may be of. */
const UNDER_WAY_FOR = 7 * DAY;
/** The same for a row of a file that was made longer ago than this. */
const EXPORTED_WITHIN = 30 * DAY;
const { completed, inProgress, preparing, processingError, rejected, submitted, toBeConfirmed, waiting } =
  PAYOUT_STATUS;
/** Events after which a payout of a file is not expected to be paid by the file: the bank refused it, or somebody took it back. */
const GONE_UNPAID: readonly OrderEvent['kind'][] = [
  'failed',
  'rejecting',
  'handedBack',
  'unbatched',
  'claimCancelled',
];

interface Pair {
  readonly orderId: bigint;
  readonly messageId: bigint;
  /** What joined the two: the bank's reference, or the amount alone. */
  readonly by: 'utr' | 'amount';
  /** The payout is not completed yet: the debit would complete it. */
  readonly isOpen: boolean;
  readonly accountId: bigint;
  readonly currency: string;
  /** Minor units. */
  readonly amount: bigint;
  /** The balance after the debit, as its message states it; minor units. */
  readonly balance: bigint | null;
}

/**
 * Completes payouts by the debits of their paying accounts, and joins late debits to payouts that are completed already. The rules are in
 * docs/domain.md#proof; where none or several payouts fit a debit, people decide. An open payout needs a debit that the account's trusted
 * chain corroborates, because anybody can write a message; accounts take turns (`debitTurns`). A sweep, because a message and a result
 * file that are written at the same moment do not see each other. Returns how many debits it joined.
 */
export async function matchDebits(platform: Platform): Promise<number> {
  let joined = 0;
  for (const pair of await takeCorroborated(platform, await findPairs(platform))) {
    if (await join(platform, pair)) joined += 1;
  }
  return joined;
}

const completedInTurns = debitTurns();

/** Keeps the pairs that may be joined: all of completed payouts; of open payouts those whose debit is corroborated now. */
async function takeCorroborated(platform: Platform, pairs: readonly Pair[]): Promise<Pair[]> {
  const borne = await completedInTurns(platform, pairs.filter(({ isOpen }) => isOpen).map(askedAbout));
  return pairs.filter(({ isOpen, messageId }) => !isOpen || borne.has(messageId));
}

const evidenceOf = ({ by }: Pick<Pair, 'by'>) => (by === 'utr' ? 'payoutUtr' : 'payoutAmount');

const askedAbout = ({ messageId: id, accountId, currency, amount, balance, by }: Pair) => ({
  id,
  accountId,
  currency,
  amount,
  balance,
  evidence: evidenceOf({ by }),
});

/** SQL: a debit may complete the payout (alias `o`). */
const UNDER_WAY: Sql = sql`o.status in (${inProgress}, ${toBeConfirmed}, ${submitted})`;

/** SQL: the payout (alias `o`) is open, and neither it nor its merchant is frozen. */
const OPEN: Sql = sql`${UNDER_WAY} and ${HELD_BY_NOBODY}`;

/** SQL: the debit (alias `d`) bears a reference that belongs to another payout than `o`. */
const BEARS_ANOTHERS_REFERENCE: Sql = isOfAnother(sql`d.utr`, sql`o.id`);

/** SQL: the money of debit `d` may have moved after this moment. */
const hasMovedAfter = (moment: Sql): Sql => movedAfter(sql`d.moved_at`, moment);

/** SQL: the money moved since the payout (alias `o`) could be paid. */
const MOVED_SINCE_PAYABLE: Sql = hasMovedAfter(
  payableSince(sql`o.id`, sql`o.claimed_at`, sql`o.account_id`, sql`o.created_at`),
);

/** A number of four digits or more in a message, but not a sum. */
const NUMBER = '(?<![0-9]|[0-9][.,])[0-9]{4,}(?![0-9]|[.,][0-9])';

/** SQL: the number ends with this whole number of the message. */
const endsSo = (accountNumber: Sql): Sql => sql`right(${accountNumber}, length(number[1])) = number[1]`;

/** SQL: the debit's message states the payee's account: a whole number in it is the end of that account's number and not of the payer's. */
const isStated = (payout: Sql): Sql => sql`exists (
  select from regexp_matches(d.text, ${NUMBER}, 'g') as stated (number) join accounts payer on payer.id = d.account_id
  where ${endsSo(sql`${payout}.payee_account`)} and not coalesce(${endsSo(sql`payer.account_number`)}, false))`;

/** SQL: how many payouts (alias `p`) may be meant, and of how many the message states the payee's account. */
const COUNTS: Sql = sql`count(*) as payouts, count(*) filter (where ${isStated(sql`p`)}) as stating`;

function findPairs({ db, clock }: Platform): Promise<Pair[]> {
  const now = clock.now().getTime();
  const lookedBackTo = new Date(now - LOOK_BACK);
  const debit = sql`m.id, m.account_id, m.supplier_id, m.amount, m.balance, m.utr, m.text, ${movedAtOf(sql`m`)} as moved_at`;
  return db.query<Pair>(sql`
    with debits as materialized (
      -- Counted among the debits of twice this time: a debit must not become the only one because another one is no longer looked at.
      select * from (
        select ${debit}, count(*) over (partition by m.account_id, m.amount) as alike
        from accounts a join messages m on m.account_id = a.id
        where a.direction = 'out' and ${OPEN_DEBIT} and m.id >= ${firstIdAt(new Date(now - 2 * LOOK_BACK))}
      ) counted where id >= ${firstIdAt(lookedBackTo)}
      union all
      -- A debit that names the bank's number of an open payout counts at any age: the payout may have been frozen.
      select ${debit}, 0 from payout_orders o join messages m on m.utr = o.gateway_ref and m.account_id = o.account_id
      where ${OPEN} and o.supplier_id is not null and ${OPEN_DEBIT} and m.id < ${firstIdAt(lookedBackTo)}
    ), by_utr as (${PAIRS_BY_REFERENCE}), by_amount as (${pairsByAmount(now)})
    select f.*, o.status <> ${completed} as "isOpen", d.account_id as "accountId", o.currency, d.amount, d.balance
    from (
      select "orderId", "messageId", 'utr' as by from by_utr
      union all
      select "orderId", "messageId", 'amount' from by_amount
      where ${IS_ONLY_ONE} or ${IS_ONLY_STATED_ONE}
    ) f join debits d on d.id = f."messageId" join payout_orders o on o.id = f."orderId"
    where o.status = ${completed} or ${HELD_BY_NOBODY}`);
}

/** SQL: one debit and one payout have this amount on the account. */
const IS_ONLY_ONE: Sql = sql`alike = 1 and payouts = 1`;
/** SQL: several payouts have this amount, and the message states the payee's account of this one alone. */
const IS_ONLY_STATED_ONE: Sql = sql`stated and stating = 1 and payouts > 1`;

/**
 * SQL: pairs with the same reference and amount: an open payout whose bank has named the reference of its transfer, or a completed payout
 * that has this UTR and no debit yet.
 */
const PAIRS_BY_REFERENCE: Sql = sql`
  select o.id as "orderId", d.id as "messageId" from debits d
  join payout_orders o on o.account_id = d.account_id and o.amount = d.amount and ${OPEN} and o.gateway_ref = d.utr
  where not ${BEARS_ANOTHERS_REFERENCE} and ${MOVED_SINCE_PAYABLE}
  union
  select o.id, d.id from debits d
  join payout_orders o on o.utr = d.utr and o.account_id = d.account_id and o.amount = d.amount
  where o.status = ${completed} and o.reversed_at is null and not o.unproven and not ${BEARS_ANOTHERS_REFERENCE} and ${MOVED_SINCE_PAYABLE}
    and not ${hasItsDebit(sql`o`)}`;

/**
 * SQL: pairs of an open payout, frozen or not, and a debit of its account that have the same amount. `payouts` is the number of payouts which
 * the debit may have paid; of `stating` of them the message states the payee's account. A debit without a reference is left out: the bank may
 * have told it already in other words. A debit whose reference the supplier has stated for another payout is left out too, and so is one that is
 * looked at for its reference alone (`alike` 0).
 */
const pairsByAmount = (now: number): Sql => sql`
  select o.id as "orderId", d.id as "messageId", d.alike, ${isStated(sql`o`)} as stated,
    count(*) over (partition by d.id) + ended.payouts + claimed.payouts + gone.payouts as payouts,
    count(*) filter (where ${isStated(sql`o`)}) over (partition by d.id) + ended.stating + claimed.stating + gone.stating as stating
  from debits d
  join payout_orders o on o.account_id = d.account_id and o.amount = d.amount and ${UNDER_WAY}
    and ${hasMovedAfter(sql`o.submitted_at`)} and d.alike > 0
  cross join lateral (${ENDED_WITHOUT_DEBIT}) ended
  cross join lateral (${CLAIMED_BY_ITS_SUPPLIER}) claimed
  cross join lateral (${goneFromFiles(now)}) gone
  where d.id not in (select "messageId" from by_utr) and d.utr is not null and o.gateway_ref is distinct from d.utr
    and not ${BEARS_ANOTHERS_REFERENCE}
    and not exists (select from payout_orders x where x.utr = d.utr and x.supplier_id = d.supplier_id and x.id <> o.id)`;

/** SQL: so long before the money of debit `d` moved. Counted from now, time alone would make a debit the only one of the only payout. */
const beforeDebit = (ms: number): Sql => sql`(d.moved_at - ${ms} * interval '1 millisecond')`;

/** SQL: the payout (alias `p`) was taken up lately when the money moved. */
const TAKEN_LATELY: Sql = sql`p.taken_on >= (${beforeDebit(UNDER_WAY_FOR)} at time zone 'Asia/Kolkata')::date`;

/** SQL: the payout (alias `p`) was completed or reversed without a debit: it may come late, or under another reference. */
const IS_ENDED_WITHOUT_DEBIT: Sql = sql`(
  (p.status = ${completed} or p.reversed_at is not null) and p.finished_at >= ${beforeDebit(LOOK_BACK)}
  and not ${hasItsDebit(sql`p`)}
  and not exists (select from order_events e where e.order_id = p.id and e.kind = 'reversed' and e.data ? 'messageId'))`;

/** SQL: counts such payouts of the account. */
const ENDED_WITHOUT_DEBIT: Sql = sql`
  select ${COUNTS} from payout_orders p
  where p.account_id = d.account_id and p.amount = d.amount and ${TAKEN_LATELY} and ${IS_ENDED_WITHOUT_DEBIT}`;

/** SQL: the payout (alias `p`) was refunded since the money moved: whoever had it may have paid it. */
const IS_REFUNDED_SINCE: Sql = sql`(p.status = ${rejected} and p.reversed_at is null and ${movedBefore(sql`d.moved_at`, sql`p.finished_at`)})`;

/** SQL: counts payouts that the supplier claimed and may have paid from this account: it has named none. */
const CLAIMED_BY_ITS_SUPPLIER: Sql = sql`
  select ${COUNTS} from payout_orders p
  where p.supplier_id = d.supplier_id and p.account_id is null and p.amount = d.amount and ${hasMovedAfter(sql`p.claimed_at`)}
    and ${TAKEN_LATELY}
    and (p.status in (${preparing}, ${toBeConfirmed}) or ${IS_ENDED_WITHOUT_DEBIT} or ${IS_REFUNDED_SINCE})`;

/**
 * SQL: counts other payouts of exported files of the account which the bank may have paid by the file: the payout is still 'preparing',
 * because nobody has marked the file as sent, or it failed or was taken back since the export.
 */
const goneFromFiles = (now: number): Sql => sql`
  select ${COUNTS}
  from payout_batch_orders i
  join payout_batches b on b.id = i.batch_id and b.account_id = d.account_id and ${hasMovedAfter(sql`b.exported_at`)}
  join payout_orders p on p.id = i.order_id and p.id <> o.id
  where i.amount = d.amount and i.in_file and i.state <> 'completed' and b.exported_at >= ${new Date(now - EXPORTED_WITHIN)}
    and (p.status = ${preparing} and p.account_id = d.account_id or exists (
      select from order_events e where e.order_id = p.id and e.kind = any(${GONE_UNPAID}) and e.created_at >= b.exported_at
        and ${movedBefore(COUNTED_FROM, sql`e.created_at`)}))`;

/**
 * SQL: the earliest event (alias `e`) that lets such a payout count. What the bank called unpaid counts where the money moved before that:
 * the bank may have returned it. What somebody took back counts where that was at most three days before the money moved.
 */
const COUNTED_FROM: Sql = sql`(case when e.kind = 'failed' or e.from_status = ${processingError} then d.moved_at
  else d.moved_at - ${LOOK_BACK} * interval '1 millisecond' end)`;

/** Joins one pair; false when the payout or the debit has changed since it was found, or the chain does not corroborate the debit. */
function join(platform: Platform, pair: Pair): Promise<boolean> {
  const { orderId, messageId, by } = pair;
  return platform.db
    .tx(async (tx) => {
      const [order] = await lockPayouts(tx, [orderId]);
      if (!order) return false;
      if (order.status === completed) {
        // An unproven payout is proven by `proveConfirmed`, which writes that into the history.
        if (order.unproven) return false;
        const debit = await lockDebit(tx, order, order.utr);
        if (debit?.id !== messageId) return false;
        await joinMessage(platform, tx, messageId, orderId, 'payoutUtr');
        return true;
      }
      const isOpen = [inProgress, toBeConfirmed, submitted].some((status) => status === order.status);
      if (!isOpen || order.held || order.accountId !== pair.accountId) return false;
      const debit = await lockOpenDebit(tx, messageId);
      if (!debit || (by === 'amount' && (await mayBeOfAnother(tx, pair, platform.clock.now())))) return false;
      const borne = await corroborated(platform, tx, [askedAbout(pair)]);
      if (!borne.has(messageId)) return false;
      const done = await complete(platform, tx, {
        order,
        utr: debit.utr,
        unproven: false,
        actor: SYSTEM,
        data: { messageId: String(messageId), evidence: by },
      });
      // The reference belongs to another order: a person has to decide.
      if (isRefusal(done)) return done;
      await joinMessage(platform, tx, messageId, orderId, evidenceOf(pair));
      return true;
    })
    .then((result) => result === true);
}

/**
 * Whether the debit may be of another payout of its amount: the supplier has given it back since the money moved, or the message states the
 * payee of that one and not of this.
 */
async function mayBeOfAnother(tx: Tx, { orderId, messageId }: Pair, at: Date): Promise<boolean> {
  // A payout that has not ended counts at any age: it may have been frozen before the supplier took it.
  const [lately, open] = [
    sql`p.id >= ${firstIdAt(new Date(at.getTime() - UNDER_WAY_FOR))}`,
    sql`p.status in (${waiting}, ${preparing}, ${submitted}, ${inProgress}, ${toBeConfirmed}, ${processingError})`,
  ].map(
    (which) => sql`
    select 1 from (select m.*, ${movedAtOf(sql`m`)} as moved_at from messages m where m.id = ${messageId}) d
    join payout_orders o on o.id = ${orderId}
    join payout_orders p on p.amount = d.amount and p.id <> o.id and ${which}
    where exists (
      select from order_events e where e.order_id = p.id and e.kind in ('claimCancelled', 'handedBack')
        and e.data->>'supplierId' = d.supplier_id::text and ${movedBefore(sql`d.moved_at`, sql`e.created_at`)})
    or ${isStated(sql`p`)} and not ${isStated(sql`o`)}`,
  );
  const [another] = await tx.query(sql`${lately!} union all ${open!} limit 1`);
  return another !== undefined;
}
