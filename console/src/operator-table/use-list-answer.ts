import { useCall } from '../http/use-call.ts';
import { useRealtimeState } from '../realtime/realtime.ts';
import { useChanges } from '../realtime/use-changes.ts';
import type { FilterField, ListDefinition } from './list-definition.ts';
import { filterInput, pagingInput, type ListState } from './list-state.ts';
import { useAtRest } from './use-at-rest.ts';
import { useLiveRows } from './use-live-rows.ts';

/** How often a list asks for its newest state while it is shown; seldom where the server reports what changes. */
const LIVE_MS = 5_000;
const REPORTED_LIVE_MS = 20_000;

/** The rows of a list under its filters, asked for again as they change. */
export function useListAnswer<Row extends object, Input>(
  definition: ListDefinition<Row, Input>,
  fields: readonly FilterField[],
  state: ListState,
) {
  // Filters come as texts: the one place where they become the call's input. Their names are typed in ListDefinition.
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
  /** The rows of another page or filter are still on show. */
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
