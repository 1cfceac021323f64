import { createTronNode } from '../channels/usdt/tron-node.ts';
import { type Clock, SECOND } from '../platform/clock.ts';
import type { SignerConfig } from './config.ts';
import { NO_SECRETS, unseal } from './sealed.ts';
import { createSigning, type Signing } from './signing.ts';
import { type SignerServer, serveSigner } from './serve.ts';
import { openSignerStore } from './store.ts';

const SETTLE_EVERY = 15 * SECOND;

export interface Signer extends SignerServer {
  readonly signing: Signing;
}

/** Opens the signer's file, listens, and asks the chain about signed transfers every 15 seconds. */
export async function startSigner(
  config: SignerConfig,
  { clock, onError }: { readonly clock: Clock; readonly onError: (error: unknown) => void },
): Promise<Signer> {
  const store = openSignerStore(config.file);
  try {
    const sealed = store.readSecrets();
    const { tronUrl: url, tronApiKey: apiKey, usdtContract: contract, feeLimit, secret, host, port } = config;
    const signing = createSigning({
      store,
      secrets: sealed ? unseal(config.passphrase, sealed) : NO_SECRETS,
      node: createTronNode({ url, apiKey, contract }),
      clock,
      contract,
      feeLimit,
    });
    const server = await serveSigner({ signing, secret, clock, host, port, tls: config.tls, onError });
    let looking = Promise.resolve<unknown>(undefined);
    const timer = setInterval(() => {
      looking = signing.settle().catch(onError);
    }, SETTLE_EVERY);
    return {
      url: server.url,
      signing,
      async stop() {
        clearInterval(timer);
        await server.stop();
        await looking;
        store.close();
      },
    };
  } catch (error) {
    store.close();
    throw error;
  }
}
