// The real server on a fresh data folder, which goes when the server has stopped. Started by playwright.config.ts, and by tests that want a living one.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from './src/world/new-world.ts';

const [port, dataDir, kind] = process.argv.slice(2);
if (!port || !dataDir) throw new Error('serve.ts is started by playwright.config.ts: PORT DATA_DIR.');

const main = fileURLToPath(new URL('../server/src/app/main.ts', import.meta.url));
// Nothing else of the environment: a DATABASE_URL of the person running the tests must never reach them.
const env = {
  PATH: process.env['PATH'],
  PORT: port,
  DATA_DIR: dataDir,
  DEMO: '1',
  ALLOW_PRIVATE_CALLBACKS: '1',
  // Tests move the other worlds by themselves.
  ...(kind === 'living' && { DEMO_TRAFFIC: '1', ...(await outsidePorts()) }),
};
const server = spawn(process.execPath, [main, '--demo-orders=300'], { env, stdio: 'inherit' });

// Playwright signals the whole group, so the server has it already; a second one from here would cut its stop short.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
server.once('exit', (code) => {
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  process.exit(code ?? 1);
});

/** Where the outside world listens: a demo of the person running the tests may have the usual ports. */
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
