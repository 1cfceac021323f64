import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anyTronAddress, type SimulatedTron, startTronNode } from '@sangam/simulators/tron/node.ts';
import { createSignerClient } from '../channels/usdt/signer-client.ts';
import { systemClock } from '../platform/clock.ts';
import { startLossyProxy } from '../testing/lossy-proxy.ts';
import { makeTestSigner, type TestSigner } from '../testing/signer.ts';

const MAIN = fileURLToPath(new URL('../app/signer.ts', import.meta.url));
let chain: SimulatedTron;
let signer: TestSigner;

beforeAll(async () => {
  chain = await startTronNode({ contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' });
  signer = await makeTestSigner({ tronUrl: chain.url, clock: systemClock });
  chain.wallets.fund(signer.address, { usdt: 10n ** 9n, trx: 10n ** 9n });
});
afterAll(async () => {
  await signer.close();
  await chain.stop();
});

/** Starts the signer as a process of its own, on the test's file. */
async function spawnSigner(url: string): Promise<ChildProcess> {
  const { config } = signer;
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env['PATH'],
      SIGNER_URL: url,
      SIGNER_SECRET: config.secret.toString('hex'),
      SIGNER_PASSPHRASE: config.passphrase,
      SIGNER_DIR: fileURLToPath(new URL('.', `file://${config.file}`)),
      SIGNER_ENDS_WITH_INPUT: '1',
      TRON_URL: chain.url,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(child.stdout)) if (line.startsWith('Signing on')) return child;
  throw new Error('the signer ended while it started');
}

test('a signer that is killed before its answer comes back and answers the bytes it had signed', async () => {
  const { url } = signer.running;
  await signer.restart(async () => {
    const proxy = await startLossyProxy(url);
    const { secret } = signer.config;
    const lossy = createSignerClient({ url: proxy.url, secret }, systemClock);
    const payout = {
      key: '1',
      payout: '1',
      from: signer.address,
      to: anyTronAddress('payee'),
      amount: '5000000',
    };
    const first = await spawnSigner(url);
    proxy.loss = 1;
    await expect(lossy.ask('/sign', payout)).rejects.toThrow();
    first.kill('SIGKILL');
    await once(first, 'exit');
    const second = await spawnSigner(url);
    const client = createSignerClient({ url, secret }, systemClock);
    const found = await client.ask('/find', { key: '1', payout: '1', renounce: true, alone: false });
    expect(found).toMatchObject({ state: 'signed', key: '1', amount: '5000000' });
    expect(await client.ask('/sign', payout)).toEqual(found);
    second.stdin?.end();
    await once(second, 'exit');
    await proxy.close();
  });
});
