import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sql, type Tx, sql } from '../platform/db/database.ts';
import { makePartitions } from '../platform/db/partitions.ts';
import { seedDemo } from '../demo/seed-demo.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { reverseByTwo } from '../testing/reversal.ts';
import { countChanges } from '../traffic/fold.ts';
import { BATCH_CHECKS } from './batch-checks.ts';
import { DECISION_CHECKS } from './decision-checks.ts';
import { SAID_CHECKS } from './said-checks.ts';
import { CHECKS, snapshotsOf, verify, type CheckResult } from './verify.ts';

let world: TestPlatform;

beforeAll(async () => {
  world = await createTestPlatform();
  await makePartitions({ db: world.owner, clock: world.clock });
  const dataDir = await mkdtemp(join(tmpdir(), 'sangam-verify-'));
  await seedDemo(world.platform, {
    dataDir,
    url: 'http://127.0.0.1:1',
    approvals: APPROVAL_HANDLERS,
    historyOrders: 600,
    historyDays: 5,
  });
  await rm(dataDir, { recursive: true });
  await countChanges(world.platform);
  const [paid] = await world.platform.db.query<{ id: bigint }>(sql`
    select max(id) as id from collection_orders where status = 3 and account_id is not null`);
  expect(await reverseByTwo(world.platform, { orderId: paid!.id })).toMatchObject({ id: paid!.id });
});

afterAll(() => world.close());

/** Ranges so short that rows that belong together are in several of them. */
const SHORT = { rangeRows: 40 };

class Undo extends Error {}

/**
 * The checks that fail after the damage, which is then undone. When the name of the check that must fail is given, only that
 * one reads in short ranges: with all of them this file took 95 s of a processor instead of 40.
 */
async function brokenBy(faults: readonly Sql[], name?: string): Promise<CheckResult[]> {
  const inShort = CHECKS.filter((check) => name === undefined || check.name === name);
  const whole = CHECKS.filter((check) => !inShort.includes(check));
  const broken: CheckResult[] = [];
  const work = async (tx: Tx): Promise<void> => {
    for (const fault of faults) {
      expect(
        await tx.query(sql`with hit as (${fault} returning 1) select * from hit limit 1`),
        fault.sql,
      ).toHaveLength(1);
    }
    for (const [checks, ranges] of [
      [inShort, SHORT],
      [whole, {}],
    ] as const)
      for await (const result of verify((read) => read(tx), checks, ranges))
        if (!result.ok) broken.push(result);
    throw new Undo();
  };
  await expect(world.owner.tx(work)).rejects.toThrow(Undo);
  return broken;
}

const anOrder = (status: number) =>
  sql`(select id from collection_orders where status = ${status} and account_id is not null order by id limit 1)`;
const anEntry = sql`(select id from ledger_entries order by id offset 40 limit 1)`;
const aPosting = (kind: string) => sql`(select id from postings where kind = ${kind} order by id limit 1)`;
const aMatch = sql`(select order_id from message_matches order by order_id limit 1)`;

const aSupplement = sql`(select min(o.id) from collection_orders o join order_events e on e.order_id = o.id
  where e.kind = 'supplemented' and e.data->>'offset' = 'false' and o.reversed_at is null and o.status in (3, 4, 6))`;
/** One of two orders that messages paid more than 60 seconds after their allocation. */
const twoAtOnce = (which: 'first' | 'second') => sql`(select o.id from collection_orders o
  where o.status in (3, 4, 6) and o.supplier_id is not null and o.paid_at > o.allocated_at + interval '60 seconds'
    and exists (select from order_events e where e.order_id = o.id and e.kind = 'paid')
  order by o.id offset ${which === 'first' ? 0 : 1} limit 1)`;
const aPayout = (status: number) => sql`(select min(id) from payout_orders where status = ${status})`;

