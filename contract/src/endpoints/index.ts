import { isEndpoint, type Endpoint } from '../endpoint.ts';
import * as areas from './areas.ts';
import { SETTING_ENDPOINTS } from './settings.ts';

/** Every endpoint of the product: server registration, OpenAPI and the role test use this list. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...Object.values(areas).flatMap((area) => Object.values<unknown>(area).filter(isEndpoint)),
  ...SETTING_ENDPOINTS.flatMap(({ read, write }) => [read, write]),
];
