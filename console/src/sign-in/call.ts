import { texts } from 'virtual:entry-texts';
import { createCaller } from '../http/caller.ts';
import { report } from '../http/report.ts';
import { chosenLanguage } from '../language/choice.ts';
import { session } from '../session/session.ts';

/** The client for calls made before the shell has loaded. */
export const call = createCaller({
  fetch: (...request) => fetch(...request),
  language: chosenLanguage,
  token: session.token,
  secondToken: session.secondToken,
  endSession: () => session.end('expired'),
  // No call made here needs the second-level password.
  askSecondPassword: () => Promise.reject(new Error('nobody to ask for the second password')),
  stepUp: () => Promise.reject(new Error('no call before the shell moves money')),
  report,
  isUnattended: () => false,
  noAnswerText: () => texts[chosenLanguage()].errors.noAnswer,
});
