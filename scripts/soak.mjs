// `npm run soak:NAME -- --runs N [--seed S]`: a random test for longer than `npm test` runs it. The seed printed repeats the run.
//   soak:model    N random sequences of the models, shared between them as in npm test (which runs 20,000); --only NAME runs
//                 them all on one, 5,000 in each database, and SEQUENCE=<number> repeats one sequence alone; --plant NUMBER|all puts faults back,
//                 one at a time, and says after how many sequences the attacker models found each
//   soak:gateway  N payouts through misbehaving gateways
//   soak:audit   N edits, deletions, insertions and reorderings of sealed rows, each named
//   soak:alerts   N alerts, 10,000 an hour, to a hundred Telegram groups
//   soak:rollup  N kills of the worker that adds up statistics, while orders change
//   soak:owners   N calls of a merchant and a supplier with ids of others: nothing of theirs is said or changed
//   soak:fuzz     N damaged messages, reports, webhooks and calls over HTTP
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { root } from './install.mjs';
import { FAULTS } from './planted-faults.mjs';

const SOAKS = {
  model: {
    runs: 20_000,
    files: (only) => `${only}.model.test.ts`,
    env: (runs, only) => (only ? { MODEL_RUNS: String(runs) } : { MODEL_FACTOR: String(runs / 20_000) }),
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
  alerts: {
    runs: 10_000,
    files: () => 'bots/hour-of-alerts.test.ts',
    env: (runs) => ({ MODEL_RUNS: String(runs) }),
  },
  rollup: {
    runs: 200,
    files: () => 'statistics/killed-worker.test.ts',
    env: (runs) => ({ MODEL_RUNS: String(runs) }),
  },
  owners: {
    runs: 100_000,
    files: () => 'api/owners.test.ts',
    // Divided by about 150 calls of both parties.
    env: (runs) => ({ OWNER_PROBES: String(Math.ceil(runs / 150)) }),
  },
  fuzz: {
    runs: 10_000,
    files: () => 'fuzz.soak.test.ts',
    env: (runs) => ({ FUZZ_WORDS: String(runs) }),
  },
};

/** Sequences of one model per database. */
const PASS = 5_000;

const [name, ...args] = process.argv.slice(2);
const soak = SOAKS[name];
const { values } = parseArgs({
  args,
  options: {
    runs: { type: 'string', default: String(soak.runs) },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    only: { type: 'string', default: '' },
    plant: { type: 'string', default: '' },
  },
});
if (!/^[1-9]\d*$/.test(values.runs) || !/^\d+$/.test(values.seed)) {
  console.error('--runs and --seed are whole numbers.');
  process.exit(2);
}
/** Faults of payouts, which only the payout model can find. */
const OF_PAYOUTS = new Set(['16', '17', '18', '20', '21', '22']);
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'server'];

if (name === 'model' && values.plant) {
  process.exitCode = await plantAll(values.plant === 'all' ? Object.keys(FAULTS) : values.plant.split(','));
} else {
  process.exitCode = await runAll(Number(values.runs), Number(values.seed));
}

/**
 * Runs pass after pass, each on its own database, until one fails. `verify` reads the whole database again and again, so databases stay
 * small.
 */
async function runAll(runs, firstSeed) {
  const pass = values.only ? PASS : runs;
  for (let done = 0; done < runs; done += pass) {
    const seed = firstSeed + done;
    const these = Math.min(pass, runs - done);
    console.log(`${name}: ${these} runs, seed ${seed}; ${done} of ${runs} done`);
    const child = spawn(process.execPath, [...vitest, soak.files(values.only)], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, SEED: String(seed), ...soak.env(these, values.only) },
    });
    const code = await ended(child);
    if (code !== 0) return code;
  }
  return 0;
}

function ended(child) {
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

/** Runs the attacker models with each fault. Returns 1 if they did not find one. */
async function plantAll(numbers) {
  let missed = 0;
  for (const number of numbers) {
    const env = { ...process.env, SEED: values.seed, MODEL_RUNS: values.runs, PLANT: number };
    const child = spawn(
      process.execPath,
      [...vitest, OF_PAYOUTS.has(number) ? 'attack-payouts.model.test.ts' : 'attack.model.test.ts'],
      { cwd: root, env },
    );
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
    const code = await ended(child);
    const found = /^Error: (attack[a-z-]*), SEQUENCE=(\d+): (.*)$/m.exec(stripVTControlCharacters(said));
    if (code === 0 || (!found && !said.includes('brokenChecks'))) {
      missed += 1;
      console.log(
        `fault ${number}: not found in ${values.runs} sequences${code === 0 ? '' : `\n${said.slice(-3000)}`}`,
      );
    } else if (found) {
      const after = Number(found[2]) - Number(values.seed) + 1;
      console.log(
        `fault ${number}: found by ${found[1]} after ${after} sequences: ${found[3].slice(0, 160)}`,
      );
    } else console.log(`fault ${number}: found by verify after a block of sequences`);
  }
  return missed === 0 ? 0 : 1;
}
