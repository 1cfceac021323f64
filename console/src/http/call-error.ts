import { CODES } from '@sangam/contract/codes.ts';

/** No answer arrived: the browser is offline, the server is down, or the connection broke. */
export const NO_ANSWER = 0;

/** An answer with a code other than 200, or no answer. `message` is the server's text in the viewer's language. */
export class CallError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown, cause?: unknown) {
    super(message, { cause });
    this.name = 'CallError';
    this.code = code;
    this.data = data;
  }
}

/** The user closed the second-password dialog, or the session ended meanwhile. The call was not repeated, and no message is needed. */
export class CallCancelled extends Error {
  override readonly name = 'CallCancelled';
}

/** Whether the shell has already handled the error, so that a screen shows nothing. */
export function isHandled(error: unknown): boolean {
  return (
    error instanceof CallCancelled || (error instanceof CallError && error.code === CODES.sessionExpired.code)
  );
}
