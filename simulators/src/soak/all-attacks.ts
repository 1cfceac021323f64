import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startNameServer } from '@sangam/server/testing/name-server.ts';
import { readDemo } from '../demo-file.ts';
import { openPhones } from '../monitor/phones.ts';
import { createPrng } from '../prng.ts';
import type { Attack, World } from './attack/attack.ts';
import { audited } from './attack/audited.ts';
import { doors, guesses, slowBodies } from './attack/floods.ts';
import { beside, type Served } from './attack/neighbours.ts';
import { ADDRESSES, isInside } from './attack/network.ts';
import { signInFrom } from './attack/people.ts';
import { startProduction } from './attack/production-node.ts';
import { startProxy } from './attack/proxy.ts';
import { signatures } from './attack/signatures.ts';
import { ssrf } from './attack/ssrf.ts';
import { answerOf } from './attack/targets.ts';
import { startTrap } from './attack/trap.ts';
import { NODE_PORT } from './attack/wire.ts';

/*
 * npm run soak:attack -- [--only TEXT] [--seed N]: attacks a production node behind a proxy on another address, in a network
 * namespace of its own. Prints the attacks, what got through, and how long an honest merchant and staff waited meanwhile. Exits
 * with 1 when an attack got through, an honest call failed, or the 95th percentile was above LONGEST_MS.
 */
const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, seed: { type: 'string', default: '7' } },
});
const LONGEST_MS = 200;
const ALONE_MS = 15_000;

const alone: Attack = {
  name: 'alone',
  run: () => new Promise((resolve) => setTimeout(() => resolve({ tried: 0, through: [] }), ALONE_MS)),
};
const ATTACKS = [alone, signatures, audited, ssrf, slowBodies, doors, guesses];

if (await isInside()) await run();

async function run(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sangam-attack-'));
  const names = await startNameServer(answerOf());
  const node = await startProduction(dataDir, names.address);
  const proxy = await startProxy();
  const trap = await startTrap();
  const demo = await readDemo(dataDir);
  const random = createPrng(Number(values.seed), 11);
  const problems: string[] = [];
  // Phones that keep the merchant's accounts alive.
  const phones = await openPhones(
    demo,
    [`http://127.0.0.1:${NODE_PORT}`],
    { calls: 0, retries: 0 },
    random,
    (error) => {
      console.log(`  a phone: ${String(error)}`);
      problems.push(String(error));
    },
  );
  try {
    const people = Object.fromEntries(
      await Promise.all(
        demo.users.map(
          async ({ account }) => [account, await signInFrom(demo, account, ADDRESSES.staff)] as const,
        ),
      ),
    );
    const world: World = { demo, node, trap, random, people };
    const merchant = demo.merchants.findLast(({ signType }) => signType === 'hmac-sha256-v2')!;
    console.log('| attack | tried | got through | create p95, ms | list p95, ms | honest calls | failed |');
    console.log('|---|---|---|---|---|---|---|');
    for (const attack of ATTACKS.filter(({ name }) => name.includes(values.only) || name === 'alone')) {
      let outcome: Awaited<ReturnType<Attack['run']>> = { tried: 0, through: [] };
      const served: Served = await beside(merchant, people['admin']!, async () => {
        outcome = await attack.run(world);
      });
      const { create, list, calls, failed } = served;
      console.log(
        `| ${attack.name} | ${outcome.tried} | ${outcome.through.length} | ${create.toFixed(0)} | ${list.toFixed(0)} | ${calls} | ${failed.length} |`,
      );
      const found = [
        ...outcome.through,
        ...[...new Set(failed)].slice(0, 3).map((what) => `an honest call failed: ${what}`),
        ...(Math.max(create, list) > LONGEST_MS ? [`others waited longer than ${LONGEST_MS} ms`] : []),
      ];
      for (const what of found) console.log(`  ${what}`);
      problems.push(...found);
    }
  } finally {
    for (const phone of phones.all) phone.stop();
    await proxy.stop();
    await node.stop();
    await trap.stop();
    await names.close();
    await rm(dataDir, { recursive: true, force: true });
  }
  console.log(
    `load ${loadavg()[0]!.toFixed(1)}: ${problems.length === 0 ? 'nothing got through' : 'NOT SOUND'}`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
}
