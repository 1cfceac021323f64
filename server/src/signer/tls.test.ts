import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSignerClient } from '../channels/usdt/signer-client.ts';
import { systemClock } from '../platform/clock.ts';
import { readSignerConfig } from './config.ts';
import { type SignerServer, serveSigner } from './serve.ts';

const WALLETS = { one: '0', day: '0', releasers: [], wallets: [] };
const SECRET = Buffer.alloc(32, 7);
const folder = mkdtempSync(join(tmpdir(), 'signer-tls-'));
let server: SignerServer;

/** Makes a certificate as docs/deploying.md describes. */
function certificate(name: string): { readonly cert: string; readonly key: string } {
  const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const subject = ['-subj', '/CN=sangam-signer'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '3650'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}

let own: ReturnType<typeof certificate>;
beforeAll(async () => {
  own = certificate('own');
  server = await serveSigner({
    signing: { '/wallets': () => Promise.resolve(WALLETS) } as never,
    secret: SECRET,
    clock: systemClock,
    host: '127.0.0.1',
    port: 0,
    tls: own,
    onError: (error) => {
      throw error;
    },
  });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (access: { readonly url?: string; readonly certificate?: string }) =>
  createSignerClient({ url: server.url, secret: SECRET, ...access }, systemClock).ask('/wallets', {});

test('the platform asks the signer over TLS, and only who holds the pinned certificate', async () => {
  expect(server.url).toMatch(/^https:/);
  expect(await ask({ certificate: own.cert })).toEqual(WALLETS);
  // The same name with another key: an attacker between the two.
  await expect(ask({ certificate: certificate('other').cert })).rejects.toThrow();
  await expect(ask({})).rejects.toThrow();
  await expect(ask({ url: server.url.replace('https', 'http') })).rejects.toThrow();
});

test('a signer with an https address needs certificate and key', () => {
  const env = {
    SIGNER_URL: 'https://signer.internal:8096',
    SIGNER_SECRET: '07'.repeat(32),
    SIGNER_PASSPHRASE: 'for a test, and long enough',
    SIGNER_CERTIFICATE: join(folder, 'own.crt'),
  };
  expect(() => readSignerConfig(env)).toThrow('SIGNER_CERTIFICATE_KEY must name the file');
  expect(readSignerConfig({ ...env, SIGNER_CERTIFICATE_KEY: join(folder, 'own.key') }).tls).toEqual(own);
});
