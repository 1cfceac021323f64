import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS, headlessChromium } from './src/chromium.ts';
import type { World } from './src/world/demo.ts';
import { newWorld } from './src/world/new-world.ts';

const SECOND = 1000;

// Each worker has a server, a database and a demo world of its own: flows move their world's clock and use up codes.
const WORLDS = 2;
// Workers read this file again and inherit the environment, so ports and folders are chosen by the first reader only.
process.env['E2E_WORLDS'] ??= JSON.stringify(await Promise.all(Array.from({ length: WORLDS }, newWorld)));
const worlds = JSON.parse(process.env['E2E_WORLDS']) as readonly World[];
const executablePath = headlessChromium();
const onCi = process.env['CI'] === 'true';

export default defineConfig({
  testDir: 'src',
  outputDir: 'test-results',
  forbidOnly: onCi,
  workers: WORLDS,
  // A stranger's machine may be slow or stall for seconds. What needed a second try is told in the last line of the run.
  retries: onCi ? 2 : 0,
  timeout: (onCi ? 240 : 120) * SECOND,
  expect: { timeout: (onCi ? 40 : 15) * SECOND },
  use: {
    locale: 'en-US',
    // What waits in vain says so, and its test begins anew, long before the whole test's time is over.
    actionTimeout: (onCi ? 60 : 30) * SECOND,
    // A menu that is still unfolding on a stalled machine takes the press on one of its items and the release on the next. And the
    // whole run takes a third less.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { args: CHROMIUM_ARGS, ...(executablePath ? { executablePath } : {}) },
    screenshot: 'only-on-failure',
    // Recorded for every test in case it fails, a trace made the whole run twice as long.
    trace: process.env['E2E_TRACE'] ? 'retain-on-failure' : 'off',
  },
  webServer: worlds.map(({ port, dataDir }) => ({
    command: `"${process.execPath}" serve.ts ${port} "${dataDir}"`,
    url: `http://127.0.0.1:${port}/healthz`,
    timeout: 180 * SECOND,
    gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 20 * SECOND },
    stdout: process.env['E2E_SERVER_LOG'] ? ('pipe' as const) : ('ignore' as const),
    stderr: 'pipe' as const,
  })),
});
