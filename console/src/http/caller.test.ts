import { describe, expect, it, vi } from 'vitest';
import type { Call } from 'virtual:endpoints';
import { CallCancelled, CallError, NO_ANSWER } from './call-error.ts';
import { createCaller, type CallerParts } from './caller.ts';

const read: Call<object, { name: string }> = { method: 'GET', path: '/v1.0/read', access: 'anyUser' };
const pay: Call<object, { done: boolean }> = { method: 'POST', path: '/v1.0/pay', access: 'anyUser' };

interface Seen {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

/** A server that accepts only `wantedSecondToken` on /pay, and a user who answers the dialog as the test says. */
function setUp(
  answer: (seen: Seen) => { code: number; msg: string; data?: unknown },
  more: Partial<CallerParts> = {},
) {
  const seen: Seen[] = [];
  const state = { token: 'session', secondToken: undefined as string | undefined };
  const parts: CallerParts = {
    fetch: (async (url: string, init: RequestInit) => {
      const request = {
        url,
        headers: init.headers as Record<string, string>,
        body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      };
      seen.push(request);
      await Promise.resolve();
      return { json: async () => answer(request) };
    }) as unknown as typeof fetch,
    language: () => 'zh-TW',
    token: () => state.token,
    secondToken: () => state.secondToken,
    endSession: vi.fn(() => {
      state.token = '';
    }),
    askSecondPassword: vi.fn(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      state.secondToken = 'second';
    }),
    stepUp: vi.fn(async (path: string) => `signed ${path}`),
    isUnattended: () => false,
    noAnswerText: () => 'no answer',
    report: () => undefined,
    ...more,
  };
  return { seen, state, parts, call: createCaller(parts) };
}

const wantsSecond = ({ headers }: Seen) =>
  headers['token2'] === 'second'
    ? { code: 200, msg: '', data: { done: true } }
    : { code: 1024, msg: 'needed' };

describe('call', () => {
  it('unwraps the envelope and leaves empty filters out of the query', async () => {
    const { call, seen } = setUp(() => ({ code: 200, msg: '', data: { name: 'a' } }));
    expect(await call(read, { a: 1, b: '', c: undefined, d: 'x y' })).toEqual({ name: 'a' });
    expect(seen[0]?.url).toBe('/v1.0/read?a=1&d=x+y');
    expect(seen[0]?.headers).toMatchObject({ token: 'session', 'accept-language': 'zh-TW' });
  });

  it('marks calls of an unattended console, so that polling keeps no session open', async () => {
    let unattended = false;
    const { call, seen } = setUp(() => ({ code: 200, msg: '' }), { isUnattended: () => unattended });
    await call(read, {});
    unattended = true;
    await call(read, {});
    expect(seen.map(({ headers }) => headers['unattended'])).toEqual([undefined, '1']);
  });

  it("throws the server's code, text and data", async () => {
    const { call } = setUp(() => ({ code: 1204, msg: 'UTR used', data: { by: '7' } }));
    await expect(call(pay, {})).rejects.toMatchObject({ code: 1204, message: 'UTR used', data: { by: '7' } });
  });

  it('says so when no answer comes', async () => {
    const { call } = setUp(() => ({ code: 200, msg: '' }), {
      fetch: () => Promise.reject(new TypeError('offline')),
    });
    await expect(call(read, {})).rejects.toMatchObject({ code: NO_ANSWER, message: 'no answer' });
  });

  it('opens one dialog for many refused calls and replays each once', async () => {
    const { call, seen, parts } = setUp(wantsSecond);
    const answers = await Promise.all([call(pay, { n: 1 }), call(pay, { n: 2 }), call(pay, { n: 3 })]);
    expect(answers).toEqual([{ done: true }, { done: true }, { done: true }]);
    expect(parts.askSecondPassword).toHaveBeenCalledTimes(1);
    expect(seen).toHaveLength(6);
    expect(seen.slice(3).map(({ body }) => body)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('does not ask again for a call that was under way while another got the token', async () => {
    const { call, state, parts } = setUp((request) => {
      state.secondToken = 'second';
      return wantsSecond(request);
    });
    expect(await call(pay, {})).toEqual({ done: true });
    expect(parts.askSecondPassword).not.toHaveBeenCalled();
  });

  it('gives up after one replay', async () => {
    const { call, seen } = setUp(() => ({ code: 1025, msg: 'wrong' }));
    await expect(call(pay, {})).rejects.toBeInstanceOf(CallError);
    expect(seen).toHaveLength(2);
  });

  it('rejects every waiting call when the dialog is cancelled, and asks anew next time', async () => {
    const ask = vi.fn((_path: string) => Promise.reject(new CallCancelled('x')));
    const { call, seen } = setUp(wantsSecond, { askSecondPassword: ask });
    const results = await Promise.allSettled([call(pay, {}), call(pay, {})]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(seen).toHaveLength(2);
    expect(ask).toHaveBeenCalledWith(pay.path);
    await expect(call(pay, {})).rejects.toBeInstanceOf(CallCancelled);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('sends nothing again once another user has signed in behind the dialog', async () => {
    const { call, seen, state } = setUp(wantsSecond, {
      askSecondPassword: async () => {
        state.token = 'other session';
        state.secondToken = 'second';
      },
    });
    await expect(call(pay, {})).rejects.toBeInstanceOf(CallCancelled);
    expect(seen).toHaveLength(1);
  });

  it('has the passkey sign the refused call with the same input, and sends it once more', async () => {
    const { call, seen, parts } = setUp(({ headers }) =>
      headers['passkey'] ? { code: 200, msg: '', data: { done: true } } : { code: 1026, msg: 'sign' },
    );
    expect(await call(pay, { amount: 5 })).toEqual({ done: true });
    expect(parts.stepUp).toHaveBeenCalledExactlyOnceWith('/v1.0/pay', { amount: 5 });
    expect(seen.map(({ headers, body }) => [headers['passkey'], body])).toEqual([
      [undefined, { amount: 5 }],
      ['signed /v1.0/pay', { amount: 5 }],
    ]);
  });

  it('sends nothing more when the passkey is not used, or another user has signed in meanwhile', async () => {
    const refused = setUp(() => ({ code: 1026, msg: 'sign' }), {
      stepUp: () => Promise.reject(new CallCancelled('passkey')),
    });
    await expect(refused.call(pay, {})).rejects.toThrow(CallCancelled);
    expect(refused.seen).toHaveLength(1);
    const other = setUp(() => ({ code: 1026, msg: 'sign' }), {
      stepUp: async () => {
        other.state.token = 'other';
        return 'signed';
      },
    });
    await expect(other.call(pay, {})).rejects.toThrow(CallCancelled);
    expect(other.seen).toHaveLength(1);
  });

  it('does not replay login2', async () => {
    const { call, parts } = setUp(() => ({ code: 1025, msg: 'wrong' }));
    await expect(call(pay, {}, { replay: false })).rejects.toMatchObject({ code: 1025 });
    expect(parts.askSecondPassword).not.toHaveBeenCalled();
  });

  it('ends the session once however many answers say it is over', async () => {
    const { call, parts } = setUp(() => ({ code: 1003, msg: 'expired' }));
    await Promise.allSettled([call(read, {}), call(read, {}), call(pay, {})]);
    expect(parts.endSession).toHaveBeenCalledTimes(1);
  });
});
