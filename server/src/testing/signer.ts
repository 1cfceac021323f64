import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../platform/clock.ts';
import { codeAt } from '../access/google-code.ts';
import { addKey, addReleaser, type ChangeContext, setLimits } from '../signer/change.ts';
import type { SignerConfig } from '../signer/config.ts';
import { type Signer, startSigner } from '../signer/start.ts';

const USDT = 1_000_000n;

export interface TestSigner {
  /** The wallet whose key the signer has. */
  readonly address: string;
  readonly config: SignerConfig;
  readonly context: ChangeContext;
  /** The running signer. After a restart it is another one. */
  readonly running: Signer;
  /** The code that a releaser's authenticator shows now. */
  codeOf(name: string): string;
  /** Stops the signer while `between` runs, then starts it again at the same address. */
  restart(between?: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

const SECRETS: Readonly<Record<string, string>> = {
  anita: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  bhaskar: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
};

/** A signer with its own file, one wallet, two releasers, and limits of 1,000 and 3,000 USDT. */
export async function makeTestSigner(options: {
  readonly tronUrl: string;
  readonly clock: Clock;
  readonly releasers?: readonly string[];
}): Promise<TestSigner> {
  const { tronUrl, clock, releasers = Object.keys(SECRETS) } = options;
  const folder = await mkdtemp(join(tmpdir(), 'signer-'));
  const config: SignerConfig = {
    tronUrl,
    tronApiKey: undefined,
    usdtContract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    file: join(folder, 'signer.db'),
    passphrase: 'for a test, and long enough',
    secret: Buffer.alloc(32, 7),
    host: '127.0.0.1',
    port: 0,
    feeLimit: 50_000_000n,
  };
  const context: ChangeContext = { ...config, clock };
  const address = await addKey(context, []);
  await setLimits(context, [], { one: 1_000n * USDT, day: 3_000n * USDT });
  const secrets = new Map(releasers.map((name, index) => [name, Object.values(SECRETS)[index]!]));
  for (const [name, secret] of secrets) await addReleaser(context, [], name, secret);
  const start = (port: number) =>
    startSigner(
      { ...config, port },
      {
        clock,
        onError: (error) => {
          throw error;
        },
      },
    );
  let running = await start(0);
  return {
    address,
    config,
    context,
    get running() {
      return running;
    },
    codeOf: (name) => codeAt(secrets.get(name)!, clock.now()),
    async restart(between = () => Promise.resolve()) {
      const { port } = new URL(running.url);
      await running.stop();
      try {
        await between();
      } finally {
        running = await start(Number(port));
      }
    },
    async close() {
      await running.stop();
      await rm(folder, { recursive: true });
    },
  };
}