/** One fault for each check by its name, or a pair of faults that earlier checks miss. */
const FAULTS: Readonly<Record<string, Sql[]>> = {
  'every picture of an order or payout has its order': [
    sql`insert into payout_slips (id, order_id, supplier_id, mime, bytes, sha256, added_by, added_at)
      select 1, 1, id, 'image/png', 'x', sha256('x'), user_id, now() from suppliers limit 1`,
  ],
  'every collection order is counted by its source, or waits to be': [
    sql`update order_sources set received = received + 1 where order_id = (select max(order_id) from order_sources where received > 0)`,
  ],
  'the sums of the newest order sources are those of their orders': [
    sql`update source_sums set amount = amount + 1 where dimension = 'bank' and day = (select max(day) from source_sums)`,
  ],
  'the statistics of a day are exactly its orders': [
    // Nothing else fills the statistics of this world.
    sql`insert into statistics_days (direction, grain, day, merchant_id, supplier_id, account_id, product_id, currency, mark, created)
      values ('in', 0, '2020-01-01', 0, 0, 0, 0, 'INR', 0, 1)`,
  ],
  'the balances of every currency sum to zero': [
    sql`update ledger_accounts set balance = balance + 1 where id = (select min(id) from ledger_accounts where bucket = 'deposit')`,
  ],
  "every posting's entries are all there and sum to zero": [
    sql`delete from ledger_entries where id = ${anEntry}`,
  ],
  "every entry has its posting and an account of the posting's currency": [
    sql`update postings set currency = 'KES' where id = ${aPosting('topUp')}`,
  ],
  "every balance is the sum of its account's entries": [
    sql`update ledger_entries set amount = amount + 1 where id = ${anEntry}`,
  ],
  'balances run on from entry to entry': [
    sql`update ledger_entries set balance_after = balance_after + 1 where id = ${anEntry}`,
  ],
  'every paid order has exactly one posting, an unpaid one none': [
    sql`update postings set order_id = ${anOrder(2)} where id = ${aPosting('collection')}`,
  ],
  'every collection posting has its order': [
    sql`update postings set order_id = 1 where id = ${aPosting('collection')}`,
  ],
  'every paid order was posted with the amounts it shows': [
    sql`update collection_orders set fee = fee + 1 where id = ${anOrder(3)}`,
  ],
  'exactly the reversed orders, and test orders that were paid, have a mirror posting': [
    sql`update collection_orders set reversed_at = paid_at where id = ${anOrder(3)}`,
  ],
  'a posting and its mirror cancel out for every owner': [
    sql`update ledger_entries set amount = amount + 1
      where id = (select min(id) from ledger_entries where posting_id = ${aPosting('reversal')})`,
  ],
  "every paid order has a message of its account, amount and time, or a named person's decision": [
    sql`update messages set received_at = received_at - interval '21 days', bank_time = bank_time - interval '21 days'
      where id = (select mm.message_id from message_matches mm join order_events e on e.order_id = mm.order_id and e.kind = 'paid' limit 1)`,
  ],
  'a supplement that needs a second person has one': [
    sql`update collection_orders set received = 30000000 where id = ${aSupplement}`,
    sql`update order_events set data = data - 'approvalId' where order_id = ${aSupplement} and kind = 'supplemented'`,
  ],
  'a reversal by a person is two people’s, or a superAdmin’s by another user’s bank file': [
    sql`update order_events set actor_id = (select min(id) from users where role = 'superAdmin'), data = data - 'approvalId'
      where id = (select max(id) from order_events where kind = 'reversed')`,
  ],
  "no supplier's own statement put it into debt": [
    sql`update users set role = 'supplier' where id = (
      select actor_id from order_events where order_id = ${aSupplement} and kind = 'supplemented')`,
    sql`update collection_orders set supplier_id = (select c.owner_id from ledger_accounts c join ledger_entries e on e.account_id = c.id
        join postings p on p.id = e.posting_id where p.order_id = ${aSupplement} and c.owner_kind = 'supplier' limit 1)
      where id = ${aSupplement}`,
    sql`update ledger_accounts set bucket = 'debt', slot = 7 where owner_kind = 'supplier' and bucket = 'deposit' and id in (
      select e.account_id from ledger_entries e join postings p on p.id = e.posting_id where p.order_id = ${aSupplement})`,
  ],
  'no movement pays twice, in whatever wording': [
    sql`update messages x set amount = m.amount, utr = m.utr, account_id = m.account_id, state = 'matched', order_id = 5
      from (select * from messages where state = 'matched' and utr is not null order by id limit 1) m
      where x.id = (select min(id) from messages where id > m.id and direction = 'credit')`,
  ],
  'no order explains two messages': [
    sql`update messages set order_id = ${aMatch}, state = 'matched' where id = (select max(id) from messages)`,
  ],
  "every completed payout has its debit, a gateway's answer, or a named person's decision": [
    sql`delete from order_events where kind = 'proofAccepted' and order_id = ${aPayout(3)}`,
  ],
  'no credit that contradicts what was booked under its UTR is filed as a repeat': [
    sql`update messages set state = 'duplicate', reason = 'utrUsed', direction = 'credit', order_id = null, amount = 17,
        utr = (select u.utr from utr_uses u join collection_orders o on o.id = u.order_id order by u.order_id limit 1)
      where id = (select max(id) from messages where state <> 'matched')`,
  ],
  // As if orders in their grace did not count.
  'what was to be paid into a supplier’s accounts was never more than its deposit carried': [
    sql`update collection_orders o set payable = 1000000000000, allocated_at = allocated_at - interval '1 minute'
      where id = ${twoAtOnce('first')}`,
    sql`update collection_orders o set supplier_id = f.supplier_id, currency = f.currency, allocated_at = f.allocated_at + interval '20 seconds'
      from (select * from collection_orders where id = ${twoAtOnce('first')}) f where o.id = ${twoAtOnce('second')}`,
  ],
  'every reversed order has its notice': [sql`delete from callbacks where kind = 'reversed'`],
  'every reversed payout with an address has its notice': [
    sql`update payout_orders set reversed_at = finished_at, status = 6 where id = ${aPayout(3)}`,
  ],
  'every settlement moved what its row says, once': [
    sql`update ledger_accounts set bucket = 'pending', slot = 7 where id = (
      select a.id from ledger_entries e join ledger_accounts a on a.id = e.account_id
      where e.posting_id = ${aPosting('topUp')} and a.owner_kind <> 'platform' limit 1)`,
    sql`update postings set kind = 'settlement' where id = ${aPosting('topUp')}`,
  ],
  "every supplier's held balance is what its waiting orders hold": [
    sql`insert into ledger_accounts (id, owner_kind, owner_id, currency, bucket, balance, floor)
      select 1, 'supplier', max(id), 'INR', 'held', 5, 0 from suppliers`,
  ],
  "what is unproven of every supplier's deposit is what its payouts say": [
    sql`update ledger_accounts set unproven = unproven + 1
      where id = (select min(id) from ledger_accounts where owner_kind = 'supplier' and bucket = 'deposit')`,
  ],
  'every payout has the postings of its status': [
    sql`delete from postings where id = ${aPosting('payoutCompleted')}`,
  ],
  'every completed payout took its amount and fee from its merchant': [
    sql`update payout_orders set amount = amount + 1 where id = (select min(id) from payout_orders where status = 3)`,
  ],
  'every order has its merchant order number': [
    sql`delete from merchant_orders where order_id = ${anOrder(3)}`,
  ],
  'exactly the allocated orders wait for money': [
    sql`update collection_orders set status = 1 where id = ${anOrder(2)}`,
  ],
  'every waiting order stands as its order does': [waiting(sql`payable + 1`), inGrace()],
  'every account has one load, and one count of each day': [
    sql`insert into account_load (account_id, version) select min(account_id), max(version) + 64 from account_load
      where account_id = (select min(account_id) from account_load)`,
  ],
  "every account's load is what waits on it": [
    sql`update account_load set waiting_count = 1 where account_id = (select min(account_id) from account_load)`,
  ],
  "every account's day counts what was allocated on it": [
    sql`update account_days set orders = orders + 2 where (account_id, day) in (select account_id, day from account_days order by 2, 1 limit 1)`,
  ],
  "every order's history leads to its status": [
    sql`update order_events set to_status = 4 where kind = 'callbackSucceeded' and order_id = ${anOrder(3)}`,
  ],
  'every sealed row is as it was sealed': [
    sql`insert into audit_faults (kind, row_id, fault, block, found_at, seen_at) values ('event', 17, 'changed', 4, now(), now())`,
  ],
  'every order has a history': [sql`delete from order_events where order_id = ${anOrder(3)}`],
  'every match joins a matched message and the paid order it completed': [
    sql`update messages set amount = amount + 1 where order_id = ${aMatch}`,
  ],
  'every matched message has its match': [sql`delete from message_matches where order_id = ${aMatch}`],
  'every UTR in use belongs to a paid order that shows it': [
    sql`update utr_uses set order_id = ${anOrder(2)} where utr = (select min(utr) from utr_uses)`,
  ],
  'every paid order and top-up with a UTR holds that UTR': [
    sql`delete from utr_uses where utr = (select min(utr) from utr_uses)`,
  ],
  'every paid order has a callback': [sql`delete from callbacks where order_id = ${anOrder(3)}`],
  'every callback status is borne out by the callbacks': [
    sql`insert into callback_queue select id, order_id, merchant_id, place, now() from callbacks where order_id = ${anOrder(3)}`,
  ],
  'every callback has its attempts, and a succeeded one its acknowledgement': [
    sql`update callback_attempts set answer = 'fail' where order_id = ${anOrder(3)}`,
  ],
  'every payout froze its amount and fee, and one that ended unpaid got them back': [
    sql`update payout_orders set amount = amount + 1 where id = ${aPayout(4)}`,
  ],
  "every merchant's frozen balance is what its open payouts hold": [
    sql`update payout_orders set status = 0, finished_at = null where id = ${aPayout(4)}`,
  ],
  'every payout posting has its payout': [
    sql`update postings set order_id = 1 where id = ${aPosting('payoutCreated')}`,
  ],
  'a payout under claim has its claimer, a waiting one nobody': [
    sql`update payout_orders set status = 1, supplier_id = null, attempt = 0, finished_at = null where id = ${aPayout(4)}`,
  ],
  "every counted day of a supplier's payouts holds what it took on that day": [
    sql`insert into user_product_days (owner_kind, owner_id, product_id, day, orders, amount)
      select 'supplier', min(id), 2001, '2020-01-01', 3, 300 from suppliers`,
  ],
  'a payout is told of only once it has ended': [
    sql`insert into callbacks (id, order_id, merchant_id, kind, url, transport, fields, created_at, place)
      select 1, id, merchant_id, 'manual', 'http://127.0.0.1/', 'json', '{}', now(), 99 from payout_orders where id = ${aPayout(3)}`,
  ],
  'no debit message bears out a payout that is called unproven': [
    sql`update payout_orders set unproven = true where id = ${aPayout(3)}`,
    sql`insert into message_matches (order_id, message_id, evidence, created_at)
      select id, -1, 'utr', now() from payout_orders where id = ${aPayout(3)}`,
  ],
  'every link of a chain joins two nodes that name each other, at the same balance': [
    sql`insert into chain_nodes (account_id, id, kind, amount, balance, minute, place, is_coarse, is_surplus, is_fork, state, next_id)
      select min(id), 1, 'message', 100, 100, 1, 0, false, false, false, 'linked', 2 from accounts`,
  ],
  'every live patch closes its gap with its whole sum, and no other': [
    sql`insert into chain_gaps (id, account_id, tail_id, head_id, delta, from_minute, to_minute, state, opened_at, closed_at)
      select 1, min(id), 1, 2, 100, 1, 2, 'patched', now(), now() from accounts`,
  ],
  'a message that waits before it is matched is held, and every such message waits': [
    sql`insert into delayed_messages select message_id, 1, now(), 0 from message_matches where order_id = ${aMatch}`,
  ],
  'what waits for its chain is a held message, and every such message waits': [
    sql`update messages set state = 'held', reason = 'chain' where order_id = ${aMatch}`,
  ],
};

