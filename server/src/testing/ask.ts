import type { Endpoint } from '@sangam/contract/endpoint.ts';
import type { z } from 'zod';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import { ROUTES } from '../app/routes.ts';
import type { Viewer } from '../platform/viewer.ts';

type Query = Readonly<Record<string, unknown>>;

/**
 * Calls the route of an endpoint as a viewer, without HTTP, but through the contract: its schemas read the input and check the answer.
 * Whether the role may call it is tested by the role test.
 */
export async function ask<Input extends z.ZodType, Output extends z.ZodType>(
  platform: Platform,
  viewer: Viewer,
  endpoint: Endpoint<Input, Output>,
  query: Query = {},
): Promise<z.output<Output>> {
  const answer = await answerOf(platform, viewer, endpoint, query);
  if (isRefusal(answer)) throw new Error(`${endpoint.path} refused: ${answer.code}`, { cause: answer.data });
  return endpoint.output.parse(answer);
}

/** The refusal of a call that must not succeed. */
export async function askRefused(
  platform: Platform,
  viewer: Viewer,
  endpoint: Endpoint,
  query: Query = {},
): Promise<Refusal> {
  const answer = await answerOf(platform, viewer, endpoint, query);
  if (!isRefusal(answer)) throw new Error(`${endpoint.path} did not refuse`);
  return answer;
}

async function answerOf(
  platform: Platform,
  viewer: Viewer,
  endpoint: Endpoint,
  query: Query,
): Promise<unknown> {
  const route = ROUTES.find((candidate) => candidate.endpoint === endpoint);
  if (route?.kind !== 'viewer') throw new Error(`${endpoint.path} has no route for viewers`);
  const caller = {
    ip: viewer.ip,
    userAgent: 'test',
    locale: viewer.locale,
    isBrowser: false,
    setSessionCookie: () => undefined,
  };
  return route.handle(platform, viewer, endpoint.input.parse(query) as never, caller);
}
