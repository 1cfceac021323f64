import type { Call } from 'virtual:endpoints';
import type { Currency } from '@sangam/contract/money.ts';
import { useCall } from '../http/use-call.ts';
import type { CardsProps } from '../operator-table/list-definition.ts';
import { useChanges } from '../realtime/use-changes.ts';

export interface StatusSummary {
  readonly list: readonly {
    readonly orderStatusId: number;
    readonly currency: Currency;
    readonly count: number;
    readonly amount: number;
  }[];
}

/** Counts and sums by status under a list's filters. A list's cards and totals share one request. */
export function useStatusSummary<Input>(
  call: Call<Input, StatusSummary>,
  {
    input,
    everyMs,
    changes,
    isListed,
  }: Pick<CardsProps<Input>, 'input' | 'everyMs' | 'changes' | 'isListed'>,
): StatusSummary | undefined {
  const { data, refetch } = useCall(call, input, {
    everyMs,
    keepPrevious: true,
    enabled: isListed,
    // Another page with the same filters makes no new request.
    staleMs: everyMs,
  });
  useChanges(changes, () => void refetch());
  return data;
}
