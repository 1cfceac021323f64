import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { sql } from '@sangam/server/platform/db/database.ts';
import { drained, leaveBooks, pauseCallbacks, writeDue } from './load/due-callbacks.ts';
import { type Rig, startRig } from './rig.ts';
import { compare, type Side } from './rounds.ts';
import { type Sink, startSink } from './sink/sink.ts';

/*
 * Callbacks delivered by the server (claimed, signed, posted; answer and order recorded) over a bare keep-alive POST loop to the
 * same sink: with as many connections as the server opens to one address (its lower limit), and with one. Also the callbacks of
 * nine merchants while a tenth never answers, over the same without the tenth.
 *
 *   npm run bench -- callbacks [--rounds 5] [--callbacks 80000] [--connections 128] [--only delivered|single|silent]
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    callbacks: { type: 'string', default: '80000' },
    connections: { type: 'string', default: '128' },
    only: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const size = Number(values.callbacks);
const connections = Number(values.connections);
const MERCHANTS = 10;

/**
 * Removes a merchant's due callbacks and waits until none is under way. An attempt that failed later would queue its callback again,
 * and a later round would wait for it.
 */
async function withdrawn({ platform: { db } }: Rig, merchantId: bigint): Promise<void> {
  for (;;) {
    const [row] = await db.query<{ held: boolean }>(sql`
      select exists (select from callback_leases where merchant_id = ${merchantId} and callback_ids <> '{}') as held`);
    await db.query(sql`delete from callback_queue where merchant_id = ${merchantId}`);
    if (!row!.held) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const microsecondsEach = (ms: number) => ((ms * 1000) / size).toFixed(0);

function delivered(rig: Rig, sink: Sink): Side {
  return {
    name: 'callbacks delivered and recorded',
    async run() {
      const batch = {
        merchantIds: rig.merchants.map(({ mchId }) => BigInt(mchId)),
        url: sink.answering,
        count: size,
      };
      await pauseCallbacks(rig, true);
      const first = await writeDue(rig, batch);
      const cpuMs = () => ({ ...rig.cpuMs(), sink: sink.cpuMs() });
      const before = cpuMs();
      const rate = await drained(rig, first, size);
      const after = cpuMs();
      const used = Object.entries(before).map(
        ([name, ms]) => `${name} ${microsecondsEach(after[name as keyof typeof after] - ms)}`,
      );
      console.log(`    CPU µs a callback: ${used.join(', ')}`);
      return rate;
    },
  };
}

/** Only requests of the same size and their answers, `connections` at the same time. */
function bareLoop(sink: Sink, connections: number): Side {
  const body = JSON.stringify({ padding: 'x'.repeat(330) });
  return {
    name: `bare POST loop on ${connections === 1 ? 'one connection' : `${connections} connections`}`,
    async run() {
      const pool = new Pool(sink.answering, { connections, pipelining: 1 });
      let left = size;
      const client = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          const headers = { 'content-type': 'application/json' };
          const answer = await pool.request({ method: 'POST', path: '/notify', headers, body });
          if ((await answer.body.text()) !== 'success') throw new Error('the sink did not answer');
        }
      };
      const startedAt = performance.now();
      const cpu = process.cpuUsage();
      const sinkMs = sink.cpuMs();
      await Promise.all(Array.from({ length: connections }, client));
      const rate = (size / (performance.now() - startedAt)) * 1000;
      const { user, system } = process.cpuUsage(cpu);
      const own = microsecondsEach((user + system) / 1000);
      console.log(`    CPU µs a bare POST: client ${own}, sink ${microsecondsEach(sink.cpuMs() - sinkMs)}`);
      await pool.close();
      return rate;
    },
  };
}

/** Nine merchants that answer. With `silent`, a tenth merchant has as many callbacks due as each of them, and never answers. */
function nineOfTen(rig: Rig, sink: Sink, silent: boolean): Side {
  let round = 0;
  return {
    name: silent ? 'nine merchants beside one that never answers' : 'nine merchants alone',
    async run() {
      const ids = rig.merchants.map(({ mchId }) => BigInt(mchId));
      // Another merchant in each round: what the server learned about the last one must not help.
      const [dead] = ids.splice(round % ids.length, 1);
      round += 1;
      const batch = { merchantIds: ids, url: sink.answering, count: size };
      await pauseCallbacks(rig, true);
      const first = await writeDue(rig, batch);
      if (silent)
        await writeDue(rig, { merchantIds: [dead!], url: sink.silent, count: Math.ceil(size / ids.length) });
      const rate = await drained(rig, first, size);
      await withdrawn(rig, dead!);
      return rate;
    },
  };
}

const sink = await startSink();
const rig = await startRig({ merchants: MERCHANTS, accounts: 1 }, 8398);
try {
  await leaveBooks(rig);
  const wanted = (name: string) => (values.only ?? name) === name;
  if (wanted('delivered'))
    await compare(delivered(rig, sink), bareLoop(sink, connections), { rounds, seconds: 1 });
  if (wanted('single')) await compare(delivered(rig, sink), bareLoop(sink, 1), { rounds, seconds: 1 });
  if (wanted('silent'))
    await compare(nineOfTen(rig, sink, true), nineOfTen(rig, sink, false), { rounds, seconds: 1 });
} finally {
  await rig.stop();
  sink.stop();
}
