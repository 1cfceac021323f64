import { X509Certificate } from 'node:crypto';
import { Agent, request } from 'undici';
import { type Clock, SECOND } from '../../platform/clock.ts';
import type { SignerAccess } from '../../platform/config.ts';
import { type Answer, ANSWERS, markOf, type Path, type Question } from './signer-wire.ts';
import { parseJson } from '../gateway/wire.ts';

/** The signer, which alone holds the wallets' keys. Throws when its answer does not have the agreed form. */
export interface SignerClient {
  ask<P extends Path>(path: P, question: Question<P>): Promise<Answer<P>>;
}

/** Longer than the signer itself waits for the chain. */
const PATIENCE = 25 * SECOND;

export function createSignerClient(
  { url, secret, certificate }: SignerAccess,
  clock: Clock,
  patienceMs = PATIENCE,
): SignerClient {
  const dispatcher = certificate === undefined ? undefined : pinned(certificate);
  return {
    async ask(path, question) {
      const body = JSON.stringify(question);
      const at = String(clock.now().getTime());
      const response = await request(url + path, {
        method: 'POST',
        // No kept-alive connection: its first call would fail after a restart of the signer.
        reset: true,
        ...(dispatcher && { dispatcher }),
        signal: AbortSignal.timeout(patienceMs),
        headers: {
          'content-type': 'application/json',
          'x-signer-time': at,
          'x-signer-mark': markOf(secret, at, path, body),
        },
        body,
      });
      const answer = ANSWERS[path].safeParse(parseJson(await response.body.text()));
      if (response.statusCode !== 200 || !answer.success)
        throw new Error(`the signer answered ${response.statusCode}`);
      return answer.data as Answer<typeof path>;
    },
  };
}

/** Connects only to the holder of this certificate's key, whatever name the certificate has and whoever else issues one for that name. */
function pinned(certificate: string): Agent {
  const { raw } = new X509Certificate(certificate);
  return new Agent({
    connect: {
      ca: certificate,
      minVersion: 'TLSv1.3',
      checkServerIdentity: (_host, shown) =>
        shown.raw.equals(raw) ? undefined : new Error('the signer shows another certificate'),
    },
  });
}
