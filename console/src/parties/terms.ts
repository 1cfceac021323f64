import type { endpoints } from 'virtual:endpoints';
import type { RowOf } from '../http/call-types.ts';

/** The terms of an owner for a product: in force, to come, or past. */
export type Terms = RowOf<typeof endpoints.terms.getUserProductList>;
export type OwnerKind = Terms['ownerKind'];
