import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

/** The user closed the browser's question or let it expire. */
export class PasskeyNotUsed extends Error {
  override readonly name = 'PasskeyNotUsed';
}

async function unlessClosed<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Error && /^(NotAllowedError|AbortError)$/.test(error.name))
      throw new PasskeyNotUsed(error.message, { cause: error });
    throw error;
  }
}

/** Has the browser sign the server's challenge with one of the user's passkeys. The library is loaded only when it is used. */
export async function signWithPasskey(options: unknown): Promise<object> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  return unlessClosed(startAuthentication({ optionsJSON }));
}

/** Has the browser create a passkey. */
export async function makePasskey(options: unknown): Promise<object> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  return unlessClosed(startRegistration({ optionsJSON }));
}
