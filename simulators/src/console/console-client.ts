import { setTimeout as sleep } from 'node:timers/promises';
import { codeAt, STEP } from '@sangam/server/access/google-code.ts';
import type { DemoUser } from '../demo-file.ts';
import { createPatientCaller, type Answer, type CallerStatistics } from '../patient-caller.ts';

export interface ConsoleClientOptions {
  /** One or several nodes. */
  readonly url: string | readonly string[];
  readonly user: DemoUser;
  readonly statistics?: CallerStatistics;
}

/** A user of the demo world in the console, represented by calls. */
export interface ConsoleClient {
  get(path: string, input?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Signs in, and sends the second-level password, whenever the server asks for it. */
  post(path: string, input: object): Promise<Answer>;
  /** The person who approves this person's requests. */
  readonly second?: ConsoleClient;
}

const WRONG_CODE = 1002;
const SESSION_EXPIRED = 1003;
const SECOND_PASSWORD = [1024, 1025];
/** A code works only once: another caller may have used the code of this half minute and of the next. */
const SIGN_IN_TRIES = 3;

export function createConsoleClient({ url, user, statistics }: ConsoleClientOptions): ConsoleClient {
  const caller = createPatientCaller(typeof url === 'string' ? [url] : url, statistics);
  let tokens: Promise<{ token: string; token2: string }> | undefined;

  async function post(path: string, input: object, headers: Readonly<Record<string, string>> = {}) {
    return caller.call(() => ({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(input),
    }));
  }

  async function signIn(): Promise<{ token: string; token2: string }> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await post('/v1.0/user/login', {
        userName: user.account,
        password: user.password,
        googleCode: codeAt(user.googleSecret, new Date()),
      });
      if (answer.code === 200) {
        const token = String(answer.data['token']);
        const second = await post('/v1.0/user/login2', { password: user.payPassword }, { token });
        if (second.code !== 200) throw new Error(`login2 of ${user.account}: ${second.code} ${second.msg}`);
        return { token, token2: String(second.data['token']) };
      }
      if (answer.code !== WRONG_CODE || attempt === SIGN_IN_TRIES)
        throw new Error(`sign-in of ${user.account}: ${answer.code} ${answer.msg}`);
      await sleep(STEP - (Date.now() % STEP) + 200);
    }
  }

  async function signedIn(call: (headers: Readonly<Record<string, string>>) => Promise<Answer>) {
    for (;;) {
      const used = (tokens ??= signIn());
      const answer = await call(await used);
      if (answer.code !== SESSION_EXPIRED && !SECOND_PASSWORD.includes(answer.code)) return answer;
      // When several calls find the tokens expired, the first one makes new ones for all.
      if (tokens === used) tokens = undefined;
    }
  }

  return {
    get: (path, input = {}) =>
      signedIn((headers) =>
        caller.call(() => ({
          method: 'GET',
          path: `${path}?${new URLSearchParams(input).toString()}`,
          headers,
        })),
      ),
    post: (path, input) => signedIn((headers) => post(path, input, headers)),
  };
}
