import { useInfiniteQuery } from '@tanstack/react-query';
import type { Call } from 'virtual:endpoints';
import { call } from './client.ts';
import { callKey } from './call-key.ts';

interface Pages<Output> {
  readonly pages: readonly Output[];
  /** Reads the next page; undefined when there is none. */
  readonly more: (() => void) | undefined;
  /** Whether the next page is being read. */
  readonly busy: boolean;
  readonly error: Error | null;
}

interface PagesOptions {
  /** Reads all pages that are shown again at this interval. */
  readonly everyMs?: number;
}

/** The answers of one call, page after page, as far as the reader has asked for them. */
export function usePages<
  Input extends { readonly cursor?: unknown },
  Output extends { readonly nextCursor: string | null },
>(definition: Call<Input, Output>, input: Input, { everyMs }: PagesOptions = {}): Pages<Output> {
  const query = useInfiniteQuery({
    queryKey: [...callKey(definition, input), 'pages'],
    queryFn: ({ pageParam, signal }) => call(definition, { ...input, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Output) => last.nextCursor ?? undefined,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs, refetchIntervalInBackground: true }),
  });
  return {
    pages: query.data?.pages ?? [],
    more: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
    busy: query.isFetchingNextPage,
    error: query.error,
  };
}
