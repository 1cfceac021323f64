import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { sql } from '../../server/src/db/database.ts';
import { firstIdAt } from '../../server/src/db/ids.ts';
import { endedChildrenMs } from './cpu.ts';
import { runLoad } from './load/load.ts';
import { type Rig, startRig } from './rig.ts';
import { compare, type Side } from './rounds.ts';

/*
 * Create order over HTTP (schema, signature, idempotency, limits, allocation, ledger look-ups, history; durable before the
 * answer) over pgbench running the same effects one transaction an order, on the same server and tables.
 *
 *   npm run bench -- create-order [--rounds 5] [--seconds 4] [--connections 64] [--sign md5]
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '64' },
    port: { type: 'string', default: '8399' },
    sign: { type: 'string', default: 'md5' },
    merchants: { type: 'string', default: '20' },
    accounts: { type: 'string', default: '50' },
  },
});
const connections = Number(values.connections);
const shape = { merchants: Number(values.merchants), accounts: Number(values.accounts) };
const PGBENCH_CLIENTS = 16;
/** Requests are made before the clock starts: as many as no machine of two cores answers. */
const MOST_PER_SECOND = 12_000;

const perOrder = (ms: number, orders: number) => ((ms * 1000) / orders).toFixed(0);

let runs = 0;

function overHttp(rig: Rig): Side {
  return {
    name: `HTTP with ${connections} connections`,
    async run(seconds) {
      runs += 1;
      const order = { url: rig.url, merchants: rig.merchants, connections, seconds, prefix: `H${runs}-` };
      let before = rig.cpuMs();
      const requests = Math.ceil(seconds * MOST_PER_SECOND);
      const load = await runLoad({ ...order, requests }, () => (before = rig.cpuMs()));
      const after = rig.cpuMs();
      const each = (ms: number) => perOrder(ms, load.done);
      console.log(
        `    CPU µs an order: server ${each(after.server - before.server)}, PostgreSQL ` +
          `${each(after.postgres - before.postgres)}, load ${each(load.cpuMs)}; p50 ${load.p50.toFixed(1)} ms, p99 ${load.p99.toFixed(1)} ms`,
      );
      return load.done / load.seconds;
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
      const before = rig.cpuMs();
      const childrenBefore = endedChildrenMs();
      const { stdout } = await promisify(execFile)('pgbench', [...args, ...variables, rig.databaseUrl]);
      const after = rig.cpuMs();
      const done = Number(/actually processed: (\d+)/.exec(stdout)?.[1]);
      const postgres = after.postgres - before.postgres;
      console.log(
        `    CPU µs an order: PostgreSQL ${perOrder(postgres, done)}, pgbench ${perOrder(endedChildrenMs() - childrenBefore, done)}`,
      );
      const rate = /tps = ([\d.]+)/.exec(stdout)?.[1];
      if (!rate || /number of failed transactions: [1-9]/.test(stdout))
        throw new Error(`pgbench:\n${stdout}`);
      return Number(rate);
    },
  };
}

const signType = values.sign === 'md5' ? 'md5' : 'hmac-sha256';
const rig = await startRig({ ...shape, signType }, Number(values.port));
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
