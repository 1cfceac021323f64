// `npm run soak:model -- --runs N [--seed S] [--only NAME]`: N random sequences of the models that `npm test` runs 20,000
// of, shared between them as there. The seed printed repeats the run; SEQUENCE=<number> repeats one sequence alone.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { root } from './install.mjs';

const USUAL = 20_000;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: String(USUAL) },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    only: { type: 'string', default: '' },
  },
});
const runs = Number(values.runs);
if (!(runs >= 1) || !/^\d+$/.test(values.seed)) {
  console.error('--runs and --seed are whole numbers.');
  process.exit(2);
}
console.log(`${runs} sequences, seed ${values.seed}`);
const child = spawn(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', `${values.only}.model.test.ts`],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, SEED: values.seed, MODEL_FACTOR: String(runs / USUAL) },
  },
);
process.exitCode = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
