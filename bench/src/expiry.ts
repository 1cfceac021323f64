import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { raw, sql } from '@sangam/server/platform/db/database.ts';
import { firstIdAt } from '@sangam/server/platform/db/ids.ts';
import { type Rig, startRig } from './rig.ts';
import { compare, type Side } from './rounds.ts';

/*
 * Orders that are all due at once: timed out by the server in its short transactions, over one set-based transaction with the same
 * effects (order, waiting row, the account's load and day, event).
 *
 *   npm run bench -- expiry [--rounds 5] [--orders 1000000]
 *
 * A round of a million orders takes about six minutes, most of it to write the orders. The warm-up has at most 20,000.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    orders: { type: 'string', default: '1000000' },
    port: { type: 'string', default: '8396' },
  },
});
const WARM_UP = 20_000;
const ACCOUNTS = 50;

/** Rounds are measured in orders: one second stands for all of them, less than a second for the warm-up's number. */
const sizeOf = (seconds: number) => Math.min(Number(values.orders), seconds < 1 ? WARM_UP : Infinity);

/**
 * Writes waiting orders that are all due once this commits, as after a time without a server while a thousand per second expired.
 * Nothing of earlier rounds remains.
 */
async function writeDue({ platform, merchants, accountIds }: Rig, size: number): Promise<void> {
  const first = firstIdAt(new Date(Date.now() - 3_600_000));
  const merchant = BigInt(merchants[0]!.mchId);
  for (const table of ['waiting_orders', 'collection_orders', 'order_events', 'account_days'])
    await platform.db.query(sql`truncate ${raw(table)}`);
  await platform.db.tx(async (tx) => {
    await tx.query(sql`
      insert into collection_orders (id, merchant_id, mch_order_no, product_id, currency, amount, payable, status, supplier_id,
        account_id, identify_code, notify_url, merchant_rate_ppm, merchant_fixed_fee, allocated_at, expires_at, created_at)
      select ${first}::bigint + 2 * n, ${merchant}::bigint, 'E' || n, 1010, 'INR', 100 + n, 100 + n, 1, 20001,
        (${accountIds}::bigint[])[1 + n % ${accountIds.length}], 'E' || n, 'http://127.0.0.1:9/', 30000, 0, now(), now() - (${size}::int - n) * interval '1 ms', now()
      from generate_series(0, ${size - 1}::int) n`);
    await tx.query(sql`
      insert into waiting_orders (order_id, merchant_id, product_id, account_id, supplier_id, currency, amount, payable, identify_code, day, allocated_at,
        expires_at, release_at)
      select id, merchant_id, product_id, account_id, supplier_id, currency, amount, payable, identify_code, current_date, now(), expires_at, now() + interval '1 day'
      from collection_orders`);
    await tx.query(sql`
      insert into account_days (account_id, day, orders, amount)
      select account_id, day, count(*), sum(payable) from waiting_orders group by account_id, day`);
    await tx.query(sql`
      update account_load l set waiting_count = d.orders, waiting_amount = d.amount from account_days d where d.account_id = l.account_id`);
  });
  // A backlog that grew by itself would have current statistics. With those of the previous round, the verify job's joins take 15
  // minutes.
  await platform.db.query(sql`analyze collection_orders, waiting_orders, account_days`);
}

/** Reads the few rows of the accounts: a search for due orders would read past all finished ones. */
async function someLeft({ platform }: Rig): Promise<boolean> {
  const [row] = await platform.db.query<{ left: boolean }>(sql`
    select exists (select from account_load where waiting_count > 0) as left`);
  return row!.left;
}

/** Counts every effect: an answer that left something out does not count. */
async function prove({ platform }: Rig, size: number): Promise<void> {
  const [row] = await platform.db.query<{ orders: number; events: number; waiting: number }>(sql`
    select (select count(*) from collection_orders where status = 2)::int as orders,
      (select count(*) from order_events where kind = 'timedOut')::int as events,
      (select sum(waiting_count) from account_load)::int as waiting`);
  const { orders, events, waiting } = row!;
  if (orders !== size || events !== size || waiting !== 0)
    throw new Error(`not all expired: ${JSON.stringify(row)}`);
}

function byServer(rig: Rig): Side {
  return {
    name: `${values.orders} due orders timed out by the server`,
    async run(seconds) {
      const size = sizeOf(seconds);
      await writeDue(rig, size);
      const startedAt = performance.now();
      const before = rig.cpuMs();
      while (await someLeft(rig)) await new Promise((resolve) => setTimeout(resolve, 50));
      const rate = (size / (performance.now() - startedAt)) * 1000;
      const after = rig.cpuMs();
      const each = (ms: number) => ((ms * 1000) / size).toFixed(0);
      console.log(
        `    CPU µs an order: server ${each(after.server - before.server)}, PostgreSQL ${each(after.postgres - before.postgres)}`,
      );
      await prove(rig, size);
      return rate;
    },
  };
}

function bySql(rig: Rig): Side {
  const script = readFileSync(new URL('./sql/expire.sql', import.meta.url), 'utf8');
  return {
    name: 'one set-based transaction',
    async run(seconds) {
      const size = sizeOf(seconds);
      // The server's sweep must not touch these orders.
      await rig.pause();
      await writeDue(rig, size);
      const startedAt = performance.now();
      await rig.platform.db.pool.query(script);
      const rate = (size / (performance.now() - startedAt)) * 1000;
      rig.resume();
      await prove(rig, size);
      return rate;
    },
  };
}

const rig = await startRig({ merchants: 1, accounts: ACCOUNTS }, Number(values.port));
try {
  await compare(byServer(rig), bySql(rig), { rounds: Number(values.rounds), seconds: 1 });
} finally {
  await rig.stop();
}
