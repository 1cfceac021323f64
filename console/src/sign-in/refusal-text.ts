import type { EntryTexts } from 'virtual:entry-texts';
import { CallError } from '../http/call-error.ts';
import { PasskeyNotUsed } from '../session/passkey.ts';

/** Why a sign-in failed: the server's text, or the problem with the passkey. */
export function refusalText(error: unknown, texts: EntryTexts['signIn']): string {
  if (error instanceof CallError) return error.message;
  return error instanceof PasskeyNotUsed ? texts.passkeyNotUsed : texts.passkeyFailed;
}
