import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startNameServer } from '@sangam/server/testing/name-server.ts';
import { readDemo } from '../demo-file.ts';
import { startMerchantEndpoint } from '../merchant/merchant-endpoint.ts';
import { brokenInvariants, numberOf, numbersInUse, unreported } from './checks.ts';
import { startCluster } from './cluster.ts';
import { FAULTS, greedyOf } from './faults.ts';
import { LeftToPeople, openTraffic, type Asked } from './traffic.ts';

/*
 * npm run soak:faults -- [--only TEXT] [--seed N]: starts PostgreSQL and three nodes. Orders are created and paid all the time:
 * first without a fault, then during one fault after another. Prints how long creates and callbacks of the unaffected merchants
 * took. Exits with 1 when something acknowledged was lost or doubled, a merchant was not notified, or the books do not balance.
 */
const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, seed: { type: 'string', default: '7' } },
});
const DEMO_ORDERS = 2_000;
const ALONE_SECONDS = 15;
/** Pause between two orders, in milliseconds. */
const PACE_MS = 250;
/** Orders made during a fault must be notified within this time after it. */
const TOLD_MS = 120_000;

const dataDir = await mkdtemp(join(tmpdir(), 'sangam-faults-'));
const names = await startNameServer((name) => (name.startsWith('unheard') ? undefined : '127.0.0.1'));
// Each node has all roles, so that another node takes up what one leaves.
const cluster = await startCluster(dataDir, DEMO_ORDERS, { SOAK_NAME_SERVER: names.address, ROLE: 'all' });
const demo = await readDemo(dataDir);
const toldAt = new Map<string, number>();
const endpoint = await startMerchantEndpoint({
  merchants: demo.merchants,
  react: (mchOrderNo) => {
    toldAt.set(mchOrderNo, toldAt.get(mchOrderNo) ?? Date.now());
    return { kind: 'success' };
  },
});
/** Orders of a merchant whose name no name server answers. */
const unheard = new Map<string, Asked>();
let cycles = 0;
const problems: string[] = [];
const describe = (error: unknown) => (error instanceof Error ? error.message : String(error));
const traffic = await openTraffic({
  demo,
  urls: cluster.urls,
  seed: Number(values.seed),
  notifyUrl: (mchId, mchOrderNo) =>
    endpoint
      .notifyUrl(mchId, mchOrderNo)
      .replace('127.0.0.1', unheard.has(mchOrderNo) ? 'unheard.test' : 'heard.test'),
  onProblem: (error) => console.log(`heartbeat: ${describe(error)}`),
});

interface Served {
  readonly orders: Asked[];
  readonly createMs: number[];
}

/** Creates and pays one order after another until `isOver`; resolves when all of them are paid. */
async function serve(isOver: () => boolean): Promise<Served> {
  const served: Served = { orders: [], createMs: [] };
  const lives: Promise<void>[] = [];
  for (; !isOver(); await sleep(PACE_MS)) {
    const order = traffic.make((cycles += 1), 1, 0)[0]!;
    if (order.mchId === greedyOf(demo).mchId) continue;
    served.orders.push(order);
    lives.push(
      (async () => {
        const askedAt = performance.now();
        order.acknowledged = await order.again();
        served.createMs.push(performance.now() - askedAt);
        await traffic.pay(order);
      })().catch((error: unknown) => {
        if (!(error instanceof LeftToPeople)) problems.push(`${order.mchOrderNo}: ${describe(error)}`);
      }),
    );
  }
  await Promise.all(lives);
  return served;
}

const p95 = (times: readonly number[]) =>
  times.length === 0 ? '–' : times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1]!.toFixed(0);

/** Milliseconds from the answer to the bank's message to the merchant's callback, for the orders notified. */
const callbackMs = ({ orders }: Served) =>
  orders.flatMap(({ mchOrderNo, endedAt }) => {
    const told = toldAt.get(mchOrderNo);
    return told === undefined || endedAt === null ? [] : [Math.max(0, told - endedAt)];
  });

async function lostOrDoubled(orders: readonly Asked[]): Promise<number> {
  const made = await numbersInUse(cluster.databaseUrl, orders);
  return orders.filter((each) => {
    const codes = made.get(numberOf(each)) ?? [];
    return each.acknowledged === null
      ? codes.length > 1
      : codes.length !== 1 || codes[0] !== each.acknowledged;
  }).length;
}

async function allTold(orders: readonly Asked[]): Promise<void> {
  const owed = () => unreported(cluster.databaseUrl, orders, endpoint.notifications, 0);
  let late = await owed();
  for (const until = Date.now() + TOLD_MS; late.length > 0 && Date.now() < until; late = await owed())
    await sleep(500);
  for (const { mchOrderNo } of late) problems.push(`${mchOrderNo}: its merchant was never told`);
}

function makeUnheard(count: number): Asked[] {
  const orders = traffic.make((cycles += 1), count, 0);
  for (const order of orders) unheard.set(order.mchOrderNo, order);
  return orders;
}

const table: string[] = [];
try {
  const startedAt = Date.now();
  for (const { name, run } of FAULTS.filter((fault) => fault.name.includes(values.only))) {
    const until = Date.now() + ALONE_SECONDS * 1_000;
    const alone = await serve(() => Date.now() >= until);
    await allTold(alone.orders);
    let isOver = false;
    const serving = serve(() => isOver);
    await run({ cluster, demo, traffic, makeUnheard }).catch(
      (error: unknown) => void problems.push(`${name}: ${describe(error)}`),
    );
    isOver = true;
    const beside = await serving;
    await allTold(beside.orders);
    const wrong = await lostOrDoubled([...alone.orders, ...beside.orders, ...unheard.values()]);
    const broken = await brokenInvariants(cluster.databaseUrl);
    problems.push(...broken.map((text) => `${name}: ${text}`));
    if (wrong > 0) problems.push(`${name}: ${wrong} orders lost or doubled`);
    table.push(
      `| ${name} | ${p95(alone.createMs)} | ${p95(beside.createMs)} | ${p95(callbackMs(alone))} | ${p95(callbackMs(beside))} | ` +
        `${beside.orders.length} | ${wrong} | ${broken.length === 0 ? 'clean' : 'NOT CLEAN'} |`,
    );
    console.log(table.at(-1));
  }
  console.log(
    `\n| fault | create p95 alone, ms | beside | callback p95 alone, ms | beside | orders beside | lost or doubled | verify |\n|---|---|---|---|---|---|---|---|\n${table.join('\n')}`,
  );
  console.log(
    `${Math.round((Date.now() - startedAt) / 1_000)} s, load ${loadavg()[0]!.toFixed(1)}: ${problems.length === 0 ? 'all sound' : 'NOT SOUND'}`,
  );
  for (const problem of problems) console.log(`  ${problem}`);
} finally {
  traffic.stop();
  await cluster.stop();
  await endpoint.stop();
  await names.close();
}
if (problems.length === 0) await rm(dataDir, { recursive: true });
else {
  console.log(`Kept: ${dataDir}`);
  process.exitCode = 1;
}
