import { parseArgs } from 'node:util';
import { createByPgbench, createOverHttp, preparePgbench, warmUp } from './load/sides.ts';
import { startRig } from './rig.ts';
import { compare } from './rounds.ts';

/*
 * The wait of a single client: the 99th percentile of create order over HTTP, over the mean of one pgbench client with the same
 * effects. Smaller is better.
 *
 *   npm run bench -- create-latency [--rounds 5] [--seconds 5]
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    port: { type: 'string', default: '8399' },
  },
});
const shape = { merchants: 20, accounts: 50 };
const WARM_UP = { seconds: 20, requests: 3000, connections: 8 };

const rig = await startRig(shape, Number(values.port));
try {
  await preparePgbench(rig);
  const load = { merchants: rig.merchants, productId: '1010', connections: 1 };
  await warmUp(rig, { ...load, ...WARM_UP });
  await compare(
    {
      name: 'p99 over HTTP',
      unit: ' ms',
      run: async (seconds) => (await createOverHttp(rig, { ...load, seconds })).p99,
    },
    {
      name: 'mean of pgbench',
      unit: ' ms',
      run: async (seconds) => (await createByPgbench(rig, shape, { clients: 1, seconds })).meanLatency,
    },
    { rounds: Number(values.rounds), seconds: Number(values.seconds) },
  );
} finally {
  await rig.stop();
}
