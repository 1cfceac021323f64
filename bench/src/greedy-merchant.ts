import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runLoad, type LoadOrder } from './load/load.ts';
import { warmUp } from './load/sides.ts';
import { startRig } from './rig.ts';
import { compare } from './rounds.ts';

/*
 * p95 of one merchant's creates over HTTP while another merchant sends very many without waiting for answers, over p95 of the first
 * alone.
 *
 *   npm run bench -- greedy-merchant [--rounds 5] [--seconds 5] [--sockets 8] [--ahead 5000]
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    sockets: { type: 'string', default: '8' },
    ahead: { type: 'string', default: '5000' },
    port: { type: 'string', default: '8399' },
  },
});
const [sockets, ahead] = [Number(values.sockets), Number(values.ahead)];
/** More answers per second than any machine of two cores gives. */
const MOST_PER_SECOND = 12_000;

const rig = await startRig({ merchants: 2, accounts: 50 }, Number(values.port));
const [greedy, other] = rig.merchants.map((merchant) => ({ merchants: [merchant], productId: '1010' }));
let runs = 0;

const order = (
  of: typeof other,
  rest: Omit<LoadOrder, 'url' | 'prefix' | 'merchants' | 'productId'>,
): LoadOrder => {
  runs += 1;
  return { ...of!, ...rest, url: rig.url, prefix: `G${runs}-` };
};

async function otherP95(seconds: number): Promise<number> {
  const { done, p50, p95 } = await runLoad(
    order(other, { connections: 4, seconds, requests: seconds * MOST_PER_SECOND }),
  );
  console.log(
    `    ${done} creates of the other merchant, p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
  );
  return p95;
}

async function besideGreedy(seconds: number): Promise<number> {
  // The greedy load begins before the measurement and ends after it.
  const lasts = seconds + 3;
  const requests = sockets * ahead + lasts * MOST_PER_SECOND;
  let begun = () => undefined as void;
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const flood = runLoad(order(greedy, { connections: sockets, ahead, seconds: lasts, requests }), begun);
  await hasBegun;
  await sleep(500);
  const p95 = await otherP95(seconds);
  const { done, refused } = await flood;
  console.log(`    of the greedy one ${done} made, ${refused} refused`);
  return p95;
}

try {
  const both = { merchants: rig.merchants, productId: '1010', connections: 64 };
  await warmUp(rig, { ...both, seconds: 20, requests: 8_000 });
  await compare(
    { name: 'p95 beside a greedy merchant', unit: ' ms', run: besideGreedy },
    { name: 'p95 alone', unit: ' ms', run: otherP95 },
    { rounds: Number(values.rounds), seconds: Number(values.seconds) },
  );
} finally {
  await rig.stop();
}
