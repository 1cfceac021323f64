import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALERT_KINDS } from '@sangam/contract/alerts.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealBlock } from '../audit/seal.ts';
import { audit } from '../platform/audit/record.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../platform/clock.ts';
import { raw, type Sql, sql } from '../platform/db/database.ts';
import { makePartitions } from '../platform/db/partitions.ts';
import { creditSms, createOne, makeShop, type Shop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { dispatchWaiting, makeGatewayAccount } from '../testing/gateway.ts';
import { GATEWAY_PAYOUT, makePayoutShop, payOut } from '../testing/payouts.ts';
import type { SendAnswer } from '../channels/payout-channel.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import { reselectPayout } from '../payout/reselect.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { watchBackup, watchCauses, watchDisk } from './watch.ts';

let node: TestPlatform;
let shop: Shop;
beforeAll(async () => {
  node = await createTestPlatform({ dataDir: '/' });
  shop = await makeShop(node.platform);
  await makePartitions({ db: node.owner, clock: node.clock });
});
afterAll(() => node.close());

const query = (statement: Sql) => node.platform.db.query<{ id: bigint }>(statement);
async function open(kind: string): Promise<string[]> {
  node.clock.advance(31 * SECOND);
  await query(
    sql`update monitors set last_seen_at = greatest(last_seen_at, ${node.clock.now()}) where secret <> ''`,
  );
  await watchCauses(node.platform);
  const rows = await node.platform.db.query<{ subject: string }>(sql`
    select subject from alerts where kind = ${kind} and closed_at is null order by id`);
  return rows.map(({ subject }) => subject);
}

test('a silent monitor, until it reports again', async () => {
  const offline = async () => {
    node.clock.advance(31 * SECOND);
    await watchCauses(node.platform);
    return node.platform.db.query(
      sql`select subject from alerts where kind = 'monitorOffline' and closed_at is null`,
    );
  };
  await query(sql`update monitors set last_seen_at = ${new Date(node.clock.now().getTime() - HOUR)}`);
  expect(await offline()).toEqual([{ subject: String(shop.monitor.id) }]);
  await query(sql`update monitors set last_seen_at = ${new Date(node.clock.now().getTime() + MINUTE)}`);
  expect(await offline()).toEqual([]);
});

test('a deposit that is nearly used up', async () => {
  const set = (balance: bigint) =>
    query(
      sql`update ledger_accounts set balance = ${balance} where owner_kind = 'supplier' and bucket = 'deposit'`,
    );
  expect(await open('lowDeposit')).toEqual([]);
  await set(500_00n);
  expect(await open('lowDeposit')).toEqual([String(shop.supplierId)]);
  await set(1_000_000_00n);
  expect(await open('lowDeposit')).toEqual([]);
});

test('a supplier that gives back as many payouts as it may in a day', async () => {
  const day = businessDay(node.clock.now());
  const given = (payouts: number) =>
    query(sql`
      insert into given_back_days values (${shop.supplierId}, ${day}, ${payouts})
      on conflict (supplier_id, day) do update set payouts = excluded.payouts`);
  await given(19);
  expect(await open('payeesSeen')).toEqual([]);
  await given(20);
  expect(await open('payeesSeen')).toEqual([String(shop.supplierId)]);
  await query(sql`delete from given_back_days`);
  expect(await open('payeesSeen')).toEqual([]);
});

test('a credit without an order, once it waited long enough', async () => {
  await receiveMessages(node.platform, shop.monitor, [creditSms(node.platform, shop, 777_77n)]);
  expect(await open('unmatchedCredit')).toEqual([]);
  node.clock.advance(2 * HOUR);
  expect(await open('unmatchedCredit')).toEqual([String(shop.accountId)]);
  await query(sql`update messages set state = 'settledOutside' where state <> 'settledOutside'`);
  expect(await open('unmatchedCredit')).toEqual([]);
});

test('callbacks that fail again and again', async () => {
  await createOne(node.platform, shop.merchantId);
  await query(sql`
    insert into callback_queue (callback_id, order_id, merchant_id, place, next_at, attempts)
    values (1, 1, ${shop.merchantId}, 1, ${new Date(node.clock.now().getTime() + DAY)}, 3)`);
  expect(await open('callbackFailing')).toEqual([String(shop.merchantId)]);
  await query(sql`delete from callback_queue`);
  expect(await open('callbackFailing')).toEqual([]);
});

test('a chain with a gap that nothing explains', async () => {
  const now = node.clock.now();
  await query(sql`
    insert into chain_gaps (id, account_id, tail_id, head_id, delta, from_minute, to_minute, state, opened_at, alerted_at)
    values (1, ${shop.accountId}, 1, 2, 100, 1, 2, 'open', ${now}, ${now})`);
  expect(await open('chainSuspect')).toEqual([String(shop.accountId)]);
  await query(sql`update chain_gaps set state = 'closed', closed_at = ${now}`);
  expect(await open('chainSuspect')).toEqual([]);
});

test('a gateway that refuses payouts for want of money, until they are sent again', async () => {
  const { supplierId, merchantId } = await makePayoutShop(node.platform);
  const accountId = await makeGatewayAccount(node.platform, supplierId, 'cashfree');
  const send = (): Promise<SendAnswer> =>
    Promise.resolve({ outcome: 'refused', reason: 'insufficient_balance: Not enough available balance' });
  const { id } = await payOut(node.platform, merchantId, { productId: GATEWAY_PAYOUT });
  const channel = { send, check: () => Promise.reject(new Error('not asked')) };
  await dispatchWaiting(node.platform, new Map([[GATEWAY_PAYOUT, channel]]));
  await query(
    sql`update payout_orders set supplier_id = ${supplierId}, account_id = ${accountId} where id = ${id}`,
  );
  expect(await open('gatewayBalanceLow')).toEqual([String(accountId)]);
  await reselectPayout(node.platform, viewerOf(node.platform, { role: 'admin' }), id);
  expect(await open('gatewayBalanceLow')).toEqual([]);
});

test('a request that nobody decides', async () => {
  const { id } = await makeUser(node.platform, { role: 'admin' });
  const now = node.clock.now();
  await query(sql`
    insert into approvals (id, kind, subject_kind, subject_id, payload, is_sole, started_by, started_as, started_at, expires_at)
    values (5, 'topUp', 'supplier', ${shop.supplierId}, '{}', false, ${id}, 'admin', ${now}, ${new Date(now.getTime() + DAY)})`);
  expect(await open('approvalWaiting')).toEqual([]);
  node.clock.advance(2 * HOUR);
  expect(await open('approvalWaiting')).toEqual(['5']);
  await query(sql`update approvals set status = 'withdrawn', decided_at = ${node.clock.now()}`);
  expect(await open('approvalWaiting')).toEqual([]);
});

test('broken checks of the books, and checks that do not finish', async () => {
  const run = (broken: object[]) =>
    query(sql`
      insert into verify_runs (id, scope, checks, broken, started_at, duration_ms)
      values (${node.platform.ids.next()}, 'whole', 1, ${JSON.stringify(broken)}, ${node.clock.now()}, 1)`);
  await run([
    { name: 'sums', detail: 'row 1' },
    { name: 'slow', detail: 'late', unfinished: true },
  ]);
  expect(await open('verifyFailed')).toEqual(['sums']);
  expect(await open('verifyUnfinished')).toEqual(['slow']);
  await run([]);
  expect(await open('verifyFailed')).toEqual([]);
  expect(await open('verifyUnfinished')).toEqual([]);
});

test('a month without its partition', async () => {
  const month = new Date(node.clock.now().getTime() + 31 * DAY).toISOString().slice(0, 7).replace('-', '');
  const rename = (from: string, to: string) =>
    node.owner.query(sql`alter table ${raw(from)} rename to ${raw(to)}`);
  await rename(`monitor_log_${month}`, 'monitor_log_lost');
  expect(await open('partitionsMissing')).toEqual(['monitor_log']);
  await rename('monitor_log_lost', `monitor_log_${month}`);
  expect(await open('partitionsMissing')).toEqual([]);
});

/** Seals everything. A transaction that is just ending in another database may delay it for a moment. */
function sealAll(): Promise<void> {
  return expect
    .poll(
      async () => {
        while (await sealBlock(node.platform));
        return query(sql`
          select id from audit_log where tx_id >= coalesce((select to_tx from audit_blocks order by number desc limit 1), 0)`);
      },
      { timeout: 60_000 },
    )
    .toEqual([]);
}

test('audit rows that nobody seals, until they are sealed', { timeout: 130_000 }, async () => {
  const { platform } = node;
  // Clears what other tests left.
  await sealAll();
  await platform.db.tx((tx) =>
    audit(platform, tx, { userId: null, action: 'test', subject: 'user:1', reason: null, ip: null }),
  );
  expect(await open('auditUnsealed')).toEqual([]);
  node.clock.advance(2 * MINUTE);
  expect(await open('auditUnsealed')).toEqual(['audit']);
  await sealAll();
  expect(await open('auditUnsealed')).toEqual([]);
});

test('an access review that is open, until each user of it is judged', async () => {
  const { platform } = node;
  const { id: userId } = await makeUser(platform, { role: 'admin' });
  const [id, now] = [platform.ids.next(), node.clock.now()];
  await query(sql`insert into access_reviews (id, opened_at) values (${id}, ${now})`);
  await query(sql`
    insert into access_review_users (review_id, user_id, role) values (${id}, ${userId}, 'admin')`);
  expect(await open('accessReviewOpen')).toEqual([String(id)]);
  await query(sql`update access_reviews set closed_at = ${now}, closed_by = ${userId} where id = ${id}`);
  expect(await open('accessReviewOpen')).toEqual([]);
});

test('a disk that is nearly full', async () => {
  const full = async (bavail: number) => {
    await watchDisk(node.platform, () => Promise.resolve({ blocks: 100, bavail }));
    return query(sql`select id from alerts where kind = 'diskFull' and closed_at is null`);
  };
  expect(await full(50)).toHaveLength(0);
  expect(await full(5)).toHaveLength(1);
  expect(await full(5)).toHaveLength(1);
  expect(await full(50)).toHaveLength(0);
});

test('the newest backup is older than a day and two hours, or there has never been one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sangam-backup-'));
  const stamp = join(folder, 'done');
  const platform = { ...node.platform, config: { ...node.platform.config, backupStamp: stamp } };
  const raised = async () => {
    await watchBackup(platform);
    return query(
      sql`select data->>'hours' as hours from alerts where kind = 'backupOld' and closed_at is null`,
    );
  };
  const agoAt = (hours: number) => new Date(node.clock.now().getTime() - hours * HOUR);
  try {
    await query(sql`insert into installation (id, kind, marked_at) values (1, 'demo', ${agoAt(25)})`);
    expect(await raised()).toEqual([]);
    node.clock.advance(5 * HOUR);
    expect(await raised()).toEqual([{ hours: '30' }]);
    writeFileSync(stamp, '');
    utimesSync(stamp, agoAt(1), agoAt(1));
    expect(await raised()).toEqual([]);
    utimesSync(stamp, agoAt(27), agoAt(27));
    expect(await raised()).toEqual([{ hours: '27' }]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('every kind of alert is raised somewhere', () => {
  const folder = join(import.meta.dirname, '..');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('testing'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    // What stands in comments raises nothing.
    .map((text) => text.replace(/\/\*.*?\*\//gs, ''));
  expect(ALERT_KINDS.filter((kind) => !sources.some((text) => text.includes(`'${kind}'`)))).toEqual([]);
});
