import { texts } from 'virtual:entry-texts';
import { isUnattended } from '../http/attended.ts';
import { type Caller, createCaller } from '../http/caller.ts';
import { report } from '../http/report.ts';
import { secondPasswordPrompt } from '../http/second-password-prompt.ts';
import { stepUp } from '../http/step-up.ts';
import { chosenLanguage } from '../language/choice.ts';
import { session } from '../session/session.ts';

// Calls that wait for a second-level password belong to the user who made them. They are dropped when the session changes.
session.subscribe(secondPasswordPrompt.cancel);

export const call: Caller = createCaller({
  fetch: (...request) => fetch(...request),
  language: chosenLanguage,
  token: session.token,
  secondToken: session.secondToken,
  endSession: () => session.end('expired'),
  askSecondPassword: secondPasswordPrompt.ask,
  stepUp: (path, input) => stepUp(call, path, input, () => texts[chosenLanguage()].errors.passkey),
  report,
  isUnattended,
  noAnswerText: () => texts[chosenLanguage()].errors.noAnswer,
});

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
