import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { readWhole } from './list/explain.ts';
import { openSeeded, type Seeded } from './list/open.ts';
import {
  type Direction,
  FILTERS,
  laterPage,
  PATHS,
  TOTALS_PATHS,
  type Query,
  type Random,
  readSamples,
  valueOf,
} from './list/queries.ts';

/*
 * Lists of orders over HTTP with a session: p95 of the first page, of later pages, of each filter alone and of random pairs of
 * filters. Compares many orders with few, one request of each in turn. Also reports whether any query reads a partition from end to
 * end. Seeds the orders if they are missing.
 *
 * With `--totals` each list is followed by a request for the sums by status under the same filters, as in the console.
 *
 *   npm run bench -- list [--orders 10000000] [--few 10000] [--requests 40] [--pairs 300] [--seed 7] [--only FILTER] [--totals]
 */
const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '10000000' },
    few: { type: 'string', default: '10000' },
    requests: { type: 'string', default: '40' },
    pairs: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
    only: { type: 'string' },
    totals: { type: 'boolean', default: false },
    port: { type: 'string', default: '8394' },
  },
});
const requests = Number(values.requests);
/** The most milliseconds that a list may take. */
const MOST = 250;
const FLOORS = { first: 3, later: 5, filter: 10, pair: 20 };
const PER_PAIR = 3;

/** mulberry32: the same seed gives the same requests. */
function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Side {
  readonly world: Seeded;
  readonly random: Random;
  readonly samples: Awaited<ReturnType<typeof readSamples>>;
  /** Milliseconds of the sums requested after the lists, since the last report. */
  readonly totals: number[];
}
type Ask = (side: Side) => Query;

const p95 = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1]!;
const faults: string[] = [];

function askTotals({ world }: Side, direction: Direction, query: Query) {
  const { pageIndex: _page, cursor: _cursor, ...filters } = query;
  return world.timed(TOTALS_PATHS[direction], filters);
}

/** The times of both sides, one request of each in turn, and the partitions that the large side read whole. */
async function measure(direction: Direction, sides: readonly Side[], count: number, ask: Ask) {
  const times: [number[], number[]] = [[], []];
  const whole = new Set<string>();
  for (let n = 0; n < count; n += 1) {
    for (const [index, side] of sides.entries()) {
      const query = ask(side);
      times[index]!.push(await side.world.timed(PATHS[direction], query));
      if (values.totals) side.totals.push(await askTotals(side, direction, query));
      if (index > 0 || n % 5 > 0) continue;
      for (const partition of await readWhole(side.world.platform, direction, query)) {
        whole.add(`${partition} for ${JSON.stringify(query)}`);
      }
    }
  }
  return { times, whole };
}

function tell(name: string, floor: number, { times, whole }: Awaited<ReturnType<typeof measure>>): void {
  const [many, few] = times.map(p95) as [number, number];
  const slowest = Math.max(...times[0]);
  const ratio = many / few;
  console.log(
    `  ${name}: ${many.toFixed(1)} / ${few.toFixed(1)} ms = ${ratio.toFixed(1)} (floor ${floor}), slowest ${slowest.toFixed(0)} ms`,
  );
  if (ratio > floor) faults.push(`${name}: ${ratio.toFixed(1)} times as long, ${floor} allowed`);
  if (many > MOST) faults.push(`${name}: ${many.toFixed(0)} ms`);
  for (const text of whole) faults.push(`${name}: reads ${text} whole`);
}

/** Two filters at once; a new pair after both sides have been asked. */
function pairs(direction: Direction, random: Random): Ask {
  const names = Object.keys(FILTERS[direction]);
  let asked = 0;
  let pair: string[] = [];
  return (side) => {
    if (asked % (2 * PER_PAIR) === 0) {
      const first = Math.floor(random() * names.length);
      const second = (first + 1 + Math.floor(random() * (names.length - 1))) % names.length;
      pair = [names[first]!, names[second]!];
    }
    asked += 1;
    return Object.fromEntries(
      pair.map((name) => [name, valueOf(direction, name, side.samples, side.random)]),
    );
  };
}

async function compareLists(direction: Direction, many: Seeded, few: Seeded): Promise<void> {
  const seed = Number(values.seed);
  const sides = await Promise.all(
    [many, few].map(async (world) => ({
      world,
      random: randomOf(seed + world.orders),
      samples: await readSamples(world.platform.db, direction),
      totals: [],
    })),
  );
  const run = async (name: string, floor: number, count: number, ask: Ask) => {
    for (const { totals } of sides) totals.length = 0;
    tell(name, floor, await measure(direction, sides, count, ask));
    if (!values.totals) return;
    const [many, few] = sides.map(({ totals }) => p95(totals).toFixed(1));
    console.log(`    totals: ${many} / ${few} ms, slowest ${Math.max(...sides[0]!.totals).toFixed(0)} ms`);
  };
  console.log(`${direction}, ${many.orders} orders over ${few.orders}, seed ${seed}:`);
  // Compiles, plans and loads into memory first, as on a server that has run for weeks.
  await measure(direction, sides, 200, () => ({}));
  const names = Object.keys(FILTERS[direction]).filter((name) => (values.only ?? name) === name);
  const alone =
    (name: string): Ask =>
    (side) => ({ [name]: valueOf(direction, name, side.samples, side.random) });
  for (const name of names) await measure(direction, sides, 3, alone(name));
  if (values.only === undefined) {
    await run('first page', FLOORS.first, 5 * requests, () => ({}));
    await run('later pages', FLOORS.later, 5 * requests, (side) => laterPage(side.samples, side.random));
  }
  for (const name of names) await run(name, FLOORS.filter, requests, alone(name));
  if (values.only === undefined)
    await run(
      `${values.pairs} pairs of filters`,
      FLOORS.pair,
      Number(values.pairs) * PER_PAIR,
      pairs(direction, randomOf(seed)),
    );
}

const port = Number(values.port);
const worlds: Seeded[] = [];
try {
  worlds.push(await openSeeded(Number(values.orders), port));
  worlds.push(await openSeeded(Number(values.few), port + 1));
  for (const direction of ['collections', 'payouts'] as const)
    await compareLists(direction, worlds[0]!, worlds[1]!);
  console.log(faults.length === 0 ? 'within its floors' : `NOT within its floors:\n  ${faults.join('\n  ')}`);
  console.log(`load ${loadavg()[0]!.toFixed(1)}`);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  for (const world of worlds) await world.stop();
}