/** A matched credit with a UTR, and a later credit. */
const aCredit = sql`(select * from messages where state = 'matched' and utr is not null and direction = 'credit' order by id limit 1)`;
const aLater = sql`(select min(x.id) from messages x, ${aCredit} c where x.id > c.id and x.direction = 'credit')`;
/** A message that is filed as a repeat of what was booked under this UTR. */
const repeatOf = (utr: Sql, amount: Sql, accountId: Sql) => sql`
  update messages set state = 'duplicate', reason = 'utrUsed', direction = 'credit', order_id = null, utr = ${utr}, amount = ${amount},
    account_id = ${accountId} where id = (select max(id) from messages where state <> 'matched')`;
const ofBare = (
  field: Sql,
) => sql`(select ${field} from utr_uses u join collection_orders o on o.id = u.order_id
  where o.account_id is not null and not exists (select from message_matches m where m.order_id = o.id) order by o.id limit 1)`;

const TWICE = 'no movement pays twice, in whatever wording';
const REPEAT = 'no credit that contradicts what was booked under its UTR is filed as a repeat';
/** Other forms of the same faults: check, form, damage. */
const FORMS: readonly [string, string, Sql[]][] = [
  [
    TWICE,
    'the same balance, one without a UTR',
    [
      sql`update messages x set amount = c.amount, balance = 777, utr = null, account_id = c.account_id, state = 'matched', order_id = 5,
          received_at = c.received_at, bank_time = c.bank_time, time_precision = c.time_precision from ${aCredit} c where x.id = ${aLater}`,
      sql`update messages set balance = 777 where id = (select id from ${aCredit} c)`,
    ],
  ],
  [
    TWICE,
    'the same text at the same time',
    [
      sql`update messages x set amount = c.amount, utr = null, account_id = c.account_id, state = 'matched', order_id = 5,
          received_at = c.received_at, monitor_id = c.monitor_id, sender = c.sender, text = c.text from ${aCredit} c where x.id = ${aLater}`,
    ],
  ],
  [
    REPEAT,
    'the sum on another account',
    [repeatOf(ofBare(sql`u.utr`), ofBare(sql`o.received`), sql`(select max(a.id) from accounts a)`)],
  ],
  [
    REPEAT,
    'an order that was booked beside its account',
    [
      sql`update postings set kind = 'collectionOffset' where key = 'collection/' || ${ofBare(sql`o.id`)}`,
      repeatOf(ofBare(sql`u.utr`), ofBare(sql`o.received`), ofBare(sql`o.account_id`)),
    ],
  ],
  [
    REPEAT,
    'the UTR of a payout',
    [repeatOf(sql`(select utr from payout_orders where id = ${aPayout(3)})`, sql`17`, sql`account_id`)],
  ],
];

