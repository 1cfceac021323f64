import { CODES } from '@sangam/contract/codes.ts';
import { CallError } from '../http/call-error.ts';
import { BINDING } from '../navigation/guard.ts';
import { session } from '../session/session.ts';

interface BindingAnswer {
  readonly account: string;
  readonly token: string;
}

/**
 * Handles refusal 1006, whose token only allows binding an authenticator: opens the binding page. Returns false for any other
 * error.
 */
export function bindInstead(error: unknown): boolean {
  if (!(error instanceof CallError) || error.code !== CODES.mustBind.code) return false;
  const { account, token } = error.data as BindingAnswer;
  history.pushState(history.state, '', BINDING);
  session.beginBinding({ account, token });
  return true;
}
