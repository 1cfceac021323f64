import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { businessDay } from '@sangam/contract/time.ts';
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
import { isOfAnother, lockDebit, lockOpenDebit, movedAfter, OPEN_DEBIT, payableSince } from './debits.ts';
import { HELD_BY_NOBODY, lockPayouts } from './store.ts';

/** A debit that found no payout in so long is something else's. */
const LOOK_BACK = 3 * DAY;
/** A payout is completed within so long of being given to its account. */
const UNDER_WAY_FOR = 7 * DAY;
/** And was made at most so long ago. */
const MADE_WITHIN = 30 * DAY;
const { completed, inProgress, preparing, processingError, submitted, toBeConfirmed } = PAYOUT_STATUS;
/** How a payout that its file held is no longer expected to be paid by it: its bank says so, or somebody else. */
const GONE_UNPAID: readonly OrderEvent['kind'][] = [
  'failed',
  'rejecting',
  'handedBack',
  'unbatched',
  'claimCancelled',
];
const OPEN: Sql = sql`o.status in (${inProgress}, ${toBeConfirmed}, ${submitted}) and ${HELD_BY_NOBODY}`;

interface Pair {
  readonly orderId: bigint;
  readonly messageId: bigint;
  /** By what they found each other. */
  readonly by: 'utr' | 'amount';
  /** The debit would complete the payout, which is not completed yet. */
  readonly isOpen: boolean;
  readonly accountId: bigint;
  readonly currency: string;
  /** Minor units. */
  readonly amount: bigint;
  /** What the debit's message states; minor units. */
  readonly balance: bigint | null;
}

/**
 * Completes payouts whose paying account tells of the debit: by the reference the bank named for the transfer, else where exactly
 * one open payout and exactly one debit of that account have the amount (and, of several payouts, one whose account's tail the
 * message states). None or several are left to the operator; a payout completed otherwise whose own debit may still come (late, or
 * by another reference than the file's) is one of the several, as is one that was taken back without one, or failed or was given
 * back after the debit had come: the bank may have returned the money. So is one whose file may be at the bank though nobody says so,
 * and a claim of the supplier that has not said from which account it pays, or was given back since. A debit without a reference completes none: it may be
 * another one in other words. Nor does one that moved before the payout could be paid.
 * A debit that its account's trusted chain does not bear out completes none, or not yet: anybody can write one, and it is looked at
 * again, the accounts taking turns where there are many of them.
 * A debit whose payout was taken back completes no other by itself, and none completes a payout that is frozen or of a frozen merchant.
 * Debits that come after their payout was completed are joined to it. A sweep, so that a message and a result file that cross
 * each other unseen still find together. Returns how many it joined.
 */
export async function matchDebits(platform: Platform): Promise<number> {
  let joined = 0;
  for (const pair of await takeCorroborated(platform, await findPairs(platform))) {
    if (await join(platform, pair)) joined += 1;
  }
  return joined;
}

const completedInTurns = debitTurns();

/** Pairs that may be joined as far as their chains say, of accounts whose turn it is. */
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

