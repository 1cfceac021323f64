import { parseArgs } from 'node:util';
import { NAMELESS_EXPORT } from '@sangam/server/testing/nameless-export.ts';
import { newToken, openSeeded } from './list/open.ts';
import { PATHS } from './list/queries.ts';
import { compare } from './rounds.ts';

/*
 * p95 of the order list over HTTP while whole lists are exported, over p95 without exports. A finished export starts again. Seeds
 * the orders if they are missing.
 *
 *   npm run bench -- exports-beside-lists [--rounds 5] [--seconds 8] [--exports 16] [--orders 100000]
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '8' },
    exports: { type: 'string', default: '16' },
    orders: { type: 'string', default: '100000' },
    port: { type: 'string', default: '8394' },
  },
});
/** Pause between two lists of one reader, in milliseconds, because a person reads the answer. */
const PAUSE = 20;

const seeded = await openSeeded(Number(values.orders), Number(values.port));

async function listP95(seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000;
  const times: number[] = [];
  while (performance.now() < until) {
    times.push(await seeded.timed(PATHS.collections, {}));
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1]!;
}

async function besideExports(seconds: number): Promise<number> {
  const stop = new AbortController();
  let bytes = 0;
  const exporting = Array.from({ length: Number(values.exports) }, async () => {
    const headers = { token: await newToken(seeded.platform) };
    const query = new URLSearchParams(NAMELESS_EXPORT).toString();
    while (!stop.signal.aborted) {
      const answer = await fetch(`${seeded.url}/v1.0/list/export?${query}`, { headers, signal: stop.signal });
      if (answer.status !== 200) throw new Error(`an export was answered ${answer.status}`);
      for await (const piece of answer.body!) bytes += (piece as Uint8Array).length;
    }
  });
  const ended = Promise.allSettled(exporting);
  const failed = Promise.all(exporting).then(() => 0);
  const p95 = await Promise.race([listP95(seconds), failed]);
  stop.abort();
  failed.catch(() => undefined);
  await ended;
  console.log(`    exported ${(bytes / seconds / 1e6).toFixed(1)} MB/s`);
  return p95;
}

try {
  await compare(
    { name: `list beside ${values.exports} exports`, unit: ' ms', run: besideExports },
    { name: 'list alone', unit: ' ms', run: listP95 },
    { rounds: Number(values.rounds), seconds: Number(values.seconds) },
  );
} finally {
  await seeded.stop();
}
