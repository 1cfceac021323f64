import i18next from 'i18next';
import { CODES } from '@sangam/contract/codes.ts';
import { errorStore } from '../error-log/error-store.ts';
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
  report: (path, code, message) => {
    // Seed section 8: codes other than 200 also go to the browser's console.
    // oxlint-disable-next-line no-console
    console.warn(`${path}: ${code} ${message}`);
    // Refusals are answers; a failure of the server is an error.
    if (code === CODES.internal.code) errorStore.ajax(path, code, message);
  },
  noAnswerText: () => i18next.t('errors.noAnswer'),
});
