import type { Route } from './http/route.ts';
import { PEOPLE_ROUTES } from './people/routes.ts';

/** Every endpoint this server answers. */
export const ROUTES: readonly Route[] = [...PEOPLE_ROUTES];
