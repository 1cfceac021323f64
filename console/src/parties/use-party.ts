import type { Call } from 'virtual:endpoints';
import { useCall } from '../http/use-call.ts';

const LIVE_MS = 15_000;

/** One row of a list, read by its id. */
export function useParty<Row>(
  definition: Call<{ readonly id?: string | undefined }, { readonly list: readonly Row[] }>,
  id: string,
): Row | undefined {
  return useCall(definition, { id }, { everyMs: LIVE_MS }).data?.list[0];
}
