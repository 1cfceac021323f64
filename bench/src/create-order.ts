import { parseArgs } from 'node:util';
import { createByPgbench, createOverHttp, preparePgbench, warmUp } from './load/sides.ts';
import { startRig } from './rig.ts';
import { compare } from './rounds.ts';

/*
 * Create order over HTTP (schema, signature, idempotency, limits, allocation, ledger look-ups, history; durable before the answer)
 * over pgbench with the same effects in one transaction per order, on the same server and tables.
 *
 *   npm run bench -- create-order [--rounds 5] [--seconds 4] [--connections 64] [--sign md5]
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '64' },
    port: { type: 'string', default: '8399' },
    sign: { type: 'string', default: 'md5' },
    merchants: { type: 'string', default: '20' },
    accounts: { type: 'string', default: '50' },
  },
});
const connections = Number(values.connections);
const shape = { merchants: Number(values.merchants), accounts: Number(values.accounts) };
const PGBENCH_CLIENTS = 16;
/** A server runs for weeks, a round only for seconds, so measuring starts after the code is compiled. */
const WARM_UP = { seconds: 20, requests: 8000 };

const signType = values.sign === 'md5' ? 'md5' : 'hmac-sha256';
const rig = await startRig({ ...shape, signType }, Number(values.port));
try {
  await preparePgbench(rig);
  const load = { merchants: rig.merchants, productId: '1010', connections };
  await warmUp(rig, { ...load, ...WARM_UP });
  await compare(
    {
      name: `HTTP with ${connections} connections`,
      run: async (seconds) => {
        const { done, seconds: taken } = await createOverHttp(rig, { ...load, seconds });
        return done / taken;
      },
    },
    {
      name: `pgbench with ${PGBENCH_CLIENTS} clients`,
      run: async (seconds) => (await createByPgbench(rig, shape, { clients: PGBENCH_CLIENTS, seconds })).rate,
    },
    { rounds: Number(values.rounds), seconds: Number(values.seconds) },
  );
} finally {
  await rig.stop();
}
