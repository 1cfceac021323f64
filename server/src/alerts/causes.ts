import type { AlertData, AlertKind } from '@sangam/contract/alerts.ts';
import { type Currency, amountText } from '@sangam/contract/money.ts';
import { REVEALS_A_DAY } from '@sangam/contract/personal-data.ts';
import { businessDay, formatTime } from '@sangam/contract/time.ts';
import { revealsOfTheDay } from '../platform/audit/reveals.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { PAYOUT } from '../platform/db/statuses.ts';
import { firstIdAt } from '../platform/db/ids.ts';
import { missingPartitions } from '../platform/db/partitions.ts';
import type { Platform } from '../platform/platform.ts';
import { keepAlerts } from './raise.ts';

/** What is wrong now, for one kind of alert. Each kind costs one cheap query. */
interface Found<Kind extends AlertKind> {
  readonly subject: string;
  readonly data: AlertData<Kind>;
  readonly merchantId?: bigint | null;
  readonly supplierId?: bigint | null;
}
type CausesOf<Kind extends AlertKind> = (platform: Platform) => Promise<readonly Found<Kind>[]>;

const ago = (platform: Platform, ms: number) => new Date(platform.clock.now().getTime() - ms);

/** Below this room (minor units) a deposit can hardly take another order, and a gateway account hardly pay another payout. */
const LOW_DEPOSIT: Readonly<Record<Currency, bigint>> = {
  INR: 10_000_00n,
  KES: 10_000_00n,
  USDT: 100_000_000n,
};
/** How far back credits without an order count. Older ones are in the list of lost orders. */
const CREDITS_LOOKED_AT = 3 * DAY;
/** After this many tries a callback fails for more than a moment. */
const TRIES_OF_A_FAILING_CALLBACK = 3;
const REQUEST_WAITS = HOUR;
/** A gateway is asked for its balance every five minutes; what it said longer ago says nothing of now. */
const BALANCE_HOLDS = 30 * MINUTE;
const LONG_TRANSACTION = 5 * MINUTE;
const SLOW_ANSWER = 250;
const SUSPECT_LOOKED_AT = DAY;

/** Monitors that have been silent longer than MonitorLiveTime and serve an account that is open for orders. */
const monitorsOffline: CausesOf<'monitorOffline'> = async (platform) => {
  const { MonitorLiveTime } = await platform.settings.all();
  const rows = await platform.db.query<{ id: bigint; name: string; supplierId: bigint; seen: Date }>(sql`
    select m.id, m.name, m.supplier_id as "supplierId", m.last_seen_at as seen from monitors m
    where m.enabled and m.last_seen_at < ${ago(platform, MonitorLiveTime * SECOND)}
      and exists (select from accounts a join resources r on r.account_id = a.id and r.state = 0
                  where a.monitor_id = m.id and not a.frozen)`);
  return rows.map(({ id, name, supplierId, seen }) => ({
    subject: String(id),
    data: { name, since: formatTime(seen) },
    supplierId,
  }));
};

/** Deposits of enabled suppliers that are nearly used up, credit limit included. A supplier that never had a deposit is left out. */
const depositsLow: CausesOf<'lowDeposit'> = async (platform) => {
  const rows = await platform.db.query<{ id: bigint; name: string; currency: Currency; room: bigint }>(sql`
    select s.id, s.name, l.currency, l.balance - coalesce(l.floor, 0) as room
    from ledger_accounts l join suppliers s on s.id = l.owner_id and s.enabled and not s.frozen
    where l.owner_kind = 'supplier' and l.bucket = 'deposit'
      and l.balance - coalesce(l.floor, 0) < case l.currency when 'USDT' then ${LOW_DEPOSIT.USDT}::bigint
        when 'KES' then ${LOW_DEPOSIT.KES}::bigint else ${LOW_DEPOSIT.INR}::bigint end
      and exists (select from accounts a join resources r on r.account_id = a.id and r.state = 0
                  where a.supplier_id = s.id and a.direction = 'in' and a.currency = l.currency)`);
  return rows.map(({ id, name, currency, room }) => ({
    subject: `${id}`,
    data: { name, balance: `${amountText(room, currency)} ${currency}` },
    supplierId: id,
  }));
};

