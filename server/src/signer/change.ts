import { isTronAddress } from '../platform/tron-address.ts';
import type { Clock } from '../platform/clock.ts';
import { newAuthenticator, stepOfCode } from '../access/google-code.ts';
import { NO_SECRETS, seal, type Secrets, unseal } from './sealed.ts';
import { openSignerStore } from './store.ts';
import { newPrivateKey, walletKey } from './wallet-key.ts';

/** Names and codes of the releasers who agree to a change. */
export type Witnesses = readonly { readonly name: string; readonly code: string }[];

export interface ChangeContext {
  readonly file: string;
  readonly passphrase: string;
  readonly clock: Clock;
}

/**
 * Changes the sealed secrets, on the signer's own machine while the signer is stopped: a running signer has its file locked. Once there are
 * two releasers, every change needs the codes of two of them.
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

/** Adds a new wallet, or the one whose key is given. Returns its address. */
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

/** Removes a wallet's key for good. */
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

/** Adds a releaser, named by the account of their console user. Returns the `otpauth` address for their authenticator. */
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

/** Sets the limits, in millionths of USDT: `one` transfer, and all transfers of a wallet in a `day`, that need no release. */
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
