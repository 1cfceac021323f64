import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Call } from 'virtual:endpoints';
import { callKey } from '../http/call-key.ts';

interface Listed<Row> {
  readonly list: readonly Row[];
}

/** Takes the row from the newest answer on the screen: an answer kept from another page or tab may have an older state of the row. */
export function newestListed<Input, Row extends { readonly id: string }>(
  queries: QueryClient,
  definition: Call<Input, Listed<Row>>,
  id: string,
): Row | undefined {
  return queries
    .getQueryCache()
    .findAll({ queryKey: callKey(definition), type: 'active' })
    .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    .flatMap(({ state }) => (state.data as Listed<Row> | undefined)?.list ?? [])
    .find((row) => row.id === id);
}

/**
 * A row from its list's answers, for rows without a call of their own. The row stays while it is shown, even when the list moves to
 * another page.
 */
export function useListedRow<Input, Row extends { readonly id: string }>(
  definition: Call<Input, Listed<Row>>,
  id: string,
): Row | undefined {
  const queries = useQueryClient();
  const [kept, setKept] = useState<Row>();
  const listed = newestListed(queries, definition, id);
  if (listed && listed !== kept) setKept(listed);
  return listed ?? (kept?.id === id ? kept : undefined);
}
