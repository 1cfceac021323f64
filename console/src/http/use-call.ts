import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Call } from 'virtual:endpoints';
import { callKey } from './call-key.ts';
import { call } from './client.ts';

interface UseCallOptions {
  readonly enabled?: boolean;
  /** Repeats the call at this interval, also while the window is in the background. A hidden tab of the console does not ask. */
  readonly everyMs?: number;
  /** Shows the answer to the previous input until the next one arrives. */
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
