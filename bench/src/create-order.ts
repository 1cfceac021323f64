import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { sign } from '@sangam/contract/signature.ts';
import { Pool } from 'undici';
import { sql } from '../../server/src/db/database.ts';
import { firstIdAt } from '../../server/src/db/ids.ts';
import { type Rig, startRig } from './rig.ts';
import { compare, type Side } from './rounds.ts';

/*
 * Create order over HTTP (schema, signature, idempotency, limits, allocation, ledger look-ups, history; durable before the
 * answer) over pgbench running the same effects one transaction an order, on the same server and tables.
 *
 *   npm run bench -- create-order [--rounds 5] [--seconds 4] [--connections 64]
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '64' },
    merchants: { type: 'string', default: '20' },
    accounts: { type: 'string', default: '50' },
  },
});
const connections = Number(values.connections);
const shape = { merchants: Number(values.merchants), accounts: Number(values.accounts) };
const PGBENCH_CLIENTS = 16;

function overHttp(rig: Rig): Side {
  let made = 0;
  const bodyOf = (): string => {
    const merchant = rig.merchants[made % rig.merchants.length]!;
    made += 1;
    // Spread amounts, as pgbench's side does: a slot of its own is not what is measured.
    const fields = {
      mchId: merchant.mchId,
      productId: '1010',
      mchOrderNo: `H${made}`,
      amount: String(100 + ((made * 7919) % 99_000_000)),
      notifyUrl: 'http://127.0.0.1:9/notify',
    };
    return JSON.stringify({ ...fields, sign: sign(fields, 'md5', merchant.secret) });
  };
  return {
    name: `HTTP with ${connections} connections`,
    async run(seconds) {
      const pool = new Pool(rig.url, { connections, pipelining: 1 });
      const until = performance.now() + seconds * 1000;
      let done = 0;
      const client = async (): Promise<void> => {
        while (performance.now() < until) {
          const answer = await pool.request({
            method: 'POST',
            path: '/v1.0/api/order/create',
            headers: { 'content-type': 'application/json' },
            body: bodyOf(),
          });
          const { code } = (await answer.body.json()) as { code: number };
          if (code !== 200) throw new Error(`an order was answered ${code}`);
          done += 1;
        }
      };
      const startedAt = performance.now();
      await Promise.all(Array.from({ length: connections }, client));
      await pool.close();
      return (done / (performance.now() - startedAt)) * 1000;
    },
  };
}

function bySql(rig: Rig): Side {
  const script = fileURLToPath(new URL('./sql/create-order.sql', import.meta.url));
  return {
    name: `pgbench with ${PGBENCH_CLIENTS} clients`,
    async run(seconds) {
      const args = [
        '-n',
        '-M',
        'prepared',
        '-f',
        script,
        '-c',
        String(PGBENCH_CLIENTS),
        '-j',
        '2',
        '-T',
        String(Math.ceil(seconds)),
      ];
      const variables = Object.entries(shape).flatMap(([name, value]) => ['-D', `${name}=${value}`]);
      const { stdout } = await promisify(execFile)('pgbench', [...args, ...variables, rig.databaseUrl]);
      const rate = /tps = ([\d.]+)/.exec(stdout)?.[1];
      if (!rate || /number of failed transactions: [1-9]/.test(stdout))
        throw new Error(`pgbench:\n${stdout}`);
      return Number(rate);
    },
  };
}

const rig = await startRig(shape, 8399);
try {
  // Ids of the SQL side: of this month's partition, away from those the server makes.
  const start = firstIdAt(new Date(Date.now() - 3_600_000));
  await rig.platform.db.query(sql`select setval('bench_id', ${start})`).catch(async () => {
    await rig.platform.db.query(sql`create sequence bench_id increment by 2`);
    await rig.platform.db.query(sql`select setval('bench_id', ${start})`);
  });
  await compare(overHttp(rig), bySql(rig), {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
  });
} finally {
  await rig.stop();
}
