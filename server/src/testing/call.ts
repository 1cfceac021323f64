import type { FastifyInstance } from 'fastify';

export interface Called {
  readonly status: number;
  readonly code: number;
  readonly msg: string;
  // Untyped, because tests look into answers that the contract's schema has already shaped.
  readonly data: Record<string, unknown>;
  /** The value of the session cookie that it set. '' when it removed the cookie. */
  readonly cookie: string | undefined;
  readonly retryAfter: string | undefined;
  readonly body: Record<string, unknown>;
}

export type Headers = Readonly<Record<string, string>>;

/** One call through the whole HTTP side, in English unless the headers say otherwise. */
export async function call(
  app: FastifyInstance,
  method: 'GET' | 'POST',
  path: string,
  input: object = {},
  headers: Headers = {},
): Promise<Called> {
  const response = await app.inject({
    method,
    url: path,
    headers: { 'accept-language': 'en', ...headers },
    ...(method === 'GET' ? { query: input as Record<string, string> } : { payload: input }),
  });
  const body = response.json<Record<string, unknown>>();
  return {
    status: response.statusCode,
    code: body['code'] as number,
    msg: body['msg'] as string,
    data: (body['data'] ?? {}) as Record<string, unknown>,
    cookie: response.cookies.find((each) => each.name.endsWith('sid'))?.value,
    retryAfter: response.headers['retry-after'],
    body,
  };
}

export function post(app: FastifyInstance, path: string, input?: object, headers?: Headers): Promise<Called> {
  return call(app, 'POST', path, input, headers);
}
