import { user } from 'virtual:endpoints/user';
import { session } from '../session/session.ts';
import type { Caller } from './caller.ts';
import { secondPasswordPrompt } from './second-password-prompt.ts';

/** Sends the second-level password for what waits behind the prompt, which goes on then. Rejects where the server refuses it. */
export async function giveSecondPassword(call: Caller, password: string): Promise<void> {
  const token = session.token();
  const logInReason = secondPasswordPrompt.action();
  const input = { password, ...(logInReason !== undefined && { logInReason }) };
  const second = await call(user.login2, input, { replay: false });
  // It belongs to the session it was asked for, which may have ended.
  if (token !== session.token()) return;
  session.setSecondToken(second.token);
  secondPasswordPrompt.done();
}
