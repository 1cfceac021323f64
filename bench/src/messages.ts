import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { signMonitorCall } from '@sangam/contract/signature.ts';
import { Pool } from 'undici';
import { sql } from '@sangam/server/platform/db/database.ts';
import { firstIdAt } from '@sangam/server/platform/db/ids.ts';
import { creditSms } from '@sangam/server/testing/payments.ts';
import { makeAccount, makeMonitor, makeSupplier } from '@sangam/server/testing/world.ts';
import { type Rig, startRig } from './rig.ts';
import { compare, type Side } from './rounds.ts';

/*
 * Bank messages reported by monitors over HTTP (signature, sequence, parsing, matching, completing, ledger, outbox; durable before
 * the answer) over the same effects by set-based SQL. A report is answered after its orders are completed. The accepted rate counts
 * answers; the drained rate counts orders found paid afterwards.
 *
 *   npm run bench -- messages [--rounds 5] [--messages 8000] [--per-report 100] [--monitors 4]
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    messages: { type: 'string', default: '8000' },
    'per-report': { type: 'string', default: '100' },
    monitors: { type: 'string', default: '4' },
    port: { type: 'string', default: '8395' },
  },
});
const perReport = Number(values['per-report']);
const perMonitor = Math.floor(Number(values.messages) / Number(values.monitors) / perReport) * perReport;
const size = perMonitor * Number(values.monitors);

interface Device {
  readonly monitorId: bigint;
  readonly secret: string;
  readonly supplierId: bigint;
  readonly accountId: bigint;
  readonly accountNumber: string;
  sequence: number;
}

async function makeDevice({ platform }: Rig): Promise<Device> {
  const { supplierId } = await makeSupplier(platform, { deposit: 10n ** 15n });
  const { monitorId, secret } = await makeMonitor(platform, { supplierId });
  const account = await makeAccount(platform, { supplierId, monitorId, maxWaiting: 1_000_000 });
  return { monitorId, secret, supplierId, ...account, sequence: 0 };
}

let written = 0;

/** Orders that wait for payment on each device's account, with their amounts. */
async function writeWaiting({ platform, merchants }: Rig, devices: readonly Device[]): Promise<void> {
  const merchantIds = merchants.map(({ mchId }) => BigInt(mchId));
  for (const { accountId, supplierId } of devices) {
    const first = firstIdAt(new Date(Date.now() - 3_600_000)) + BigInt(written);
    written += perMonitor * 16;
    await platform.db.tx(async (tx) => {
      await tx.query(sql`
        insert into collection_orders (id, merchant_id, mch_order_no, product_id, currency, amount, payable, status, supplier_id,
          account_id, identify_code, notify_url, merchant_rate_ppm, merchant_fixed_fee, allocated_at, expires_at, created_at)
        select ${first}::bigint + 16 * n, (${merchantIds}::bigint[])[1 + n % ${merchantIds.length}], 'M' || (${first}::bigint + 16 * n), 1010, 'INR',
          10000 + n, 10000 + n, 1, ${supplierId}, ${accountId}, 'M' || (${first}::bigint + 16 * n), 'http://127.0.0.1:9/', 30000, 0, now(),
          now() + interval '1 day', now() from generate_series(0, ${perMonitor - 1}::int) n`);
      await tx.query(sql`
        insert into waiting_orders (order_id, merchant_id, product_id, account_id, supplier_id, currency, amount, payable, identify_code, day, allocated_at,
          expires_at, release_at)
        select id, merchant_id, product_id, account_id, supplier_id, currency, amount, payable, identify_code, current_date, now() - interval '1 hour', expires_at, expires_at
        from collection_orders where account_id = ${accountId} and id >= ${first}`);
      await tx.query(sql`
        with counted as (
          update account_days set orders = orders + ${perMonitor} where account_id = ${accountId} and day = current_date returning 1
        )
        insert into account_days (account_id, day, orders, amount) select ${accountId}, current_date, ${perMonitor}, 1
        where not exists (select from counted)`);
      await tx.query(sql`
        update account_load set waiting_count = ${perMonitor}, waiting_amount =
          (select sum(payable) from waiting_orders where account_id = ${accountId}) where account_id = ${accountId}`);
    });
  }
  await platform.db.query(sql`analyze waiting_orders`);
}

async function waits({ platform }: Rig): Promise<number> {
  const [row] = await platform.db.query<{ n: number }>(sql`select count(*)::int as n from waiting_orders`);
  return row!.n;
}