/** Suppliers that have given back as many payouts today as they are allowed. They have seen the payees of these payouts. */
const payeesSeen: CausesOf<'payeesSeen'> = async (platform) => {
  const { ClaimsGivenBackPerDay } = await platform.settings.all();
  const rows = await platform.db.query<{ id: bigint; name: string; count: number }>(sql`
    select s.id, s.name, d.payouts as count from given_back_days d join suppliers s on s.id = d.supplier_id
    where d.day = ${businessDay(platform.clock.now())} and d.payouts >= ${ClaimsGivenBackPerDay}`);
  return rows.map(({ id, name, count }) => ({
    subject: String(id),
    data: { name, count },
    supplierId: null,
  }));
};

/** Users who have revealed as many masked values in 24 hours as they may. */
const valuesRevealed: CausesOf<'valuesRevealed'> = async (platform) => {
  const rows = await platform.db.query<{ id: bigint; name: string; count: number }>(sql`
    select u.id, u.account as name, l.count from (
      select user_id, count(*)::int as count from audit_log where ${revealsOfTheDay(platform)} group by 1) l
    join users u on u.id = l.user_id where l.count >= ${REVEALS_A_DAY}`);
  return rows.map(({ id, name, count }) => ({ subject: String(id), data: { name, count } }));
};

/** Credits that found no order within GlobalSecuritySetting.messageMaxCacheTime, by account. */
const creditsUnmatched: CausesOf<'unmatchedCredit'> = async (platform) => {
  const { GlobalSecuritySetting } = await platform.settings.all();
  const until = firstIdAt(ago(platform, GlobalSecuritySetting.messageMaxCacheTime * SECOND));
  const rows = await platform.db.query<{
    id: bigint;
    account: string;
    currency: Currency;
    supplierId: bigint;
    count: number;
    amount: string;
  }>(sql`
    select a.id, a.bank || ' ' || a.account_tail as account, a.currency, a.supplier_id as "supplierId",
      count(*)::int as count, sum(m.amount)::text as amount
    from messages m join accounts a on a.id = m.account_id
    where m.direction = 'credit' and m.state in ('unmatched', 'ambiguous', 'held', 'untrusted')
      and m.amount is not null and m.id >= ${firstIdAt(ago(platform, CREDITS_LOOKED_AT))} and m.id < ${until}
    group by a.id`);
  return rows.map(({ id, account, currency, supplierId, count, amount }) => ({
    subject: String(id),
    data: { account, count, amount: `${amountText(BigInt(amount), currency)} ${currency}` },
    supplierId,
  }));
};

const callbacksFailing: CausesOf<'callbackFailing'> = async (platform) => {
  const rows = await platform.db.query<{ id: bigint; name: string; count: number }>(sql`
    select m.id, m.name, count(*)::int as count from callback_queue q join merchants m on m.id = q.merchant_id
    where q.attempts - q.attempts_before >= ${TRIES_OF_A_FAILING_CALLBACK} group by m.id`);
  return rows.map(({ id, name, count }) => ({ subject: String(id), data: { name, count }, merchantId: id }));
};

/** Accounts with money that no message reports, or with two messages that claim one place in the chain. */
const chainsSuspect: CausesOf<'chainSuspect'> = async (platform) => {
  const since = Math.floor(ago(platform, SUSPECT_LOOKED_AT).getTime() / MINUTE);
  const rows = await platform.db.query<{ id: bigint; account: string; count: number }>(sql`
    select a.id, a.bank || ' ' || a.account_tail as account, count(*)::int as count
    from (select account_id from chain_gaps where state = 'open' and alerted_at is not null
          union all
          select account_id from chain_nodes where state = 'fork' and minute >= ${since}) s
    join accounts a on a.id = s.account_id group by a.id`);
  return rows.map(({ id, account, count }) => ({ subject: String(id), data: { account, count } }));
};

