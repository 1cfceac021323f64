import { texts } from 'virtual:entry-texts';
import { createCaller } from '../http/caller.ts';
import { report } from '../http/report.ts';
import { chosenLanguage } from '../language/choice.ts';
import { session } from '../session/session.ts';

/** Calls made before the shell is there, without what it brings. */
export const call = createCaller({
  fetch: (...request) => fetch(...request),
  language: chosenLanguage,
  token: session.token,
  secondToken: session.secondToken,
  endSession: () => session.end('expired'),
  // Nothing called from here needs the second password.
  askSecondPassword: () => Promise.reject(new Error('nobody to ask for the second password')),
  stepUp: () => Promise.reject(new Error('no call before the shell moves money')),
  report,
  isUnattended: () => false,
  noAnswerText: () => texts[chosenLanguage()].errors.noAnswer,
});
