import { join } from 'node:path';
import { type Config, readConfig, readPem } from '../platform/config.ts';
import { ConfigError } from '../platform/environment.ts';

/** The signer's settings from its environment. The chain's address is the same as the platform's. */
export interface SignerConfig extends Pick<Config, 'tronUrl' | 'tronApiKey' | 'usdtContract'> {
  readonly file: string;
  readonly passphrase: string;
  readonly secret: Buffer;
  readonly host: string;
  readonly port: number;
  readonly feeLimit: bigint;
  /** PEM: the certificate that the platform pins, and its key. Undefined: plain HTTP, only on this machine. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

const DEFAULT_PORT = 8096;
/** Sun. A transfer to an empty wallet takes 130,000 energy at 100 sun; USDT's energy penalty may raise that. */
const DEFAULT_FEE_LIMIT = 50_000_000n;

export function readSignerConfig(env: Readonly<Record<string, string | undefined>>): SignerConfig {
  const { tronUrl, tronApiKey, usdtContract, signer, dataDir } = readConfig(env);
  const passphrase = env['SIGNER_PASSPHRASE']?.trim();
  if (!passphrase || passphrase.length < 16)
    throw new ConfigError(
      'SIGNER_PASSPHRASE must have at least 16 characters: it seals the wallets\u2019 keys.',
    );
  if (!signer) throw new ConfigError('SIGNER_URL and SIGNER_SECRET must be set, as the platform has them.');
  const url = new URL(signer.url);
  const feeLimit = env['SIGNER_FEE_LIMIT']?.trim() || String(DEFAULT_FEE_LIMIT);
  if (!/^\d{1,12}$/.test(feeLimit)) throw new ConfigError('SIGNER_FEE_LIMIT must be a number of sun.');
  const keyFile = env['SIGNER_CERTIFICATE_KEY']?.trim() || undefined;
  const { certificate: cert } = signer;
  if ((cert === undefined) !== (keyFile === undefined))
    throw new ConfigError(
      'SIGNER_CERTIFICATE_KEY must name the file of the certificate\u2019s key when SIGNER_URL is https, and only then.',
    );
  return {
    tronUrl,
    tronApiKey,
    usdtContract,
    file: join(env['SIGNER_DIR']?.trim() || join(dataDir, 'signer'), 'signer.db'),
    passphrase,
    secret: signer.secret,
    host: env['SIGNER_HOST']?.trim() || '127.0.0.1',
    port: Number(url.port || DEFAULT_PORT),
    feeLimit: BigInt(feeLimit),
    ...(cert !== undefined &&
      keyFile !== undefined && { tls: { cert, key: readPem(keyFile, 'SIGNER_CERTIFICATE_KEY') } }),
  };
}
