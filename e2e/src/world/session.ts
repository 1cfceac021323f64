/// <reference lib="dom" />
import type { BrowserContext } from '@playwright/test';
import { CODES } from '@sangam/contract/codes.ts';
import type { Endpoint, Envelope } from '@sangam/contract/endpoint.ts';
import { getInfo, login, login2 } from '@sangam/contract/endpoints/user.ts';
import type { InputOf, OutputOf } from './call-types.ts';
import { demoUser, recall, remember, serverUrl } from './demo.ts';
import { unusedCode } from './google-code.ts';

interface Session {
  readonly token: string;
  readonly cookie: string;
}

interface Answer<Data> extends Envelope<Data> {
  readonly cookie: string;
}

async function send<Called extends Endpoint>(
  endpoint: Called,
  input: InputOf<Called>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer<OutputOf<Called>>> {
  const reads = endpoint.method === 'GET';
  const query = reads ? `?${new URLSearchParams(input as Record<string, string>).toString()}` : '';
  const response = await fetch(`${serverUrl}${endpoint.path}${query}`, {
    method: endpoint.method,
    headers: {
      ...headers,
      'accept-language': 'en-US',
      ...(reads ? {} : { 'content-type': 'application/json' }),
    },
    ...(reads ? {} : { body: JSON.stringify(input) }),
  });
  const envelope = (await response.json()) as Envelope<OutputOf<Called>>;
  return { ...envelope, cookie: /sid=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? '' };
}

function must<Data>(answer: Answer<Data>, what: string): Data {
  // A request that waits for a second person counts as accepted.
  if (answer.code !== CODES.ok.code && answer.code !== CODES.approvalNeeded.code)
    throw new Error(`${what}: ${answer.code} ${answer.msg}`);
  return answer.data as Data;
}

/**
 * The user's session, opened once for the whole run: a Google code works once in 30 seconds, and other tests test the sign-in
 * itself.
 */
export async function sessionOf(account: string): Promise<Session> {
  const kept = recall<Session>('sessions')[account];
  if (kept && (await send(getInfo, {}, { token: kept.token })).code === CODES.ok.code) return kept;
  const { password } = demoUser(account);
  const answer = await send(login, { userName: account, password, googleCode: await unusedCode(account) });
  const session = { token: must(answer, `${account} signs in`).token, cookie: answer.cookie };
  remember('sessions', account, session);
  return session;
}

/** Calls the console's API as `account`. `sensitive` endpoints get the second-level token too. */
export async function callAs<Called extends Endpoint>(
  account: string,
  endpoint: Called,
  input: InputOf<Called>,
): Promise<OutputOf<Called>> {
  const { token } = await sessionOf(account);
  const second: Readonly<Record<string, string>> = endpoint.sensitive
    ? {
        token2: must(
          await send(login2, { password: demoUser(account).payPassword }, { token }),
          `second password of ${account}`,
        ).token,
      }
    : {};
  return must(await send(endpoint, input, { token, ...second }), endpoint.path);
}

/**
 * Signs `account` in in this browser. The first page stores the token, once, so that a later sign-out holds. Passing it as
 * Playwright's `storageState` needed a page of its own, one to two seconds for every test.
 */
export async function signIn(context: BrowserContext, account: string, url = serverUrl): Promise<void> {
  const { token, cookie } = await sessionOf(account);
  await context.addCookies([{ name: 'sid', value: cookie, url, httpOnly: true, sameSite: 'Strict' }]);
  await context.addInitScript((value) => {
    if (location.protocol === 'about:' || localStorage.getItem('e2e.signedIn')) return;
    localStorage.setItem('e2e.signedIn', 'yes');
    localStorage.setItem('sangam.token', value);
  }, token);
}
