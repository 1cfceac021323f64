import { user } from 'virtual:endpoints/user';
import { session } from '../session/session.ts';
import type { Caller } from './caller.ts';
import { secondPasswordPrompt } from './second-password-prompt.ts';

/** Sends the second-level password; the calls that wait for it then go on. Rejects where the server refuses the password. */
export async function giveSecondPassword(call: Caller, password: string): Promise<void> {
  const token = session.token();
  const logInReason = secondPasswordPrompt.action();
  const input = { password, ...(logInReason !== undefined && { logInReason }) };
  const second = await call(user.login2, input, { replay: false });
  // The token belongs to the session it was asked for, and that session may have ended.
  if (token !== session.token()) return;
  session.setSecondToken(second.token);
  secondPasswordPrompt.done();
}
