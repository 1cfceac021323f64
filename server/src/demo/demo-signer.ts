import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../platform/clock.ts';
import type { Config, SignerAccess } from '../platform/config.ts';
import { addKey, addReleaser, setLimits } from '../signer/change.ts';
import { walletKey } from '../signer/wallet-key.ts';
import type { DemoUser } from './demo-file.ts';

const USDT = 1_000_000n;
const LIMITS = { one: 1_000n * USDT, day: 100_000n * USDT };
const MAIN = fileURLToPath(new URL('../app/signer.ts', import.meta.url));

/** Anybody can open the demo's wallet. Its chain is simulated. */
const KEY = createHash('sha256').update('the demo wallet, which anybody can open').digest('hex');
const PASSPHRASE = 'the demo signer, which anybody can open';
export const DEMO_WALLET = walletKey(KEY).address;

/** Where the demo's signer will listen: a free port on this machine, and a secret for this run. */
export async function demoSignerAccess(): Promise<SignerAccess> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return { url: `http://127.0.0.1:${port}`, secret: randomBytes(32) };
}

/** Starts the signer beside the node; it ends with this process. Admins release payouts with the codes they sign in with. */
export async function startDemoSigner(
  { dataDir, tronUrl, usdtContract }: Config,
  { url, secret }: SignerAccess,
  users: readonly DemoUser[],
): Promise<{ stop(): Promise<void> }> {
  const folder = join(dataDir, 'signer');
  const context = { file: join(folder, 'signer.db'), passphrase: PASSPHRASE, clock: systemClock };
  if (!existsSync(context.file)) {
    await addKey(context, [], KEY);
    await setLimits(context, [], LIMITS);
    // The first two users need nobody's confirmation. Two are enough for a release.
    for (const { account, googleSecret } of users
      .filter(({ role }) => role === 'superAdmin' || role === 'admin')
      .slice(0, 2))
      await addReleaser(context, [], account, googleSecret);
  }
  const child: ChildProcess = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      SIGNER_URL: url,
      SIGNER_SECRET: secret.toString('hex'),
      SIGNER_PASSPHRASE: PASSPHRASE,
      SIGNER_DIR: folder,
      SIGNER_ENDS_WITH_INPUT: '1',
      TRON_URL: tronUrl,
      USDT_CONTRACT: usdtContract,
    },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  return {
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.stdin?.end();
      await ended;
    },
  };
}
