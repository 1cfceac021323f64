import { parseArgs } from 'node:util';
import { addCrowd } from './load/crowd.ts';
import { createOverHttp, warmUp } from './load/sides.ts';
import { startRig } from './rig.ts';
import { compare } from './rounds.ts';

/*
 * All load on one merchant, one supplier and one account, over the same load spread over 900 merchants and 900 suppliers with one
 * account each.
 *
 *   npm run bench -- create-hot [--rounds 5] [--seconds 4] [--connections 64]
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '64' },
    crowd: { type: 'string', default: '900' },
    port: { type: 'string', default: '8399' },
  },
});
const connections = Number(values.connections);
const WARM_UP = { seconds: 20, requests: 4000 };

const rig = await startRig({ merchants: 1, accounts: 1 }, Number(values.port));
try {
  const crowd = await addCrowd(rig.platform, Number(values.crowd));
  const one = { merchants: rig.merchants, productId: '1010', connections };
  const many = { merchants: crowd, productId: '1012', connections };
  for (const load of [one, many]) await warmUp(rig, { ...load, ...WARM_UP });
  const rateOf = (load: typeof one) => async (seconds: number) => {
    const { done, seconds: taken } = await createOverHttp(rig, { ...load, seconds });
    return done / taken;
  };
  await compare(
    { name: 'on one merchant and one account', run: rateOf(one) },
    { name: `spread on ${crowd.length}`, run: rateOf(many) },
    { rounds: Number(values.rounds), seconds: Number(values.seconds) },
  );
} finally {
  await rig.stop();
}
