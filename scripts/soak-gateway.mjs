// `npm run soak:gateway -- --runs N [--seed S]`: N payouts through misbehaving gateways, as `npm test` runs a few hundred.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { root } from './install.mjs';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  },
});
if (!/^[1-9]\d*$/.test(values.runs) || !/^\d+$/.test(values.seed)) {
  console.error('--runs and --seed are whole numbers.');
  process.exit(2);
}
console.log(`${values.runs} payouts, seed ${values.seed}`);
const child = spawn(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', 'gateways.soak.test.ts'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, SEED: values.seed, GATEWAY_RUNS: values.runs } },
);
process.exitCode = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
