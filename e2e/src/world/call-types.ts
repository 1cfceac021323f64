import type { Endpoint } from '@sangam/contract/endpoint.ts';

/** What a caller of the endpoint may send. */
export type InputOf<Called extends Endpoint> = Called['input']['_zod']['input'];

/** What the endpoint answers in `data`. */
export type OutputOf<Called extends Endpoint> = Called['output']['_zod']['output'];
