import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import type { Call } from 'virtual:endpoints';
import { callKey } from '../http/call-key.ts';
import { newestListed } from './use-listed-row.ts';

interface Row {
  readonly id: string;
  readonly state: string;
}
const rows: Call<object, { list: Row[] }> = { method: 'GET', path: '/v1.0/rows', access: 'anyUser' };

/** A query client with `answers` in its cache, each with its age and whether it is on the screen. */
function having(answers: readonly { state: string; at: number; shown: boolean }[]): QueryClient {
  const queries = new QueryClient();
  for (const [page, { state, at, shown }] of answers.entries()) {
    const queryKey = callKey(rows, { page });
    queries.setQueryData(queryKey, { list: [{ id: '1', state }] }, { updatedAt: at });
    if (shown) new QueryObserver(queries, { queryKey, staleTime: Infinity }).subscribe(() => undefined);
  }
  return queries;
}

it('takes a row from the newest answer, whichever was asked for first', () => {
  const queries = having([
    { state: 'pending', at: 1, shown: true },
    { state: 'approved', at: 2, shown: true },
  ]);
  expect(newestListed(queries, rows, '1')?.state).toBe('approved');
});

it('ignores answers that are no longer on the screen', () => {
  const queries = having([
    { state: 'approved', at: 1, shown: true },
    { state: 'pending', at: 2, shown: false },
  ]);
  expect(newestListed(queries, rows, '1')?.state).toBe('approved');
  expect(newestListed(having([{ state: 'pending', at: 1, shown: false }]), rows, '1')).toBeUndefined();
});
