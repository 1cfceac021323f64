import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Call } from 'virtual:endpoints';
import { callKey } from '../http/call-key.ts';

/** A row as its list has it, for rows without a call of their own. Kept while it is shown, whatever page follows. */
export function useListedRow<Input, Row extends { readonly id: string }>(
  definition: Call<Input, { readonly list: readonly Row[] }>,
  id: string,
): Row | undefined {
  const queries = useQueryClient();
  const [kept, setKept] = useState<Row>();
  const listed = queries
    .getQueriesData<{ list: Row[] }>({ queryKey: callKey(definition) })
    .flatMap(([, answer]) => answer?.list ?? [])
    .find((row) => row.id === id);
  if (listed && listed !== kept) setKept(listed);
  return listed ?? (kept?.id === id ? kept : undefined);
}