async function findPairs(platform: Platform): Promise<Pair[]> {
  const now = platform.clock.now().getTime();
  const lookedBackTo = new Date(now - LOOK_BACK);
  const stated = (payout: Sql) => sql`position(right(${payout}.payee_account, 4) in d.text) > 0`;
  const countOf = sql`count(*) as payouts, count(*) filter (where ${stated(sql`p`)}) as stating`;
  const since = payableSince(sql`o.id`, sql`o.claimed_at`, sql`o.account_id`, sql`o.created_at`);
  const after = (moment: Sql) => movedAfter(sql`d.moved_at`, moment);
  return platform.db.query<Pair>(sql`
    with debits as materialized (
      select m.id, m.account_id, m.supplier_id, m.amount, m.balance, m.utr, m.text, ${movedAtOf(sql`m`)} as moved_at,
        count(*) over (partition by m.account_id, m.amount) as alike
      from accounts a join messages m on m.account_id = a.id
      where a.direction = 'out' and ${OPEN_DEBIT} and m.id >= ${firstIdAt(lookedBackTo)}
    ), by_utr as (
      select o.id as "orderId", d.id as "messageId" from debits d
      join payout_orders o on o.account_id = d.account_id and o.amount = d.amount and ${OPEN} and o.gateway_ref = d.utr
      where not ${isOfAnother(sql`d.utr`, sql`o.id`)} and ${after(since)}
      union
      select o.id, d.id from debits d
      join payout_orders o on o.utr = d.utr and o.account_id = d.account_id and o.amount = d.amount
      where o.status = ${completed} and o.reversed_at is null and not o.unproven and not ${isOfAnother(sql`d.utr`, sql`o.id`)} and ${after(since)}
        and not exists (select from message_matches x where x.order_id = o.id)
    ), by_amount as (
      select o.id as "orderId", d.id as "messageId", d.alike, ${stated(sql`o`)} as stated,
        count(*) over (partition by d.id) + ended.payouts + claimed.payouts + gone.payouts as payouts,
        count(*) filter (where ${stated(sql`o`)}) over (partition by d.id) + ended.stating + claimed.stating + gone.stating as stating
      from debits d
      join payout_orders o on o.account_id = d.account_id and o.amount = d.amount and ${OPEN}
        and ${after(sql`o.submitted_at`)}
      cross join lateral (
        select ${countOf} from payout_orders p
        where p.account_id = d.account_id and p.amount = d.amount and (p.status = ${completed} or p.reversed_at is not null)
          and p.finished_at >= ${lookedBackTo} and p.taken_on >= ${businessDay(new Date(now - UNDER_WAY_FOR))}
          and not exists (select from message_matches x where x.order_id = p.id)
          and not exists (select from order_events e where e.order_id = p.id and e.kind = 'reversed' and e.data ? 'messageId')
      ) ended
      cross join lateral (
        select ${countOf} from payout_orders p
        where p.supplier_id = d.supplier_id and p.account_id is null and p.amount = d.amount and ${after(sql`p.claimed_at`)}
          and p.taken_on >= ${businessDay(new Date(now - UNDER_WAY_FOR))}
          and (p.status in (${preparing}, ${toBeConfirmed}) or p.status = ${completed} and p.finished_at >= ${lookedBackTo}
            and not exists (select from message_matches x where x.order_id = p.id))
      ) claimed
      cross join lateral (
        select ${countOf}
        from payout_batch_orders i
        join payout_batches b on b.id = i.batch_id and b.account_id = d.account_id and ${after(sql`b.exported_at`)}
        join payout_orders p on p.id = i.order_id and p.id <> o.id
        where i.amount = d.amount and i.in_file and i.state <> 'completed' and i.order_id >= ${firstIdAt(new Date(now - MADE_WITHIN))}
          and (p.status = ${preparing} and p.account_id = d.account_id or exists (
            select from order_events e where e.order_id = p.id and e.kind = any(${GONE_UNPAID}) and e.created_at >= b.exported_at
              and e.created_at >= case when e.kind = 'failed' or e.from_status = ${processingError} then d.moved_at else d.moved_at - ${LOOK_BACK} * interval '1 millisecond' end))
      ) gone
      where d.id not in (select "messageId" from by_utr) and d.utr is not null and o.gateway_ref is distinct from d.utr
        and not ${isOfAnother(sql`d.utr`, sql`o.id`)}
        and not exists (select from payout_orders x where x.utr = d.utr and x.supplier_id = d.supplier_id and x.id <> o.id)
    )
    select f.*, o.status <> ${completed} as "isOpen", d.account_id as "accountId", o.currency, d.amount, d.balance
    from (
      select "orderId", "messageId", 'utr' as by from by_utr
      union all
      select "orderId", "messageId", 'amount' from by_amount
      where alike = 1 and payouts = 1 or stated and stating = 1 and payouts > 1
    ) f join debits d on d.id = f."messageId" join payout_orders o on o.id = f."orderId"`);
}

/** False when one of the two has moved on since it was found, or the debit is not borne out. */
function join(platform: Platform, pair: Pair): Promise<boolean> {
  const { orderId, messageId, by } = pair;
  return platform.db
    .tx(async (tx) => {
      const [order] = await lockPayouts(tx, [orderId]);
      if (!order) return false;
      if (order.status === completed) {
        // A supplier's word is proven by its own sweep, which says so in the history.
        if (order.unproven) return false;
        const debit = await lockDebit(tx, order, order.utr);
        if (debit?.id !== messageId) return false;
        await joinMessage(platform, tx, messageId, orderId, 'payoutUtr');
        return true;
      }
      const isOpen = [inProgress, toBeConfirmed, submitted].some((status) => status === order.status);
      if (!isOpen || order.held || order.accountId !== pair.accountId) return false;
      const debit = await lockOpenDebit(tx, messageId);
      if (!debit || (by === 'amount' && (await wasAnotherGivenBack(tx, pair, platform.clock.now()))))
        return false;
      const borne = await corroborated(platform, tx, [askedAbout(pair)]);
      if (!borne.has(messageId)) return false;
      const done = await complete(platform, tx, {
        order,
        utr: debit.utr,
        unproven: false,
        actor: SYSTEM,
        data: { messageId: String(messageId), evidence: by },
      });
      // The reference is another order's: a person has to look.
      if (isRefusal(done)) return done;
      await joinMessage(platform, tx, messageId, orderId, evidenceOf(pair));
      return true;
    })
    .then((result) => result === true);
}

/** Whether the supplier had claimed another payout of the amount when the debit's money moved, and has given it back since: it may have paid that one. */
async function wasAnotherGivenBack(tx: Tx, { orderId, messageId }: Pair, at: Date): Promise<boolean> {
  const [another] = await tx.query(sql`
    select 1 from messages d join payout_orders p on p.amount = d.amount and p.id <> ${orderId}
      and p.id >= ${firstIdAt(new Date(at.getTime() - UNDER_WAY_FOR))}
    where d.id = ${messageId} and exists (
      select from order_events e where e.order_id = p.id and e.kind in ('claimCancelled', 'handedBack')
        and e.data->>'supplierId' = d.supplier_id::text and e.created_at >= ${movedAtOf(sql`d`)})
    limit 1`);
  return another !== undefined;
}
