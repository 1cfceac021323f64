import { defineConfig } from 'vitest/config';
import { contractEndpoints, settingUnits } from './console/vite-plugins.ts';
import { planted } from './scripts/planted-faults.mjs';

// A stranger's machine may stall for seconds: one more try there, told by the reporter; none where people work.
const retry = process.env['CI'] === 'true' ? 1 : 0;
const perFile = { environment: 'node', restoreMocks: true, retry } as const;

/** `npm run soak:model -- --plant`. */
const fault = process.env['PLANT'];

/** One project a workspace, so that only a run with server tests in it starts a PostgreSQL. */
export default defineConfig({
  test: {
    // More workers than cores: a server test waits for PostgreSQL half of its time, and some wait for time limits.
    maxWorkers: 3,
    projects: [
      { test: { ...perFile, name: 'contract', include: ['contract/src/**/*.test.ts'] } },
      {
        ...(fault === undefined ? {} : { plugins: [planted(fault)] }),
        test: {
          ...perFile,
          name: 'server',
          // Files share a worker's modules: loading the server anew cost each of them 2 s.
          isolate: false,
          // As in production, Node loads the files itself: a tenth of the time less than with Vite's modules. A planted fault needs Vite.
          experimental: { viteModuleRunner: fault !== undefined, nodeLoader: false },
          include: ['server/src/**/*.test.ts'],
          globalSetup: ['server/src/testing/global-setup.ts'],
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      { test: { ...perFile, name: 'simulators', include: ['simulators/src/**/*.test.ts'] } },
      {
        plugins: [contractEndpoints(), settingUnits()],
        test: { ...perFile, name: 'console', include: ['console/src/**/*.test.{ts,tsx}'] },
      },
      { test: { ...perFile, name: 'cashier', include: ['cashier/src/**/*.test.{ts,tsx}'] } },
      { test: { ...perFile, name: 'checks', include: ['scripts/checks/*.test.mjs'] } },
    ],
  },
});
