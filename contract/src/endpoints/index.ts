import type { Endpoint } from '../endpoint.ts';
import * as order from './order.ts';
import * as outside from './outside.ts';
import * as party from './party.ts';
import * as payout from './payout.ts';
import * as user from './user.ts';

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'path' in value && 'access' in value;

/** Every endpoint of the product: server registration, OpenAPI and the role test walk this list. */
export const ENDPOINTS: readonly Endpoint[] = [user, order, payout, party, outside].flatMap((area) =>
  Object.values<unknown>(area).filter(isEndpoint),
);