const requestsWaiting: CausesOf<'approvalWaiting'> = async (platform) => {
  const rows = await platform.db.query<{ id: bigint; kind: string; at: Date }>(sql`
    select id, kind, started_at as at from approvals
    where status = 'pending' and started_at < ${ago(platform, REQUEST_WAITS)} and expires_at > ${platform.clock.now()}`);
  return rows.map(({ id, kind, at }) => ({
    subject: String(id),
    data: { request: kind, since: formatTime(at) },
  }));
};

/**
 * Gateway accounts with too little money: open ones of which the gateway lately said so, and those that refused payouts for it which
 * nobody has sent again.
 */
const gatewaysPoor: CausesOf<'gatewayBalanceLow'> = async (platform) => {
  const rows = await platform.db.query<{
    id: bigint;
    account: string;
    currency: Currency;
    balance: bigint | null;
    waiting: number;
  }>(sql`
    with refused as (
      select p.account_id, count(*)::int as waiting from payout_orders p
      where p.status = ${PAYOUT.processingError}
        and (select e.reason from order_events e where e.order_id = p.id and e.id >= p.id and e.kind = 'failed' order by e.id desc limit 1)
          ~* '(insufficient|not enough|low).*(balance|fund)|balance.*(insufficient|low|not enough)'
        and p.id >= ${firstIdAt(ago(platform, CREDITS_LOOKED_AT))} group by 1),
    told as (
      select b.account_id, b.amount from gateway_balances b where b.told_at >= ${ago(platform, BALANCE_HOLDS)})
    select a.id, a.bank || ' ' || a.account_tail as account, a.currency, t.amount as balance, coalesce(f.waiting, 0) as waiting
    from accounts a left join refused f on f.account_id = a.id left join told t on t.account_id = a.id
    where a.kind = 'gateway' and a.direction = 'out' and (f.waiting > 0 or (t.amount < ${LOW_DEPOSIT.INR} and not a.frozen
      and exists (select from resources r where r.account_id = a.id and r.state = 0)))`);
  return rows.map(({ id, account, currency, balance, waiting }) => ({
    subject: String(id),
    data: {
      account,
      balance: balance === null ? '?' : `${amountText(balance, currency)} ${currency}`,
      waiting,
    },
  }));
};

/** Entries with a hit that nobody has judged. Nobody has to look at the hits of an entry that was taken off its list. */
const hitsUnjudged: CausesOf<'nameHit'> = async ({ db }) => {
  const rows = await db.query<{ id: bigint; name: string; list: string }>(sql`
    select distinct on (h.entry_id) h.entry_id as id, h.listed as name, h.list
    from name_hits h join listed_names e on e.id = h.entry_id
    where h.state = 'open' and not h.is_near order by h.entry_id, h.last_at desc, h.id desc`);
  return rows.map(({ id, name, list }) => ({ subject: String(id), data: { name, list } }));
};

interface Broken {
  readonly name: string;
  readonly unfinished?: true;
}

/** What the newest run of each scope found broken. */
async function brokenChecks({ db }: Platform): Promise<readonly Broken[]> {
  const rows = await db.query<{ broken: readonly Broken[] }>(sql`
    select (select broken from verify_runs where scope = s order by id desc limit 1) as broken
    from unnest(array['whole', 'recent']) s`);
  const all = rows.flatMap(({ broken }) => broken ?? []);
  return [...new Map(all.map((each) => [each.name, each])).values()];
}

const checksFailed: CausesOf<'verifyFailed'> = async (platform) =>
  (await brokenChecks(platform))
    .filter(({ unfinished }) => !unfinished)
    .map(({ name }) => ({ subject: name, data: { check: name } }));

const checksUnfinished: CausesOf<'verifyUnfinished'> = async (platform) =>
  (await brokenChecks(platform))
    .filter(({ unfinished }) => unfinished)
    .map(({ name }) => ({ subject: name, data: { check: name } }));

