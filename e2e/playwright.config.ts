import { createServer, type AddressInfo } from 'node:net';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS, systemChromium } from './chromium.ts';

const SECOND = 1000;

// Workers read this file again and inherit the environment, so port and folder are chosen by the first reader only.
// Tests find the demo's sign-ins in E2E_DATA_DIR/demo.json.
process.env['E2E_PORT'] ??= String(await freePort());
process.env['E2E_DATA_DIR'] ??= mkdtempSync(join(tmpdir(), 'sangam-e2e-'));

const baseURL = `http://127.0.0.1:${process.env['E2E_PORT']}`;
const executablePath = systemChromium();

export default defineConfig({
  testDir: 'src',
  outputDir: 'test-results',
  forbidOnly: process.env['CI'] === 'true',
  // One server, one database, one order of things; the tests share its demo world.
  workers: 1,
  timeout: 60 * SECOND,
  expect: { timeout: 10 * SECOND },
  use: {
    baseURL,
    locale: 'en-US',
    launchOptions: { args: CHROMIUM_ARGS, ...(executablePath ? { executablePath } : {}) },
    screenshot: 'only-on-failure',
    // Recorded for every test in case it fails, a trace made the whole run twice as long.
    trace: process.env['E2E_TRACE'] ? 'retain-on-failure' : 'off',
  },
  webServer: {
    command: `"${process.execPath}" serve.ts`,
    url: `${baseURL}/healthz`,
    timeout: 180 * SECOND,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20 * SECOND },
    stdout: process.env['E2E_SERVER_LOG'] ? 'pipe' : 'ignore',
    stderr: 'pipe',
  },
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => probe.once('listening', done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}
