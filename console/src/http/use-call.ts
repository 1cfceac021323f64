import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Call } from 'virtual:endpoints';
import { callKey } from './call-key.ts';
import { call } from './client.ts';

interface UseCallOptions {
  readonly enabled?: boolean;
  /** Asks again so often, also while the window is in the background; a hidden tab asks nothing at all. */
  readonly everyMs?: number;
  /** Keeps the answer to the previous input on show until the next one is here. */
  readonly keepPrevious?: boolean;
  readonly staleMs?: number;
}

export function useCall<Input, Output>(
  definition: Call<Input, Output>,
  input: Input,
  options: UseCallOptions = {},
): UseQueryResult<Output> {
  return useQuery<Output>({
    queryKey: callKey(definition, input),
    queryFn: ({ signal }) => call(definition, input, { signal }),
    enabled: options.enabled ?? true,
    staleTime: options.staleMs ?? 0,
    ...(options.everyMs === undefined
      ? {}
      : { refetchInterval: options.everyMs, refetchIntervalInBackground: true }),
    ...(options.keepPrevious ? { placeholderData: keepPreviousData } : {}),
  });
}
