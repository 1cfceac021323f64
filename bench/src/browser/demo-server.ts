import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions } from '@playwright/test';
import type { World } from '@sangam/e2e/world/demo.ts';

const MAIN = fileURLToPath(new URL('../../../server/src/app/main.ts', import.meta.url));

export type SignedIn = NonNullable<BrowserContextOptions['storageState']>;

export interface DemoServer {
  readonly url: string;
  /** The browser state with `account` signed in; `origin` where it is not the server's own address. */
  signedIn(account: string, origin?: string): Promise<Exclude<SignedIn, string>>;
  stop(): Promise<void>;
}

/** The real server with a demo world of 300 orders. Its data folder is removed with it. */
export async function startDemo(port: number): Promise<DemoServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sangam-bench-'));
  const url = `http://127.0.0.1:${port}`;
  // The helpers of the browser tests, which sign in, read this variable when they are loaded.
  process.env['E2E_WORLDS'] = JSON.stringify([{ port, dataDir }] satisfies World[]);
  const env = { PATH: process.env['PATH'], PORT: String(port), DATA_DIR: dataDir, DEMO: '1' };
  const server = spawn(process.execPath, [MAIN, '--demo-orders=300'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  for (let tries = 0; tries < 600; tries += 1) {
    if (server.exitCode !== null) throw new Error('the server did not start');
    const answer = await fetch(`${url}/healthz`).catch(() => undefined);
    if (answer?.ok) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const { sessionOf } = await import('@sangam/e2e/world/session.ts');
  return {
    url,
    async signedIn(account, origin = url) {
      const { token, cookie } = await sessionOf(account);
      const { hostname } = new URL(url);
      const sid = {
        name: 'sid',
        value: cookie,
        domain: hostname,
        path: '/',
        expires: -1,
        httpOnly: true,
        secure: false,
        sameSite: 'Strict' as const,
      };
      return {
        cookies: [sid],
        origins: [{ origin, localStorage: [{ name: 'sangam.token', value: token }] }],
      };
    },
    async stop() {
      server.kill('SIGTERM');
      await ended;
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
