import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS, headlessChromium } from './src/chromium.ts';
import type { World } from './src/world/demo.ts';
import { newWorld } from './src/world/new-world.ts';

const SECOND = 1000;

// Each worker has its own server, database and demo world, because tests move their world's clock and use up codes.
const WORLDS = 2;
// Workers read this file again and inherit the environment, so only the first reader chooses ports and folders.
process.env['E2E_WORLDS'] ??= JSON.stringify(await Promise.all(Array.from({ length: WORLDS }, newWorld)));
const worlds = JSON.parse(process.env['E2E_WORLDS']) as readonly World[];
const executablePath = headlessChromium();
const onCi = process.env['CI'] === 'true';

export default defineConfig({
  testDir: 'src',
  outputDir: 'test-results',
  forbidOnly: onCi,
  workers: WORLDS,
  // Another machine may be slow or stall for seconds. The last line of the run names tests that needed a second try.
  retries: onCi ? 2 : 0,
  timeout: (onCi ? 240 : 120) * SECOND,
  expect: { timeout: (onCi ? 40 : 15) * SECOND },
  use: {
    locale: 'en-US',
    // An action that waits in vain fails, and its test starts again long before the time of the whole test is over.
    actionTimeout: (onCi ? 60 : 30) * SECOND,
    // On a stalled machine, a menu that is still unfolding would get the press on one item and the release on the next. Without
    // animations the whole run also takes a third less time.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { args: CHROMIUM_ARGS, ...(executablePath ? { executablePath } : {}) },
    screenshot: 'only-on-failure',
    // Recording a trace of every test, to keep those of failed ones, doubled the time of the run.
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
