import i18next from 'i18next';
import { session } from '../session/session.ts';
import { isUnattended } from './attended.ts';
import { noteAction } from './acted.ts';
import { type Caller, createCaller } from './caller.ts';
import { report } from './report.ts';
import { stepUp } from './step-up.ts';
import { secondPasswordPrompt } from './second-password-prompt.ts';

// Calls that wait for a second-level password belong to the user who made them. They are dropped when the session changes.
session.subscribe(secondPasswordPrompt.cancel);

const send: Caller = createCaller({
  fetch: (...request) => fetch(...request),
  language: () => i18next.language,
  token: session.token,
  secondToken: session.secondToken,
  endSession: () => session.end('expired'),
  askSecondPassword: secondPasswordPrompt.ask,
  stepUp: (path, input) => stepUp(send, path, input, () => i18next.t('errors.passkey')),
  report,
  isUnattended,
  noAnswerText: () => i18next.t('errors.noAnswer'),
});

export const call: Caller = async (definition, input, options) => {
  try {
    return await send(definition, input, options);
  } finally {
    if (definition.method === 'POST') noteAction();
  }
};
