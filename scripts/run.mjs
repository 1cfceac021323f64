// Every npm script is `exec node scripts/run.mjs NAME ...`: it installs what is missing and runs the target on the pinned Node.
// `exec` is needed because npm signals the shell that it started; without it, that shell would end and leave this process running.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled, pinnedNode, root } from './install.mjs';

const targets = {
  start: 'server/src/app/main.ts',
  code: 'server/src/app/code.ts',
  'first-admin': 'server/src/app/first-admin.ts',
  signer: 'server/src/app/signer.ts',
  verify: 'server/src/app/verify.ts',
  statistics: 'server/src/app/statistics.ts',
  audit: 'server/src/app/audit.ts',
  reseal: 'server/src/app/reseal.ts',
  restored: 'server/src/app/restored.ts',
  simulate: 'simulators/src/simulate.ts',
  'soak:kill': 'simulators/src/soak/kill.ts',
  'soak:faults': 'simulators/src/soak/all-faults.ts',
  'soak:attack': 'simulators/src/soak/all-attacks.ts',
  'soak:archive': 'bench/src/archive/kill.ts',
  'soak:gateway': ['scripts/soak.mjs', 'gateway'],
  'soak:model': ['scripts/soak.mjs', 'model'],
  'soak:rollup': ['scripts/soak.mjs', 'rollup'],
  'soak:audit': ['scripts/soak.mjs', 'audit'],
  'soak:alerts': ['scripts/soak.mjs', 'alerts'],
  'soak:fuzz': ['scripts/soak.mjs', 'fuzz'],
  'soak:owners': ['scripts/soak.mjs', 'owners'],
  'test:serializable': 'scripts/test-serializable.mjs',
  bench: 'bench/src/bench.ts',
  'bench:seed': 'bench/src/seed.ts',
  schema: 'server/src/app/schema.ts',
  'score:messages': 'server/src/evidence/templates/score.ts',
  build: 'scripts/build.mjs',
  check: 'scripts/check.mjs',
  format: 'scripts/format.mjs',
  test: 'scripts/test.mjs',
  'test:install': 'scripts/test-install.mjs',
};

const [name, ...args] = process.argv.slice(2);
const [target, ...fixed] = Object.hasOwn(targets, name ?? '') ? [targets[name]].flat() : [];

try {
  if (!target) throw new Error(`No such script: ${name}. There is ${Object.keys(targets).join(', ')}.`);
  ensureInstalled();
  if (name === 'start') await step('scripts/build.mjs', []);
  process.exitCode = await step(target, [...fixed, ...args]);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

/** Resolves with the exit code. A failing step before the last ends the run with its code. */
async function step(script, scriptArgs) {
  const isNode = script === targets.start;
  const read = (file) => JSON.parse(readFileSync(join(root, 'server', file), 'utf8'));
  const flags = isNode ? read('node-flags.json') : [];
  // A demo started by a person has its outside world; the tests move their worlds themselves.
  const env = isNode ? { DEMO_TRAFFIC: '1', ...read('node-env.json'), ...process.env } : process.env;
  const child = spawn(pinnedNode, [...flags, join(root, script), ...scriptArgs], {
    cwd: root,
    stdio: 'inherit',
    env,
  });
  let forwarded = 0;
  const forward = (signal) => {
    // A terminal sends Ctrl-C to the whole foreground group, and npm passes its own signal on. So one key press would reach the
    // child several times and look like 'hurry'.
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    if (Date.now() - forwarded < 1000) return;
    forwarded = Date.now();
    child.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  // An npm that was killed sends no signal, and nobody would stop what it started.
  const parent = process.ppid;
  const onceOrphaned = () => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  };
  const watch = process.env.npm_lifecycle_event ? setInterval(onceOrphaned, 500) : undefined;
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exitCode, signal) => resolve(exitCode ?? 128 + constants.signals[signal]));
  });
  for (const signal of signals) process.off(signal, forward);
  clearInterval(watch);
  if (code !== 0 && script !== target) process.exit(code);
  return code;
}
