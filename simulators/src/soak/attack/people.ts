import { codeAt } from '@sangam/server/access/google-code.ts';
import type { Demo, DemoUser } from '../../demo-file.ts';
import { callerFrom, type Caller, type Reply } from './wire.ts';

/** A user of the demo world who has signed in, from one address. */
export interface Person {
  readonly user: DemoUser;
  readonly tokens: { readonly token: string; readonly token2: string };
  get(path: string, query?: Readonly<Record<string, string>>): Promise<Reply>;
  post(path: string, input: object): Promise<Reply>;
}

export function userOf(demo: Demo, account: string): DemoUser {
  const user = demo.users.find((each) => each.account === account);
  if (!user) throw new Error(`the demo has no user ${account}`);
  return user;
}

export async function signIn(user: DemoUser, caller: Caller): Promise<Person> {
  const entered = await caller.ask({
    path: '/v1.0/user/login',
    body: {
      userName: user.account,
      password: user.password,
      googleCode: codeAt(user.googleSecret, new Date()),
    },
  });
  const token = String(entered.data['token']);
  const second = await caller.ask({
    path: '/v1.0/user/login2',
    body: { password: user.payPassword },
    headers: { token },
  });
  if (second.code !== 200) throw new Error(`sign-in of ${user.account}: ${entered.text} ${second.text}`);
  const tokens = { token, token2: String(second.data['token']) };
  return {
    user,
    tokens,
    get: (path, query = {}) =>
      caller.ask({
        method: 'GET',
        path: `${path}?${new URLSearchParams(query).toString()}`,
        headers: tokens,
      }),
    post: (path, input) => caller.ask({ path, body: input, headers: tokens }),
  };
}

export const signInFrom = (demo: Demo, account: string, from: string) =>
  signIn(userOf(demo, account), callerFrom(from));
