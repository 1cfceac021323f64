import type { Endpoint } from '@sangam/contract/endpoint.ts';
import { realtime } from '@sangam/contract/endpoints/realtime.ts';
import { z } from 'zod';
import type { Route } from '../http/route.ts';

type Json = { readonly [key: string]: unknown };

const SECURITY_SCHEMES: Json = {
  token: { type: 'apiKey', in: 'header', name: 'token', description: 'Session token of login' },
  token2: {
    type: 'apiKey',
    in: 'header',
    name: 'token2',
    description: 'Second-level token of login2, 15 minutes',
  },
  sid: {
    type: 'apiKey',
    in: 'cookie',
    name: 'sid',
    description: 'Set at sign-in; browsers must send it too',
  },
  monitor: {
    type: 'apiKey',
    in: 'header',
    name: 'x-monitor-signature',
    description:
      "Lower-case hex HMAC-SHA256 of `timestamp.sequence.body` with the monitor's secret, beside x-monitor-id, " +
      'x-monitor-timestamp (ms, ±5 min) and x-monitor-sequence (strictly increasing)',
  },
};

const FLAT_FIELDS: Json = {
  retCode: { enum: ['SUCCESS', 'FAIL'] },
  retMsg: { type: 'string' },
  payOrderId: { type: 'string' },
  payUrl: { type: 'string' },
  payParams: { type: 'object' },
};

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const FILE: Json = { type: 'string', format: 'binary' };

const TAGS: Readonly<Record<Route['kind'], string>> = {
  viewer: 'Console',
  public: 'Public',
  merchant: 'Merchant API',
  monitor: 'Monitor API',
  webhook: 'Webhooks of outside services',
};

const REALTIME = 'Realtime';

/**
 * The realtime channel. A WebSocket begins as a GET, and OpenAPI cannot describe the rest, so both kinds of message are in an extension.
 */
function channel(): Json {
  return {
    tags: [REALTIME],
    summary: realtime.summary,
    operationId: 'realtime',
    description:
      'A WebSocket of JSON texts. The client sends commands, `ack` with the session token first; each is answered under its ' +
      'requestId. Events come under an empty one: they say what to ask again. Browsers send the cookie `sid` as well.',
    security: [{ sid: [] }],
    responses: { 101: { description: 'The connection is a WebSocket from here on' } },
    'x-websocket': {
      send: schemaOf(realtime.command, 'input'),
      receive: schemaOf(realtime.message, 'output'),
    },
  };
}

/** OpenAPI 3.1 of the routes, made from the schemas that check the calls. With console routes it includes the realtime channel. */
export function openApiOf(routes: readonly Route[]): Json {
  const hasConsole = routes.some(({ kind }) => kind === 'viewer');
  const paths: Record<string, Record<string, Json>> = hasConsole
    ? { [realtime.path]: { get: channel() } }
    : {};
  const methodsOf = Map.groupBy(routes, ({ endpoint }) => endpoint.path);
  for (const route of routes) {
    const { endpoint } = route;
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    const id = operationIdOf(endpoint, methodsOf.get(endpoint.path)!.length > 1);
    (paths[path] ??= {})[endpoint.method.toLowerCase()] = operationOf(route, id);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sangam',
      version: '1.0',
      description:
        'Every answer is the envelope `{code, msg, data}`; 200 is success. Merchant calls also answer the same path ' +
        'without `/v1.0`, are HTTP 200 for every business answer, and are signed in the field `sign`.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set([...routes.map(({ kind }) => TAGS[kind]), ...(hasConsole ? [REALTIME] : [])])].map(
      (name) => ({
        name,
      }),
    ),
    paths,
    ...(hasConsole && { components: { securitySchemes: SECURITY_SCHEMES } }),
  };
}

/** The words of the path. The method is added where a path answers several methods, because an id must be unique. */
function operationIdOf({ method, path }: Endpoint, named: boolean): string {
  const words = path
    .replace(/^\/v1\.0\//, '')
    .replace(/[/:]+(\w)/g, (_, letter: string) => letter.toUpperCase());
  return named ? `${words}.${method.toLowerCase()}` : words;
}

function operationOf(route: Route, operationId: string): Json {
  const { endpoint, kind } = route;
  const { body, parameters } = inputOf(endpoint);
  const bodyTypes =
    endpoint.file !== undefined
      ? ['multipart/form-data']
      : kind === 'merchant'
        ? ['application/json', 'application/x-www-form-urlencoded']
        : ['application/json'];
  return {
    tags: [TAGS[kind]],
    summary: endpoint.summary,
    operationId,
    ...(Array.isArray(endpoint.access) ? { description: `Roles: ${endpoint.access.join(', ')}` } : {}),
    security: securityOf(route),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: contentOf(bodyTypes, body) } } : {}),
    responses: {
      ...(endpoint.csv
        ? { 200: { description: 'The file', content: contentOf(['text/csv', XLSX], FILE) } }
        : {}),
      default: { description: 'The envelope', content: contentOf(['application/json'], envelopeOf(route)) },
    },
  };
}

/** Splits an endpoint's input: path parameters, the query of a GET, the body of others. */
function inputOf(endpoint: Endpoint): {
  readonly body: Json | undefined;
  readonly parameters: readonly Json[];
} {
  const schema = schemaOf(endpoint.input, 'input');
  const properties = (schema['properties'] ?? {}) as Record<string, Json>;
  const required = new Set((schema['required'] ?? []) as string[]);
  const inPath = new Set([...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1]!));
  const readsQuery = endpoint.method === 'GET' || endpoint.inQuery === true;
  const parameters = Object.entries(properties)
    .filter(([name]) => readsQuery || inPath.has(name))
    .map(([name, property]) => ({
      name,
      in: inPath.has(name) ? 'path' : 'query',
      required: inPath.has(name) || required.has(name),
      schema: property,
    }));
  if (readsQuery) return { body: undefined, parameters };
  const rest = Object.fromEntries(Object.entries(properties).filter(([name]) => !inPath.has(name)));
  const needed = [...required].filter((name) => !inPath.has(name));
  if (endpoint.file === undefined)
    return { body: { ...schema, properties: rest, required: needed }, parameters };
  const file = { type: 'string', format: 'binary', description: endpoint.file };
  return { body: { ...schema, properties: { ...rest, file }, required: [...needed, 'file'] }, parameters };
}

function envelopeOf(route: Route): Json {
  return {
    type: 'object',
    required: ['code', 'msg'],
    properties: {
      code: { type: 'integer' },
      msg: { type: 'string' },
      data: schemaOf(route.endpoint.output, 'output'),
      ...(route.kind === 'merchant' ? FLAT_FIELDS : {}),
    },
  };
}

function securityOf(route: Route): readonly Json[] {
  if (route.kind === 'monitor') return [{ monitor: [] }];
  if (route.kind !== 'viewer') return [];
  return [route.endpoint.sensitive ? { token: [], sid: [], token2: [] } : { token: [], sid: [] }];
}

function contentOf(types: readonly string[], schema: Json): Json {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return rest;
}
