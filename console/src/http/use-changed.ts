import { useQueryClient } from '@tanstack/react-query';
import { noteAction } from './acted.ts';

/** What shows the answers of these calls reads them again: something else than a call of the console's has changed them. */
export function useChanged(...stale: readonly { readonly path: string }[]): () => Promise<unknown> {
  const queries = useQueryClient();
  return () => {
    noteAction();
    return Promise.all(stale.map(({ path }) => queries.invalidateQueries({ queryKey: [path] })));
  };
}
