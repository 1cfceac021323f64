// `npm run check`: everything that needs no database and no browser. Stops at the first step that fails, with its output.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildApps } from './build.mjs';
import { checkBundles } from './checks/bundles.mjs';
import { checkHouseRules } from './checks/house-rules.mjs';
import { checkLengths } from './checks/lengths.mjs';
import { checkLocales } from './checks/locales.mjs';
import { root } from './install.mjs';

const workspaces = ['contract', 'server', 'simulators', 'bench', 'console', 'cashier', 'e2e'];

const steps = [
  ['format', () => tool('oxfmt/bin/oxfmt', '--check')],
  ['house rules', () => none([...checkLengths(), ...checkHouseRules()])],
  ['locales', () => none(checkLocales())],
  ['types', () => all(workspaces.map((workspace) => () => types(workspace)))],
  ['lint', () => tool('oxlint/bin/oxlint')],
  ['unused', () => tool('knip/bin/knip.js', '--no-progress', '--no-config-hints')],
  ['build', () => buildApps()],
  ['bundles', bundles],
];

for (const [name, step] of steps) {
  const started = Date.now();
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
  try {
    const remark = await step();
    console.log(`ok      ${name.padEnd(12)} ${seconds()}${remark ? `  ${remark}` : ''}`);
  } catch (error) {
    console.log(`FAILED  ${name.padEnd(12)} ${seconds()}\n\n${error.message.trim()}\n`);
    process.exit(1);
  }
}

/** The result is kept between runs: a second check takes a tenth of the time. */
function types(workspace) {
  const info = join(root, 'node_modules/.cache', `${workspace}.tsbuildinfo`);
  return tool('typescript/bin/tsc', '-p', workspace, '--incremental', '--tsBuildInfoFile', info);
}

function bundles() {
  const { problems, summary } = checkBundles();
  none(problems);
  return summary;
}

function none(problems) {
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** Runs two jobs at a time, because the smallest supported machine has two cores. Reports every failure, not only the first. */
async function all(jobs) {
  const waiting = [...jobs];
  const failures = [];
  const worker = async () => {
    for (let job = waiting.shift(); job; job = waiting.shift()) {
      await job().catch((error) => failures.push(error.message.trim()));
    }
  };
  await Promise.all([worker(), worker()]);
  none(failures);
}

async function tool(path, ...args) {
  const command = [join(root, 'node_modules', path), ...args];
  const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(output || `${path} ended with ${code}`);
}
