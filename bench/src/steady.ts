import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from '@sangam/server/platform/db/database.ts';
import { NAMELESS_EXPORT } from '@sangam/server/testing/nameless-export.ts';
import { newToken } from './list/open.ts';
import { PATHS } from './list/queries.ts';
import { leaveBooks, writeDue } from './load/due-callbacks.ts';
import { runLoad } from './load/load.ts';
import { startRig } from './rig.ts';

/*
 * What grows under mixed load: creates and callbacks at a fixed rate, a list every second, and one export after another. Prints
 * every minute the server's memory and the size of the tables whose rows change constantly, with their indexes. No ratio.
 *
 *   npm run bench -- steady [--minutes 15] [--rate 200]
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '15' },
    rate: { type: 'string', default: '200' },
    port: { type: 'string', default: '8399' },
  },
});
const [minutes, rate] = [Number(values.minutes), Number(values.rate)];
const TABLES = ['account_load', 'account_days', 'callback_queue', 'waiting_orders', 'order_changes'];
/** Seconds of creates per start of the load program. */
const GO = 5;

const sink = createServer((request, response) => {
  request.resume();
  response.end('success');
});
await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
const sinkUrl = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/`;
const rig = await startRig({ merchants: 20, accounts: 50 }, Number(values.port));
const { platform } = rig;
const until = Date.now() + minutes * 60_000;
const isOver = () => Date.now() >= until;

async function creates(): Promise<void> {
  for (let go = 0; !isOver(); go += 1) {
    const began = performance.now();
    const requests = rate * GO;
    const load = { merchants: rig.merchants, productId: '1010', connections: 16, requests, seconds: GO };
    await runLoad({ ...load, url: rig.url, prefix: `S${go}-` });
    await sleep(Math.max(0, GO * 1000 - (performance.now() - began)));
  }
}

async function callbacks(): Promise<void> {
  const merchantIds = rig.merchants.map(({ mchId }) => BigInt(mchId));
  for (; !isOver(); await sleep(1000)) await writeDue(rig, { merchantIds, url: sinkUrl, count: rate });
}

async function read(path: string, query: Readonly<Record<string, string>>, pause: number): Promise<void> {
  const headers = { token: await newToken(platform) };
  for (; !isOver(); await sleep(pause)) {
    const answer = await fetch(`${rig.url}${path}?${new URLSearchParams(query).toString()}`, { headers });
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}`);
    for await (const piece of answer.body!) void piece;
  }
}

async function watch(): Promise<void> {
  for (let minute = 0; minute <= minutes; minute += 1) {
    const sizes = await platform.db.query<{ name: string; heap: number; indexes: number; live: number }>(sql`
      select relname as name, (pg_relation_size(relid) / 1048576.0)::float8 as heap, (pg_indexes_size(relid) / 1048576.0)::float8 as indexes,
        n_live_tup::int as live
      from pg_stat_user_tables where relname = any(${TABLES}) order by 1`);
    const each = sizes.map(
      ({ name, heap, indexes, live }) => `${name} ${live} rows ${heap.toFixed(1)} + ${indexes.toFixed(1)} MB`,
    );
    console.log(`minute ${minute}: RSS ${rig.rssMb().toFixed(0)} MB; ${each.join('; ')}`);
    if (minute < minutes) await sleep(60_000);
  }
}

try {
  await leaveBooks(rig);
  await Promise.all([
    creates(),
    callbacks(),
    read(PATHS.collections, {}, 1000),
    read('/v1.0/list/export', NAMELESS_EXPORT, 1000),
    watch(),
  ]);
  console.log(`load ${loadavg()[0]!.toFixed(1)}`);
} finally {
  await rig.stop();
  sink.close();
}