function waiting(payable: Sql): Sql {
  return sql`
    insert into waiting_orders (order_id, account_id, supplier_id, currency, amount, payable, identify_code, day, allocated_at,
      expires_at, release_at, timed_out)
    select id, account_id, supplier_id, currency, amount, ${payable}, identify_code, current_date, allocated_at, expires_at,
      expires_at, true
    from collection_orders where id = ${anOrder(2)}`;
}

/** The account's load counts the order's grace. */
function inGrace(): Sql {
  return sql`
  update account_load l set grace_amount = l.grace_amount + w.payable from waiting_orders w
  where w.order_id = ${anOrder(2)} and l.account_id = w.account_id`;
}

describe('verify', () => {
  test.each([{}, SHORT])('every check passes in a world without faults, in ranges of %j', async (options) => {
    const results = await Array.fromAsync(verify(await snapshotsOf(world.platform.db), CHECKS, options));
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect(results.map(({ name }) => name)).toEqual(CHECKS.map(({ name }) => name));
  });

  test('there is a fault for every check', () => {
    // The checks of batches, decisions and statements need worlds of their own: batch-, decision-, said-checks.test.ts.
    const elsewhere = [...BATCH_CHECKS, ...DECISION_CHECKS, ...SAID_CHECKS];
    const here = CHECKS.filter((check) => !elsewhere.includes(check));
    expect(Object.keys(FAULTS).sort()).toEqual(here.map(({ name }) => name).sort());
  });

  test.each(Object.entries(FAULTS))('finds a fault: %s', async (name, faults) => {
    const broken = await brokenBy(faults, name);
    expect(broken.map((result) => result.name)).toContain(name);
    expect(broken.find((result) => result.name === name)!.detail).toMatch(/\d/);
  });

  test.each(FORMS)('finds a fault: %s; by %s', async (name, _form, faults) => {
    expect((await brokenBy(faults, name)).map((result) => result.name)).toContain(name);
  });

  test('an order in its grace is no fault', async () => {
    expect(await brokenBy([waiting(sql`payable`), inGrace()])).toEqual([]);
  });
});
