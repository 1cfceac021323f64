import { useQueryClient } from '@tanstack/react-query';
import { noteAction } from './acted.ts';

/** Returns a function that reloads the answers of these calls, for changes made by something other than a call. */
export function useChanged(...stale: readonly { readonly path: string }[]): () => Promise<unknown> {
  const queries = useQueryClient();
  return () => {
    noteAction();
    return Promise.all(stale.map(({ path }) => queries.invalidateQueries({ queryKey: [path] })));
  };
}
