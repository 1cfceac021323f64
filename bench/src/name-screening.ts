import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createOrders, type NewOrder } from '@sangam/server/collection/create.ts';
import { sql } from '@sangam/server/platform/db/database.ts';
import type { NodeState } from '@sangam/server/platform/node-state.ts';
import type { Platform } from '@sangam/server/platform/platform.ts';
import { HIT_FROM } from '@sangam/server/screening/name-index.ts';
import { nameScreen } from '@sangam/server/screening/screen.ts';
import { putEntries } from '@sangam/server/screening/store.ts';
import { chanceOf, makeName } from '@sangam/server/screening/test-names.ts';
import { startRig } from './rig.ts';
import { compare } from './rounds.ts';

/*
 * CPU (of this process and PostgreSQL) of a created order whose payer's name is looked up among 20,000 listed names, over the same
 * with empty lists. One in three words of the names is rare, so that a cache helps little. Smaller is better.
 *
 *   npm run bench -- name-screening [--rounds 5] [--seconds 4] [--names 20000]
 *
 * With a rate, orders are created one by one, so many a second; 1,000,000 a day are 12. It prints which share of a create's CPU its
 * look-up takes, without what the idle processes take.
 *
 *   npm run bench -- name-screening --rate 12 --seconds 16
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    names: { type: 'string', default: '20000' },
    rate: { type: 'string' },
    port: { type: 'string', default: '8399' },
  },
});
const AT_ONCE = 16;
/** So many that a rare word leaves the cache before it comes again. */
const PAYERS = 50_000;
const chance = chanceOf(7);

/** The state of a node that never reloads. */
function stillState(): NodeState {
  const made = new Map<symbol, unknown>();
  return {
    of<Made>(key: symbol, make: () => Made): Made {
      if (!made.has(key)) made.set(key, make());
      return made.get(key) as Made;
    },
    every: () => undefined,
    stop: () => made.clear(),
  };
}

async function listNames(platform: Platform, count: number): Promise<void> {
  const { db, ids } = platform;
  const [user] = await db.query<{ id: bigint }>(sql`select id from users limit 1`);
  const listId = ids.next();
  await db.query(sql`insert into name_lists (id, source, format) values (${listId}, 'bench', 'csv')`);
  const entries = Array.from({ length: count }, () => {
    const id = ids.next();
    return { id, reference: String(id), names: [makeName(chance)], marks: [], note: '' };
  });
  await db.tx(async (tx) => {
    for (let at = 0; at < count; at += 1_000)
      await putEntries(tx, listId, entries.slice(at, at + 1_000), user!.id, new Date());
    await tx.query(sql`update name_list_version set version = version + 1`);
  });
}

const rig = await startRig({ merchants: 20, accounts: 50 }, Number(values.port));
try {
  await rig.pause();
  const without = { ...rig.platform, state: stillState() };
  await nameScreen(without).ready();
  await listNames(rig.platform, Number(values.names));
  const listed = { ...rig.platform, state: stillState() };
  const screen = await nameScreen(listed).ready();
  // One in forty of these names is a hit. A hit creates no order and makes one more query, so hits are left out.
  const payers: string[] = [];
  while (payers.length < PAYERS) {
    const name = makeName(chance);
    if ((screen.try(name)?.score ?? 0) < HIT_FROM) payers.push(name);
  }
  // Also timed alone, because two in a hundred are less than the noise of a round.
  const times: number[] = [];
  const { hit } = screen;
  Object.assign(screen, {
    hit(...asked: Parameters<typeof hit>) {
      const begun = performance.now();
      const found = hit(...asked);
      times.push((performance.now() - begun) * 1_000);
      return found;
    },
  });
  let made = 0;
  const newOrder = (): NewOrder => {
    made += 1;
    const merchant = rig.merchants[made % rig.merchants.length]!;
    return {
      merchantId: BigInt(merchant.mchId),
      mchOrderNo: `N${made}`,
      productId: 1010,
      amount: BigInt(10_000 + (made % 50_000)),
      notifyUrl: 'http://127.0.0.1:9/',
      returnUrl: null,
      subject: null,
      body: null,
      clientIp: null,
      userName: payers[made % PAYERS]!,
      param1: null,
      param2: null,
      callerIp: null,
    };
  };
  /** CPU of this process and PostgreSQL during some work, in µs. */
  const cpuOf = async (work: () => Promise<unknown>): Promise<number> => {
    const own = process.cpuUsage();
    const before = rig.cpuMs().postgres;
    await work();
    const { user, system } = process.cpuUsage(own);
    return user + system + (rig.cpuMs().postgres - before) * 1_000;
  };
  const seconds = Number(values.seconds);
  const side = (platform: Platform) => async (seconds: number) => {
    let orders = 0;
    const used = await cpuOf(async () => {
      for (const until = performance.now() + seconds * 1_000; performance.now() < until; orders += AT_ONCE)
        await createOrders(platform, Array.from({ length: AT_ONCE }, newOrder));
    });
    return used / orders;
  };
  const lookUp = () => times.reduce((all, time) => all + time, 0) / times.length;
  if (values.rate === undefined) {
    await compare(
      { name: `CPU of a create with ${values.names} listed names`, unit: ' µs', run: side(listed) },
      { name: 'with empty lists', unit: ' µs', run: side(without) },
      { rounds: Number(values.rounds), seconds },
    );
    console.log(`  ${lookUp().toFixed(1)} µs a look-up in place, of ${times.length}`);
  } else {
    const orders = Number(values.rate) * seconds;
    await side(listed)(1);
    times.length = 0;
    const idle = await cpuOf(() => sleep(seconds * 1_000));
    const used = await cpuOf(async () => {
      const begun = performance.now();
      for (let order = 0; order < orders; order += 1) {
        await createOrders(listed, [newOrder()]);
        await sleep(Math.max(0, begun + ((order + 1) * 1_000) / Number(values.rate) - performance.now()));
      }
    });
    const create = (used - idle) / orders;
    console.log(
      `  at ${values.rate} orders a second a create takes ${create.toFixed(0)} µs, its look-up ${lookUp().toFixed(1)}: ${((100 * lookUp()) / create).toFixed(1)} %, load ${loadavg()[0]!.toFixed(1)}`,
    );
  }
} finally {
  rig.resume();
  await rig.stop();
}
