import i18next from 'i18next';
import { session } from '../session/session.ts';
import { createCaller } from './caller.ts';
import { secondPasswordPrompt } from './second-password-prompt.ts';

export const call = createCaller({
  fetch: (...request) => fetch(...request),
  language: () => i18next.language,
  token: session.token,
  secondToken: session.secondToken,
  endSession: () => session.end('expired'),
  askSecondPassword: secondPasswordPrompt.ask,
  // Seed section 8: codes other than 200 also go to the browser's console.
  // oxlint-disable-next-line no-console
  report: (path, code, message) => console.warn(`${path}: ${code} ${message}`),
  noAnswerText: () => i18next.t('errors.noAnswer'),
});
