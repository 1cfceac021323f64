import { CODES } from '@sangam/contract/codes.ts';
import type { Envelope } from '@sangam/contract/endpoint.ts';
import type { Call } from 'virtual:endpoints';
import { CallCancelled, CallError, NO_ANSWER } from './call-error.ts';

const READ_TIMEOUT_MS = 30_000;

export interface CallerParts {
  readonly fetch: typeof fetch;
  readonly language: () => string;
  readonly token: () => string | undefined;
  readonly secondToken: () => string | undefined;
  /** Ends the session. Called once per session, however many answers say that it has expired. */
  readonly endSession: () => void;
  /**
   * Asks the user for the second-level password, which the call `path` needs. Resolves once a new second token is stored; rejects
   * when the user cancels.
   */
  readonly askSecondPassword: (path: string) => Promise<void>;
  /**
   * Has the user's passkey sign the call `path` with this input, because the server asked for it. Resolves to the value of the
   * `passkey` header; rejects when the user does not sign.
   */
  readonly stepUp: (path: string, input: object) => Promise<string>;
  /** Whether nobody has used the console for a minute. Calls the console then makes by itself do not keep the session open. */
  readonly isUnattended: () => boolean;
  readonly noAnswerText: () => string;
  /** Called with every refusal that no caller has handled. */
  readonly report: (path: string, code: number, message: string) => void;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Replaces the session's token: used for the short session that binds an authenticator. */
  readonly token?: string;
  /** False for login2 itself: its refusal belongs in the dialog, and must not open a second one. */
  readonly replay?: boolean;
}

export type Caller = <Input, Output>(
  definition: Call<Input, Output>,
  input: Input,
  options?: CallOptions,
) => Promise<Output>;

/** The query string of a GET. Absent and empty values are left out. */
export function queryOf(input: object): string {
  const pairs = Object.entries(input).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  return pairs.length === 0
    ? ''
    : `?${new URLSearchParams(pairs.map(([key, value]) => [key, String(value)]))}`;
}

/**
 * The client of all calls. It reacts to codes: 200 passes. 1003 ends the session once. 1024 and 1025 ask for the second-level
 * password; all calls refused meanwhile wait for one dialog and are sent once more with the new token. 1026 asks for the passkey,
 * for each call by itself. Any other code throws a CallError.
 */
export function createCaller(parts: CallerParts): Caller {
  let asking: Promise<void> | undefined;

  async function send<Output>(
    definition: Call<unknown, Output>,
    input: object,
    options: CallOptions,
    proof: { readonly token2?: string; readonly passkey?: string },
  ): Promise<Envelope<Output>> {
    const token = options.token ?? parts.token();
    const headers: Record<string, string> = { 'accept-language': parts.language() };
    if (token) headers['token'] = token;
    if (parts.isUnattended()) headers['unattended'] = '1';
    Object.assign(headers, proof);
    const reads = definition.method === 'GET';
    if (!reads) headers['content-type'] = 'application/json';
    // A POST has no time limit here: money may have moved, so giving up would not help.
    const limits = [options.signal, reads ? AbortSignal.timeout(READ_TIMEOUT_MS) : undefined].filter(
      (signal) => signal !== undefined,
    );
    let response: Response;
    try {
      response = await parts.fetch(reads ? definition.path + queryOf(input) : definition.path, {
        method: definition.method,
        headers,
        credentials: 'same-origin',
        ...(reads ? {} : { body: JSON.stringify(input) }),
        ...(limits.length > 0 ? { signal: AbortSignal.any(limits) } : {}),
      });
      return (await response.json()) as Envelope<Output>;
    } catch (cause) {
      if (options.signal?.aborted) throw cause;
      throw new CallError(NO_ANSWER, parts.noAnswerText(), undefined, cause);
    }
  }

  function secondPassword(path: string, refusedToken: string | undefined): Promise<void> {
    // Another call got a new second token while this one was under way, so there is no need to ask again.
    if (parts.secondToken() !== refusedToken) return Promise.resolve();
    asking ??= parts.askSecondPassword(path).finally(() => {
      asking = undefined;
    });
    return asking;
  }

  return async <Input, Output>(definition: Call<Input, Output>, input: Input, options: CallOptions = {}) => {
    const body = input as object;
    const token = parts.token();
    const secondToken = parts.secondToken();
    const token2 = () => {
      const second = parts.secondToken();
      return second ? { token2: second } : {};
    };
    // Another user may have signed in meanwhile. A call of one user is never sent as another.
    const stopIfOther = () => {
      if (token !== parts.token()) throw new CallCancelled('session');
    };
    let answer = await send(definition, body, options, token2());
    const refused =
      answer.code === CODES.secondPasswordNeeded.code || answer.code === CODES.secondPasswordWrong.code;
    if (refused && options.replay !== false) {
      await secondPassword(definition.path, secondToken);
      stopIfOther();
      answer = await send(definition, body, options, token2());
    }
    if (answer.code === CODES.stepUpNeeded.code) {
      const passkey = await parts.stepUp(definition.path, body);
      stopIfOther();
      answer = await send(definition, body, options, { ...token2(), passkey });
    }
    if (answer.code === CODES.ok.code) return answer.data as Output;
    if (answer.code === CODES.sessionExpired.code && options.token === undefined && token === parts.token()) {
      parts.endSession();
    } else {
      parts.report(definition.path, answer.code, answer.msg);
    }
    throw new CallError(answer.code, answer.msg, answer.data);
  };
}
