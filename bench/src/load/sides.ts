import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from '@sangam/server/platform/db/database.ts';
import { firstIdAt } from '@sangam/server/platform/db/ids.ts';
import { endedChildrenMs } from '../cpu.ts';
import type { Rig, Shape } from '../rig.ts';
import { type LoadOrder, type LoadResult, runLoad } from './load.ts';

/** Requests prepared before the clock starts, per second: more than any machine of two cores answers. */
const MOST_PER_SECOND = 12_000;
const SCRIPT = fileURLToPath(new URL('../sql/create-order.sql', import.meta.url));

const perOrder = (ms: number, orders: number) => ((ms * 1000) / orders).toFixed(0);

let runs = 0;

export type LoadOptions = Pick<LoadOrder, 'merchants' | 'productId' | 'connections' | 'seconds'>;

/** Creates over HTTP for some seconds; returns the CPU that each order took, by process. */
export async function createOverHttp(
  rig: Rig,
  options: LoadOptions & { readonly requests?: number },
): Promise<LoadResult> {
  runs += 1;
  let before = rig.cpuMs();
  const { requests = Math.ceil(options.seconds * MOST_PER_SECOND) } = options;
  const order = { ...options, url: rig.url, prefix: `H${runs}-`, requests };
  const load = await runLoad(order, () => (before = rig.cpuMs()));
  const after = rig.cpuMs();
  console.log(
    `    CPU µs an order: server ${perOrder(after.server - before.server, load.done)}, PostgreSQL ` +
      `${perOrder(after.postgres - before.postgres, load.done)}, load ${perOrder(load.cpuMs, load.done)}; ` +
      `p50 ${load.p50.toFixed(1)} ms, p99 ${load.p99.toFixed(1)} ms`,
  );
  return load;
}

/**
 * Creates until all code is compiled and all statements are planned, then runs ANALYZE. Plans made while the tables were empty read
 * them whole, and autovacuum, which would update the statistics, comes only once a minute.
 */
export async function warmUp(rig: Rig, options: LoadOptions & { readonly requests?: number }): Promise<void> {
  await createOverHttp(rig, options);
  await rig.platform.db.query(sql`analyze`);
}

/** Call once per rig. Sets the ids of the SQL side: in this month's partition, apart from those of the server. */
export async function preparePgbench(rig: Rig): Promise<void> {
  await rig.platform.db.query(sql`create sequence bench_id increment by 2`);
  await rig.platform.db.query(sql`select setval('bench_id', ${firstIdAt(new Date(Date.now() - 3_600_000))})`);
}

export interface PgbenchResult {
  /** Orders per second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly meanLatency: number;
}

/** The same effects by pgbench, one transaction per order. */
export async function createByPgbench(
  rig: Rig,
  shape: Shape,
  options: { readonly clients: number; readonly seconds: number },
): Promise<PgbenchResult> {
  const { clients, seconds } = options;
  const threads = String(Math.min(clients, 2));
  const args = ['-n', '-M', 'prepared', '-f', SCRIPT, '-c', String(clients), '-j', threads];
  const variables = ['-D', `merchants=${shape.merchants}`, '-D', `accounts=${shape.accounts}`];
  const before = rig.cpuMs();
  const childrenBefore = endedChildrenMs();
  const command = [...args, '-T', String(Math.ceil(seconds)), ...variables, rig.databaseUrl];
  const { stdout } = await promisify(execFile)('pgbench', command);
  const figure = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1]);
  const done = figure(/actually processed: (\d+)/);
  const rate = figure(/tps = ([\d.]+)/);
  if (!(rate > 0) || /number of failed transactions: [1-9]/.test(stdout))
    throw new Error(`pgbench:\n${stdout}`);
  console.log(
    `    CPU µs an order: PostgreSQL ${perOrder(rig.cpuMs().postgres - before.postgres, done)}, ` +
      `pgbench ${perOrder(endedChildrenMs() - childrenBefore, done)}`,
  );
  return { rate, meanLatency: figure(/latency average = ([\d.]+)/) };
}
