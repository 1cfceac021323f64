import { parseArgs } from 'node:util';
import { raw, sql } from '@sangam/server/platform/db/database.ts';
import { createOverHttp, warmUp } from './load/sides.ts';
import { drained, leaveBooks, pauseCallbacks, writeDue } from './load/due-callbacks.ts';
import { type Rig, startRig } from './rig.ts';
import { compare } from './rounds.ts';
import { startSink } from './sink/sink.ts';

/*
 * Creates and delivered callbacks with statistics, over the same without the statistics' triggers. The figure is orders, or
 * callbacks, per second of CPU, of server and PostgreSQL together, until the last change is in the sums. It does not depend on the
 * machine's other load.
 *
 *   npm run bench -- rollup-cost [--rounds 5] [--seconds 4] [--connections 64] [--callbacks 20000]
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '64' },
    callbacks: { type: 'string', default: '20000' },
    port: { type: 'string', default: '8399' },
  },
});
const SHAPE = { merchants: 20, accounts: 50 };
const WARM_UP = { seconds: 20, requests: 4000 };
const port = Number(values.port);
const times = { rounds: Number(values.rounds), seconds: Number(values.seconds) };

const kept = await startRig(SHAPE, port);
const bare = await startRig(SHAPE, port + 1);
const sink = await startSink();
try {
  for (const trigger of ['created', 'changed'])
    for (const table of ['collection_orders', 'payout_orders'])
      await bare.platform.db.query(sql`drop trigger ${raw(`statistics_${trigger}`)} on ${raw(table)}`);
  // A check over all books takes as much CPU as thousands of orders, and would distort the side on which it falls.
  for (const rig of [kept, bare]) await leaveBooks(rig);
  const load = (rig: Rig) => ({
    merchants: rig.merchants,
    productId: '1010',
    connections: Number(values.connections),
  });
  for (const rig of [kept, bare]) await warmUp(rig, { ...load(rig), ...WARM_UP });
  await compare(
    { name: 'creates with statistics', unit: ' a CPU second', run: creates(kept) },
    { name: 'without', unit: ' a CPU second', run: creates(bare) },
    times,
  );
  await compare(
    { name: 'callbacks with statistics', unit: ' a CPU second', run: callbacks(kept) },
    { name: 'without', unit: ' a CPU second', run: callbacks(bare) },
    times,
  );

  function creates(rig: Rig) {
    return measured(rig, async (seconds) => (await createOverHttp(rig, { ...load(rig), seconds })).done);
  }
  function callbacks(rig: Rig) {
    const count = Number(values.callbacks);
    const merchantIds = rig.merchants.map(({ mchId }) => BigInt(mchId));
    return async () => {
      await pauseCallbacks(rig, true);
      const first = await writeDue(rig, { merchantIds, url: sink.answering, count });
      await untilCounted(rig);
      return measured(rig, async () => {
        await drained(rig, first, count);
        return count;
      })(0);
    };
  }
} finally {
  await kept.stop();
  await bare.stop();
  sink.stop();
}

/** How many operations one CPU second does. */
function measured(rig: Rig, act: (seconds: number) => Promise<number>) {
  return async (seconds: number) => {
    const before = rig.cpuMs();
    const done = await act(seconds);
    await untilCounted(rig);
    const after = rig.cpuMs();
    return (done * 1000) / (after.server - before.server + after.postgres - before.postgres);
  };
}

/** Waits until the changes are in the sums; without the triggers there is nothing to wait for. */
async function untilCounted({ platform: { db } }: Rig): Promise<void> {
  for (;;) {
    const [row] = await db.query<{ waiting: boolean }>(sql`
      select exists (select from statistics_changes) or exists (select from order_changes) as waiting`);
    if (!row!.waiting) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