/** Measured by PostgreSQL's own clock, which tells how long a transaction is open. */
const transactionsLong: CausesOf<'longTransaction'> = async ({ db }) => {
  const [row] = await db.query<{ seconds: number; application: string }>(sql`
    select extract(epoch from clock_timestamp() - xact_start)::int as seconds,
      coalesce(nullif(application_name, ''), 'process ' || pid) as application
    from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and state <> 'idle' and xact_start is not null
    order by xact_start limit 1`);
  const { seconds, application } = row ?? { seconds: 0, application: '' };
  // In whole minutes, so that an alert that stays open is not rewritten at each look.
  return seconds * SECOND < LONG_TRANSACTION
    ? []
    : [{ subject: 'database', data: { application, seconds: Math.floor(seconds / 60) * 60 } }];
};

const databaseSlow: CausesOf<'databaseSlow'> = async ({ db }) => {
  const times: number[] = [];
  for (let each = 0; each < 3; each += 1) {
    const began = performance.now();
    await db.query(sql`select 1`);
    times.push(performance.now() - began);
  }
  // The quickest answer counts. An answer that waited for this machine says nothing about the database.
  const milliseconds = Math.round(Math.min(...times) / 50) * 50;
  return milliseconds < SLOW_ANSWER ? [] : [{ subject: 'database', data: { milliseconds } }];
};

const partitionsMissing: CausesOf<'partitionsMissing'> = async (platform) =>
  (await missingPartitions(platform)).map((table) => ({ subject: table, data: { table } }));

/** Sealing runs every second. A row that waits this long waits because sealing fails or because a transaction stays open. */
const SEALED_WITHIN = 2 * MINUTE;

const auditUnsealed: CausesOf<'auditUnsealed'> = async (platform) => {
  const [row] = await platform.db.query<{ since: Date | null }>(sql`
    select min(created_at) as since from audit_log
    where tx_id >= coalesce((select to_tx from audit_blocks order by number desc limit 1), 0)`);
  const since = row?.since ?? null;
  return since === null || since > ago(platform, SEALED_WITHIN)
    ? []
    : [{ subject: 'audit', data: { since: formatTime(since) } }];
};

const reviewOpen: CausesOf<'accessReviewOpen'> = async ({ db }) => {
  const rows = await db.query<{ id: bigint; openedAt: Date; count: number }>(sql`
    select a.id, a.opened_at as "openedAt", count(*) filter (where r.verdict is null)::int as count
    from access_reviews a join access_review_users r on r.review_id = a.id
    join users u on u.id = r.user_id and u.deleted_at is null
    where a.closed_at is null group by a.id`);
  return rows.map(({ id, openedAt, count }) => ({
    subject: String(id),
    data: { since: formatTime(openedAt), count },
  }));
};

export interface WatchedCause {
  readonly kind: AlertKind;
  /** Raises what is wrong now, and closes what is right again. */
  readonly look: (platform: Platform) => Promise<void>;
}

function cause<Kind extends AlertKind>(kind: Kind, causesOf: CausesOf<Kind>): WatchedCause {
  return { kind, look: async (platform) => keepAlerts(platform, kind, await causesOf(platform)) };
}

/** Every kind whose causes this watch finds. Other rooms raise the other kinds. */
export const CAUSES: readonly WatchedCause[] = [
  cause('monitorOffline', monitorsOffline),
  cause('lowDeposit', depositsLow),
  cause('payeesSeen', payeesSeen),
  cause('valuesRevealed', valuesRevealed),
  cause('unmatchedCredit', creditsUnmatched),
  cause('callbackFailing', callbacksFailing),
  cause('chainSuspect', chainsSuspect),
  cause('approvalWaiting', requestsWaiting),
  cause('gatewayBalanceLow', gatewaysPoor),
  // The room of screening raises it at once; here it closes.
  cause('nameHit', hitsUnjudged),
  cause('verifyFailed', checksFailed),
  cause('verifyUnfinished', checksUnfinished),
  cause('longTransaction', transactionsLong),
  cause('databaseSlow', databaseSlow),
  cause('partitionsMissing', partitionsMissing),
  cause('auditUnsealed', auditUnsealed),
  cause('accessReviewOpen', reviewOpen),
];
