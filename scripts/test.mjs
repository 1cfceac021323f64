// `npm test [-- --only check|unit|e2e]`: check, then Vitest (server tests on a real PostgreSQL), then Playwright. Every part runs
// even if an earlier one failed; the last line sums up the results.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemChromium } from '../e2e/src/chromium.ts';
import { buildApps } from './build.mjs';
import { root } from './install.mjs';

const parts = { check: runCheck, unit: runUnit, e2e: runBrowser };
const { values } = parseArgs({ options: { only: { type: 'string' } } });
if (values.only !== undefined && !Object.hasOwn(parts, values.only)) {
  console.error(`--only must be one of ${Object.keys(parts).join(', ')}.`);
  process.exit(2);
}

const reports = mkdtempSync(join(tmpdir(), 'sangam-reports-'));
let passed = 0;
let failed = 0;
let flaky = 0;
for (const [name, part] of Object.entries(parts)) {
  if (values.only !== undefined && values.only !== name) continue;
  console.log(`\n--- ${name}`);
  try {
    const result = await part();
    passed += result.passed;
    flaky += result.flaky ?? 0;
    // A part that fails without a failing test counts as one failure: for example a file that does not load, or a server that does
    // not start.
    failed += result.ok ? result.failed : Math.max(result.failed, 1);
  } catch (error) {
    console.error(error.message);
    failed += 1;
  }
}
rmSync(reports, { recursive: true, force: true });
console.log(
  `\n${passed} passed, ${failed} failed${flaky > 0 ? `; ${flaky} browser tests only when tried again` : ''}`,
);
process.exitCode = failed === 0 ? 0 : 1;

async function runCheck() {
  return { passed: 0, failed: 0, ok: await runs(['scripts/check.mjs']) };
}

async function runUnit() {
  const report = join(reports, 'unit.json');
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json'];
  const ok = await runs([...vitest, `--outputFile.json=${report}`]);
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
  return { passed: numPassedTests, failed: numFailedTests, ok };
}

async function runBrowser() {
  await buildApps();
  const playwright = 'node_modules/@playwright/test/cli.js';
  if (!systemChromium()) {
    console.log('No Chromium on this machine: Playwright fetches its own ...');
    if (!(await runs([playwright, 'install', '--with-deps', 'chromium']))) {
      throw new Error('There is no Chromium: install one, or name it in CHROMIUM_PATH.');
    }
  }
  const report = join(reports, 'e2e.json');
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const ok = await runs(
    [playwright, 'test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'],
    env,
  );
  const { stats } = JSON.parse(readFileSync(report, 'utf8'));
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, flaky: stats.flaky, ok };
}

async function runs(args, env = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
}
