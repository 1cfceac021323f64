import { isTronAddress } from '../platform/tron-address.ts';
import type { Clock } from '../platform/clock.ts';
import { newAuthenticator, stepOfCode } from '../access/google-code.ts';
import { NO_SECRETS, seal, type Secrets, unseal } from './sealed.ts';
import { openSignerStore } from './store.ts';
import { newPrivateKey, walletKey } from './wallet-key.ts';

/** Names and codes of the two people who stand for a change. */
export type Witnesses = readonly { readonly name: string; readonly code: string }[];

export interface ChangeContext {
  readonly file: string;
  readonly passphrase: string;
  readonly clock: Clock;
}

/**
 * Changes what is sealed, on the signer's own machine and while it does not run (it holds its file alone). Once there are
 * two releasers every change needs a code of two of them.
 */
async function changeSecrets(
  { file, passphrase, clock }: ChangeContext,
  witnesses: Witnesses,
  change: (secrets: Secrets) => Secrets,
): Promise<void> {
  const store = openSignerStore(file);
  try {
    const sealed = store.readSecrets();
    const secrets = sealed ? unseal(passphrase, sealed) : NO_SECRETS;
    if (secrets.releasers.length >= 2) {
      const good = new Set<string>();
      for (const { name, code } of witnesses) {
        const secret = secrets.releasers.find((each) => each.name === name)?.secret;
        const step = secret === undefined ? undefined : await stepOfCode(secret, code, clock.now());
        if (step !== undefined && store.useStep(name, step)) good.add(name);
      }
      if (good.size < 2) throw new Error('This needs a code of two releasers: --by NAME:CODE --by NAME:CODE');
    }
    store.writeSecrets(seal(passphrase, change(secrets)));
  } finally {
    store.close();
  }
}

/** A new wallet, or one whose key is given; answers its address. */
export async function addKey(
  context: ChangeContext,
  witnesses: Witnesses,
  given = newPrivateKey(),
): Promise<string> {
  const { address } = walletKey(given);
  await changeSecrets(context, witnesses, (secrets) => ({
    ...secrets,
    keys: [...secrets.keys.filter((key) => key !== given), given],
  }));
  return address;
}

/** Takes a wallet's key away for good. */
export async function removeKey(
  context: ChangeContext,
  witnesses: Witnesses,
  address: string,
): Promise<void> {
  if (!isTronAddress(address)) throw new Error('that is no address of TRON');
  await changeSecrets(context, witnesses, (secrets) => ({
    ...secrets,
    keys: secrets.keys.filter((key) => walletKey(key).address !== address),
  }));
}

/** Somebody who may release, by the name the console knows them by; answers the address their authenticator takes. */
export async function addReleaser(
  context: ChangeContext,
  witnesses: Witnesses,
  name: string,
  given?: string,
): Promise<string> {
  if (!/^[\w.@-]{1,64}$/.test(name)) throw new Error('a releaser is named as in the console');
  const { secret, otpauthUrl } = newAuthenticator(`${name} (USDT release)`);
  await changeSecrets(context, witnesses, (secrets) => ({
    ...secrets,
    releasers: [...secrets.releasers.filter((each) => each.name !== name), { name, secret: given ?? secret }],
  }));
  return otpauthUrl;
}

/** Millionths of USDT: the largest transfer nobody need release, and the most of one day and wallet. */
export async function setLimits(
  context: ChangeContext,
  witnesses: Witnesses,
  limits: { readonly one: bigint; readonly day: bigint },
): Promise<void> {
  await changeSecrets(context, witnesses, (secrets) => ({
    ...secrets,
    limits: { one: String(limits.one), day: String(limits.day) },
  }));
}
