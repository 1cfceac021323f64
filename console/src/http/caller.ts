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
  /** The session is over; called once per session however many answers say so. */
  readonly endSession: () => void;
  /** Asks the user for the second-level password, which the call `path` needs; resolves once a new second token is stored, rejects on cancel. */
  readonly askSecondPassword: (path: string) => Promise<void>;
  /**
   * Has the user's passkey sign the call `path` with this input, which the server wants; resolves to the header that says so, rejects
   * where the user does not.
   */
  readonly stepUp: (path: string, input: object) => Promise<string>;
  /** Nobody has touched the console for a while: what it asks by itself does not keep the session open. */
  readonly isUnattended: () => boolean;
  readonly noAnswerText: () => string;
  /** Called with every refusal that no caller has handled. */
  readonly report: (path: string, code: number, message: string) => void;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Sends this token in place of the session's: the short session that binds an authenticator. */
  readonly token?: string;
  /** False for login2 itself: its refusal belongs in the dialog, not behind it. */
  readonly replay?: boolean;
}

export type Caller = <Input, Output>(
  definition: Call<Input, Output>,
  input: Input,
  options?: CallOptions,
) => Promise<Output>;

/** The query of a GET: what is absent or empty is left out. */
export function queryOf(input: object): string {
  const pairs = Object.entries(input).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  return pairs.length === 0
    ? ''
    : `?${new URLSearchParams(pairs.map(([key, value]) => [key, String(value)]))}`;
}

/**
 * One client, four reactions. 200 passes. 1003 ends the session once. 1024 and 1025 ask for the second password:
 * one dialog for however many calls were refused; they wait behind it and are sent once more with the new token. 1026 asks for the
 * passkey, for each call on its own. Everything else is a CallError.
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
    // A POST has no time limit of ours: giving up on money that may have moved helps nobody.
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
    // Another call got a new token while this one was under way: no need to ask again.
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
    // Somebody else may have signed in meanwhile: what one user asked for is never sent as another.
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
