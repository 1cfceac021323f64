import { useCall } from '../http/use-call.ts';
import { useRealtimeState } from '../realtime/realtime.ts';
import { useChanges } from '../realtime/use-changes.ts';
import type { FilterField, ListDefinition } from './list-definition.ts';
import { filterInput, pagingInput, type ListState } from './list-state.ts';
import { useAtRest } from './use-at-rest.ts';
import { useLiveRows } from './use-live-rows.ts';

/** How often a shown list polls: every 5 seconds, or every 20 where the server reports changes. */
const LIVE_MS = 5_000;
const REPORTED_LIVE_MS = 20_000;

/** The rows of a list under its filters, reloaded as they change. */
export function useListAnswer<Row extends object, Input>(
  definition: ListDefinition<Row, Input>,
  fields: readonly FilterField[],
  state: ListState,
) {
  // Filters are texts. This is the only place that converts them to the call's input; ListDefinition types their names.
  const inputOf = (asked: readonly FilterField[]) => ({
    ...definition.fixed,
    ...filterInput(state.filters, asked, new Date()),
  });
  const filters = inputOf(fields);
  const input = { ...filters, ...pagingInput(state) } as Input;
  const cardsInput = inputOf(fields.filter((field) => field.name !== definition.cardsFilter)) as Input;
  const isReported = useRealtimeState() === 'connected' && definition.changes !== undefined;
  const everyMs = isReported ? REPORTED_LIVE_MS : LIVE_MS;
  const answer = useCall(definition.call, input, { everyMs, keepPrevious: true });
  useChanges(definition.changes, () => void answer.refetch());
  /** Rows of the previous page or filter are still shown. */
  const isPrevious = answer.isPlaceholderData;
  const isAtRest = useAtRest(state.open !== undefined, state.page);
  const live = useLiveRows(
    isPrevious ? undefined : answer.data,
    JSON.stringify(input),
    definition.keyOf,
    isAtRest,
    answer.dataUpdatedAt,
  );
  const reload = () => {
    live.settleNext();
    void answer.refetch();
  };
  const figures = {
    input: cardsInput,
    chosen: definition.cardsFilter && state.filters[definition.cardsFilter],
    everyMs,
    changes: definition.changes,
    isListed: !answer.isPending && !isPrevious,
  };
  return { answer, live, filters, figures, isPrevious, reload };
}
