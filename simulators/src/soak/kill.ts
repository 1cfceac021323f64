import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readDemo } from '../demo-file.ts';
import { startMerchantEndpoint, type MerchantEndpoint } from '../merchant/merchant-endpoint.ts';
import { createPrng, type Prng } from '../prng.ts';
import { brokenInvariants, numberOf, numbersInUse, unreported } from './checks.ts';
import { startCluster, VICTIMS, type Cluster } from './cluster.ts';
import { LeftToPeople, openTraffic, Refused, type Asked, type Traffic } from './traffic.ts';

const USAGE = `npm run soak:kill -- [options]: starts PostgreSQL, two API nodes and a worker of its own, moves money, and kills -9 one
of them at a random moment of every cycle; ends with 1 when anything was lost, doubled or left behind.
  --cycles N   20
  --seed N     seed of everything that is left to chance (7)
  --orders N   collection orders a cycle (24)
  --payouts N  payouts a cycle (6)`;

const LATEST_KILL_MS = 900;
const DEMO_ORDERS = 200;

interface Soak {
  readonly cluster: Cluster;
  readonly traffic: Traffic;
  readonly endpoint: MerchantEndpoint;
  readonly random: Prng;
  readonly all: Asked[];
  /** Orders of the previous cycle, which are paid in this one. */
  unpaid: readonly Asked[];
}

/** One cycle: new orders are created and older ones paid while a process is killed. Returns the problems found. */
async function cycle(soak: Soak, index: number, orders: number, payouts: number): Promise<string[]> {
  const { cluster, traffic, random } = soak;
  const victim = VICTIMS[index % VICTIMS.length]!;
  const asked = traffic.make(index, orders, payouts);
  soak.all.push(...asked);
  const problems: string[] = [];
  const startedAt = Date.now();
  const killAt = random.int(0, LATEST_KILL_MS);
  const moving = Promise.all([
    ...asked.map(async (each) => {
      await sleep(random.int(0, LATEST_KILL_MS));
      each.acknowledged = await each.once().catch((error: unknown) => {
        if (error instanceof Refused) problems.push(`${each.mchOrderNo}: ${error.message}`);
        return null;
      });
    }),
    ...soak.unpaid.map(async (each) => {
      await sleep(random.int(0, LATEST_KILL_MS));
      await traffic
        .pay(each)
        // A second payment of the same sum within minutes may be the first one in another wording, so a person decides.
        .catch((error: unknown) => {
          if (!(error instanceof LeftToPeople)) problems.push(`${each.mchOrderNo}: ${describe(error)}`);
        });
    }),
  ]);
  await sleep(killAt);
  await cluster.kill(victim, random.chance(0.5));
  const ended = await cluster.restart();
  if (ended.length > 0) problems.push(`ended by itself: ${ended.join(', ')}`);
  await moving;

  const before = await numbersInUse(cluster.databaseUrl, asked);
  const acknowledged = asked.filter((each) => each.acknowledged !== null).length;
  await Promise.all(
    asked.map(async (each) => {
      const made = before.get(numberOf(each)) ?? [];
      if (each.acknowledged !== null && made[0] !== each.acknowledged)
        problems.push(
          `${each.mchOrderNo} was acknowledged as ${each.acknowledged}, stored is ${made.join(', ')}`,
        );
      const again = await each.again().catch(describe);
      if (!/^\d+$/.test(again) || (made.length > 0 && again !== made[0]))
        problems.push(`${each.mchOrderNo} asked again answers ${again}, stored was ${made[0] ?? 'nothing'}`);
    }),
  );
  const after = await numbersInUse(cluster.databaseUrl, asked);
  for (const each of asked)
    if (after.get(numberOf(each))?.length !== 1)
      problems.push(`${each.mchOrderNo} exists ${after.get(numberOf(each))?.length ?? 0} times`);
  soak.unpaid = asked;
  for (const each of await unreported(cluster.databaseUrl, soak.all, soak.endpoint.notifications))
    problems.push(`${each.mchOrderNo}: its merchant was never told`);
  problems.push(...(await brokenInvariants(cluster.databaseUrl)));
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
  console.log(
    `cycle ${index + 1}: ${victim} killed after ${killAt} ms; ${acknowledged} of ${asked.length} acknowledged, ${seconds} s${problems.length > 0 ? '  NOT CLEAN' : ''}`,
  );
  return problems;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

/** After the last cycle, waits until everything due has arrived. */
async function settle(soak: Soak): Promise<string[]> {
  await Promise.all(soak.unpaid.map((each) => soak.traffic.pay(each)));
  const owed = () => unreported(soak.cluster.databaseUrl, soak.all, soak.endpoint.notifications, 0);
  let late = await owed();
  for (const until = Date.now() + 90_000; late.length > 0 && Date.now() < until; late = await owed())
    await sleep(500);
  return [
    ...late.map(({ mchOrderNo }) => `${mchOrderNo}: its merchant was never told`),
    ...(await brokenInvariants(soak.cluster.databaseUrl)),
  ];
}

async function soak(options: {
  readonly cycles: number;
  readonly seed: number;
  readonly orders: number;
  readonly payouts: number;
}): Promise<boolean> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sangam-soak-'));
  const cluster = await startCluster(dataDir, DEMO_ORDERS);
  const demo = await readDemo(dataDir);
  const endpoint = await startMerchantEndpoint({
    merchants: demo.merchants,
    react: () => ({ kind: 'success' }),
  });
  let clean = false;
  try {
    const { notifyUrl } = endpoint;
    const onProblem = (error: unknown) => console.log(`heartbeat: ${describe(error)}`);
    const traffic = await openTraffic({ demo, urls: cluster.urls, seed: options.seed, notifyUrl, onProblem });
    const state: Soak = {
      cluster,
      traffic,
      endpoint,
      random: createPrng(options.seed, -9),
      all: [],
      unpaid: [],
    };
    const startedAt = Date.now();
    let problems: string[] = [];
    let done = 0;
    while (done < options.cycles && problems.length === 0) {
      problems = await cycle(state, done, options.orders, options.payouts);
      done += 1;
    }
    if (problems.length === 0) problems = await settle(state);
    traffic.stop();
    for (const problem of problems) console.log(`  ${problem}`);
    clean = problems.length === 0;
    console.log(
      `${done} cycles, ${state.all.length} orders in ${Math.round((Date.now() - startedAt) / 1_000)} s, seed ${options.seed}: ${clean ? 'nothing lost, doubled or left behind' : 'NOT CLEAN'}`,
    );
  } finally {
    await endpoint.stop();
    await cluster.stop();
  }
  if (clean) await rm(dataDir, { recursive: true });
  else console.log(`Kept: ${dataDir}`);
  return clean;
}

const { values } = parseArgs({
  options: {
    cycles: { type: 'string', default: '20' },
    seed: { type: 'string', default: '7' },
    orders: { type: 'string', default: '24' },
    payouts: { type: 'string', default: '6' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) console.log(USAGE);
else {
  const { cycles, seed, orders, payouts } = values;
  const numbers = [cycles, seed, orders, payouts].map(Number);
  if (numbers.some((number) => !(Number.isInteger(number) && number >= 0))) {
    console.error(USAGE);
    process.exit(2);
  }
  const [a, b, c, d] = numbers as [number, number, number, number];
  process.exitCode = (await soak({ cycles: a, seed: b, orders: c, payouts: d })) ? 0 : 1;
}
