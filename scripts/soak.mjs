// `npm run soak:NAME -- --runs N [--seed S]`: a random test for longer than `npm test` runs it. The seed printed repeats the run.
//   soak:model    N random sequences of the models, shared between them as in npm test (which runs 25,000); --only NAME runs
//                 them all on one, and SEQUENCE=<number> repeats one sequence alone
//   soak:gateway  N payouts through misbehaving gateways
//   soak:audit   N edits, deletions, insertions and reorderings of sealed rows, each named
//   soak:fuzz     N damaged messages, reports, webhooks and calls over HTTP
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { root } from './install.mjs';

const SOAKS = {
  model: {
    runs: 25_000,
    files: (only) => `${only}.model.test.ts`,
    env: (runs, only) => (only ? { MODEL_RUNS: String(runs) } : { MODEL_FACTOR: String(runs / 25_000) }),
  },
  gateway: {
    runs: 10_000,
    files: () => 'gateways.soak.test.ts',
    env: (runs) => ({ GATEWAY_RUNS: String(runs) }),
  },
  audit: {
    runs: 1_000,
    files: () => 'audit/faults.test.ts',
    env: (runs) => ({ MODEL_RUNS: String(runs) }),
  },
  fuzz: {
    runs: 10_000,
    files: () => 'fuzz.soak.test.ts',
    env: (runs) => ({ FUZZ_WORDS: String(runs) }),
  },
};

const [name, ...args] = process.argv.slice(2);
const soak = SOAKS[name];
const { values } = parseArgs({
  args,
  options: {
    runs: { type: 'string', default: String(soak.runs) },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    only: { type: 'string', default: '' },
  },
});
if (!/^[1-9]\d*$/.test(values.runs) || !/^\d+$/.test(values.seed)) {
  console.error('--runs and --seed are whole numbers.');
  process.exit(2);
}
console.log(`${name}: ${values.runs} runs, seed ${values.seed}`);
const child = spawn(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', soak.files(values.only)],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, SEED: values.seed, ...soak.env(Number(values.runs), values.only) },
  },
);
process.exitCode = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
