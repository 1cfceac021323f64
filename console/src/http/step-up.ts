import { passkey } from 'virtual:endpoints/passkey';
import { PasskeyNotUsed, signWithPasskey } from '../session/passkey.ts';
import { CallCancelled, CallError, NO_ANSWER } from './call-error.ts';
import type { Caller } from './caller.ts';

/** A browser can ask for only one passkey at a time. */
let turn: Promise<unknown> = Promise.resolve();

/** Has the user's passkey sign one call with its input. Resolves to the value of the header that proves it. */
export function stepUp(send: Caller, path: string, input: object, failedText: () => string): Promise<string> {
  const mine = turn.then(() => ask(send, path, input, failedText));
  turn = mine.catch(() => undefined);
  return mine;
}

async function ask(send: Caller, path: string, input: object, failedText: () => string): Promise<string> {
  const { options } = await send(passkey.beginStepUp, {
    call: path,
    input: input as Record<string, unknown>,
  });
  return toHeader(await fromBrowser(signWithPasskey(options), failedText));
}

/** The values are base64url texts, so their JSON is ASCII. */
const toHeader = (answer: object) =>
  btoa(JSON.stringify(answer)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** Waits for the browser to make or use a passkey. When the user closed the browser's question, no message is shown. */
export async function fromBrowser<Answer>(asked: Promise<Answer>, failedText: () => string): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof PasskeyNotUsed) throw new CallCancelled('passkey');
    // For example: the page was opened at another host than that of the passkeys.
    throw new CallError(NO_ANSWER, failedText(), undefined, error);
  }
}
