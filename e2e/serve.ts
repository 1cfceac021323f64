// Starts the real server on a fresh data folder and removes the folder when the server has stopped. Used by playwright.config.ts,
// and by tests that need a living demo.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from './src/world/new-world.ts';

const [port, dataDir, kind] = process.argv.slice(2);
if (!port || !dataDir) throw new Error('serve.ts is started by playwright.config.ts: PORT DATA_DIR.');

const main = fileURLToPath(new URL('../server/src/app/main.ts', import.meta.url));
// No other variable of the environment: a DATABASE_URL of the person who runs the tests must never reach the server.
const env = {
  PATH: process.env['PATH'],
  PORT: port,
  DATA_DIR: dataDir,
  DEMO: '1',
  ALLOW_PRIVATE_CALLBACKS: '1',
  // In the other worlds, the tests themselves simulate the outside world.
  ...(kind === 'living' && { DEMO_TRAFFIC: '1', ...(await outsidePorts()) }),
};
const server = spawn(process.execPath, [main, '--demo-orders=300'], { env, stdio: 'inherit' });

// Playwright signals the whole process group, so the server already has the signal. A second one from here would interrupt its
// shutdown.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
server.once('exit', (code) => {
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  process.exit(code ?? 1);
});

/** Ports of the outside world: a demo of the person who runs the tests may use the usual ones. */
async function outsidePorts(): Promise<Record<string, string>> {
  const [gateway, tron, mpesa, telegram, script] = await Promise.all(
    Array.from({ length: 5 }, async () => `http://127.0.0.1:${await freePort()}`),
  );
  return {
    GATEWAY_URL: `${gateway}/v1`,
    CASHFREE_URL: `${gateway}/payout`,
    TRON_URL: tron!,
    MPESA_URL: mpesa!,
    TELEGRAM_API_ROOT: telegram!,
    DEMO_SCRIPT_URL: script!,
  };
}