function overHttp(rig: Rig, devices: readonly Device[]): Side {
  return {
    name: `messages over HTTP, ${perReport} a report, ${devices.length} monitors`,
    async run() {
      await writeWaiting(rig, devices);
      const bodies = devices.map((device) =>
        Array.from({ length: perMonitor / perReport }, (_, report) => {
          const shop = { ...device, merchantId: 0n, monitor: { id: 0n, supplierId: 0n }, monitorSecret: '' };
          const messages = Array.from({ length: perReport }, (__, n) =>
            creditSms(rig.platform, shop, BigInt(10_000 + report * perReport + n), {
              messageId: `${written}-${report}-${n}`,
            }),
          );
          return Buffer.from(JSON.stringify({ messages }));
        }),
      );
      const pool = new Pool(rig.url, { connections: devices.length, pipelining: 1 });
      const before = rig.cpuMs();
      const startedAt = performance.now();
      await Promise.all(devices.map((device, n) => reportAll(pool, device, bodies[n]!)));
      const accepted = performance.now() - startedAt;
      const left = await waits(rig);
      const drained = performance.now() - startedAt;
      const after = rig.cpuMs();
      await pool.close();
      if (left !== 0) throw new Error(`${left} of ${size} orders were not paid`);
      const each = (ms: number) => ((ms * 1000) / size).toFixed(0);
      console.log(
        `    accepted ${((size / accepted) * 1000).toFixed(0)}/s, drained ${((size / drained) * 1000).toFixed(0)}/s; CPU µs a message: ` +
          `server ${each(after.server - before.server)}, PostgreSQL ${each(after.postgres - before.postgres)}`,
      );
      return (size / drained) * 1000;
    },
  };
}

/** A device sends its reports one after the other, as the sequence numbers demand. */
async function reportAll(pool: Pool, device: Device, bodies: readonly Buffer[]): Promise<void> {
  for (const body of bodies) {
    device.sequence += 1;
    const timestamp = String(Date.now());
    const sequence = String(device.sequence);
    const answer = await pool.request({
      method: 'POST',
      path: '/v1.0/monitor/report',
      headers: {
        'content-type': 'application/json',
        'x-monitor-id': String(device.monitorId),
        'x-monitor-timestamp': timestamp,
        'x-monitor-sequence': sequence,
        'x-monitor-signature': signMonitorCall(device.secret, timestamp, sequence, body),
      },
      body,
    });
    const { code, data } = (await answer.body.json()) as {
      code: number;
      data: { results: { state: string }[] };
    };
    const unmatched = data.results.find(({ state }) => state !== 'matched');
    if (code !== 200 || unmatched) throw new Error(`a report was answered ${code}, ${unmatched?.state}`);
  }
}

function bySql(rig: Rig, devices: readonly Device[]): Side {
  const script = readFileSync(new URL('./sql/messages.sql', import.meta.url), 'utf8');
  return {
    name: 'the same by set-based SQL',
    async run() {
      await writeWaiting(rig, devices);
      const startedAt = performance.now();
      const before = rig.cpuMs().postgres;
      await Promise.all(
        devices.map(async ({ accountId, monitorId }) => {
          const text = script
            .replaceAll(':account', String(accountId))
            .replaceAll(':monitor', String(monitorId))
            .replaceAll(':batch', String(perReport));
          for (let done = 0; done < perMonitor; done += perReport) await rig.platform.db.pool.query(text);
        }),
      );
      const rate = (size / (performance.now() - startedAt)) * 1000;
      console.log(
        `    CPU µs a message by SQL: ${(((rig.cpuMs().postgres - before) * 1000) / size).toFixed(0)}`,
      );
      const left = await waits(rig);
      if (left !== 0) throw new Error(`${left} of ${size} orders were not paid`);
      return rate;
    },
  };
}

const rig = await startRig({ merchants: 4, accounts: 1 }, Number(values.port));
try {
  // Callbacks have a bench of their own.
  await rig.platform.db.query(sql`update merchants set callbacks_paused = true`);
  const devices = await Promise.all(Array.from({ length: Number(values.monitors) }, () => makeDevice(rig)));
  await rig.platform.db.query(sql`update monitors set last_seen_at = now() + interval '1 day'`);
  await compare(overHttp(rig, devices), bySql(rig, devices), { rounds: Number(values.rounds), seconds: 1 });
} finally {
  await rig.stop();
}
