import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { COLLECTION_STATUS, ORDER_MARK } from '@sangam/contract/orders.ts';
import { getIpList } from '@sangam/contract/endpoints/ip-analysis.ts';
import { listIps } from '@sangam/server/analysis/list-ips.ts';
import { SECOND } from '@sangam/server/platform/clock.ts';
import { insertAll } from '@sangam/server/demo/bulk.ts';
import { sql } from '@sangam/server/platform/db/database.ts';
import { viewerOf } from '@sangam/server/testing/world.ts';
import { leaveBooks } from './load/due-callbacks.ts';
import { type Rig, startRig } from './rig.ts';

/*
 * Writes one minute of orders from many client addresses directly to the database, while the server counts them. Measures how far
 * the count is behind, its cost, and the time of the list of addresses. The counts must equal the orders.
 *
 *   npm run bench -- ip-frequency [--orders 100000] [--addresses 10000] [--seconds 60]
 */
const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '100000' },
    addresses: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '60' },
    port: { type: 'string', default: '8398' },
  },
});
const [orders, addresses, seconds] = [values.orders, values.addresses, values.seconds].map(Number) as [
  number,
  number,
  number,
];
const LISTS = 40;
/** The most milliseconds that the count may be behind. */
const MOST_BEHIND = 2 * SECOND;
const MOST_LIST = 100;

const rig = await startRig({ merchants: 20, accounts: 50 }, Number(values.port));
try {
  await leaveBooks(rig);
  const { db } = rig.platform;
  const before = rig.cpuMs();
  const startedAt = performance.now();
  let behind = 0;
  for (let second = 0; second < seconds; second += 1) {
    const first = Math.round((orders * second) / seconds);
    await write(rig, first, Math.round((orders * (second + 1)) / seconds));
    const [oldest] = await db.query<{ at: Date | null }>(sql`
      select min(o.created_at) as at from order_changes c join collection_orders o on o.id = c.order_id`);
    if (oldest!.at) behind = Math.max(behind, rig.platform.clock.now().getTime() - oldest!.at.getTime());
    await wait(Math.max(0, startedAt + (second + 1) * SECOND - performance.now()));
  }
  const writtenAt = performance.now();
  while ((await db.query(sql`select from order_changes limit 1`)).length > 0) await wait(50);
  const drained = performance.now() - writtenAt;
  const cpu = rig.cpuMs();
  const [counted] = await db.query<{ orders: number; ips: number; abnormal: number }>(sql`
    select sum(orders)::int as orders, count(distinct ip)::int as ips, (select count(*)::int from abnormal_ips) as abnormal
    from ip_minutes`);
  if (counted!.orders !== orders) throw new Error(`${counted!.orders} of ${orders} orders are counted`);
  const admin = viewerOf(rig.platform, { role: 'admin' });
  const lists: number[] = [];
  for (let n = 0; n < LISTS; n += 1) {
    const begun = performance.now();
    await listIps(rig.platform, admin, getIpList.input.parse({ page: 1, pageSize: 50 }));
    lists.push(performance.now() - begun);
  }
  const slow = lists.toSorted((a, b) => a - b)[Math.ceil(LISTS * 0.95) - 1]!;
  const took = (writtenAt - startedAt) / SECOND;
  console.log(
    `${orders} orders from ${counted!.ips} addresses written in ${took.toFixed(0)} s, behind by ${behind.toFixed(0)} ms at most, the last counted after ${drained.toFixed(0)} ms`,
  );
  console.log(
    `  CPU an order with what wrote it: server ${perOrder(cpu.server - before.server)}, PostgreSQL ${perOrder(cpu.postgres - before.postgres)} µs; ${counted!.abnormal} addresses abnormal; p95 of the list ${slow.toFixed(0)} ms`,
  );
  const faults = [
    ...(behind > MOST_BEHIND ? [`behind by more than ${MOST_BEHIND} ms`] : []),
    ...(took > seconds * 1.1 ? ['the orders took longer than their minute'] : []),
    ...(slow > MOST_LIST ? [`the list took more than ${MOST_LIST} ms`] : []),
  ];
  console.log(faults.length === 0 ? 'within its goals' : `NOT within its goals:\n  ${faults.join('\n  ')}`);
  console.log(`load ${loadavg()[0]!.toFixed(1)}`);
} finally {
  await rig.stop();
}

function perOrder(ms: number): string {
  return ((ms * 1000) / orders).toFixed(0);
}

/** Writes timed-out orders and their change rows in one transaction, like one busy second of creations. */
async function write({ platform, merchants, accountIds }: Rig, first: number, end: number): Promise<void> {
  const now = platform.clock.now();
  const rows = Array.from({ length: end - first }, (_, offset) => {
    const n = first + offset;
    // All addresses order about equally often.
    const address = (n * 7919) % addresses;
    return {
      id: platform.ids.next(),
      merchant_id: BigInt(merchants[n % merchants.length]!.mchId),
      mch_order_no: `IP${n}`,
      product_id: 1010,
      currency: 'INR',
      amount: 500_00n,
      payable: 500_00n,
      status: COLLECTION_STATUS.timedOut,
      mark: ORDER_MARK.ordinary,
      account_id: accountIds[n % accountIds.length]!,
      identify_code: 'BENCH',
      client_ip: `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}`,
      user_name: `Payer ${n % 900}`,
      notify_url: 'https://shop.example.com/notify',
      merchant_rate_ppm: 30_000,
      merchant_fixed_fee: 0n,
      allocated_at: now,
      expires_at: now,
      created_at: now,
    };
  });
  await platform.db.tx(async (tx) => {
    await insertAll(
      tx,
      'collection_orders',
      {
        id: 'bigint',
        merchant_id: 'bigint',
        mch_order_no: 'text',
        product_id: 'int',
        currency: 'text',
        amount: 'bigint',
        payable: 'bigint',
        status: 'smallint',
        mark: 'smallint',
        account_id: 'bigint',
        identify_code: 'text',
        client_ip: 'text',
        user_name: 'text',
        notify_url: 'text',
        merchant_rate_ppm: 'int',
        merchant_fixed_fee: 'bigint',
        allocated_at: 'timestamptz',
        expires_at: 'timestamptz',
        created_at: 'timestamptz',
      },
      rows,
    );
    await tx.query(sql`
      update collection_orders o set supplier_id = a.supplier_id from accounts a
      where a.id = o.account_id and o.supplier_id is null`);
    await tx.query(sql`
      insert into order_changes (id, order_id) select id, id from unnest(${rows.map(({ id }) => id)}::bigint[]) as v (id)`);
  });
}
