import { useRef, useState } from 'react';
import { RowWalkContext } from '../dialogs/row-walk.ts';
import { useListArrangement } from './arrangement.ts';
import { BulkBar } from './bulk-bar.tsx';
import { FilterBar } from './filter-bar.tsx';
import type { ListDefinition } from './list-definition.ts';
import { ListHead } from './list-head.tsx';
import { ListFailure, StaleNote, useNothingToShow, WaitingRows } from './list-outcomes.tsx';
import { ListTable, TableSkeleton } from './list-table.tsx';
import styles from './operator-table.module.css';
import { ListFoot } from './pager.tsx';
import { useTableChoices } from './table-choices.ts';
import { useListAnswer } from './use-list-answer.ts';
import { useListState } from './use-list-state.ts';
import { usePicked } from './use-picked.ts';
import { useRowKeys } from './use-row-keys.ts';
import { useSame } from './use-same.ts';
import { useViews } from './use-views.ts';

/** A list that operators use all day. All differences between lists come from the definition. */
export function ListScreen<Row extends object, Input>({
  definition,
}: {
  readonly definition: ListDefinition<Row, Input>;
}) {
  const { keyOf, drawer, cardsFilter, Cards, Totals, Panel } = definition;
  const fields = definition.filters.filter((field) => field.shown ?? true);
  const openKeyOf = definition.openKeyOf ?? keyOf;
  const kept = useListArrangement(definition.name);
  const control = useListState(fields, kept.arrangement.pageSize, (pageSize) => kept.arrange({ pageSize }));
  const choices = useTableChoices(kept, definition.columns);
  const searchRef = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<string>();
  const { state } = control;

  const { answer, live, filters, figures, isPrevious, reload } = useListAnswer(definition, fields, state);
  const picked = usePicked(keyOf, JSON.stringify(state.filters));

  const openRow = useSame((row: Row) => {
    setFocused(keyOf(row));
    control.open(openKeyOf(row));
  });
  const setWidth = useSame(choices.setWidth);
  const empty = useNothingToShow(control, definition.emptyText);
  const opened = live.rows.find((row) => openKeyOf(row) === state.open);
  const walk = useRowKeys({
    rows: live.rows,
    keyOf,
    focused,
    opened,
    onFocus: setFocused,
    search: () => searchRef.current?.querySelector('input')?.focus(),
    reload,
    openRow: drawer && openRow,
    pickRow: definition.bulk && picked.toggle,
    closeDrawer: () => state.open !== undefined && control.close(),
  });

  const applyView = useViews(kept, control);
  const failed = answer.isError && !answer.data;

  return (
    <section className={styles['screen']} aria-label={definition.title}>
      <ListHead
        definition={definition}
        kept={kept}
        filters={state.filters}
        asked={filters}
        choices={choices}
        loading={isPrevious && answer.isFetching}
        onApply={applyView}
        onReload={reload}
      />
      {Cards && cardsFilter && <Cards {...figures} choose={(text) => control.setFilter(cardsFilter, text)} />}
      {Panel && <Panel />}
      <FilterBar fields={fields} control={control} searchRef={searchRef} />
      <div className={styles['body']}>
        {definition.bulk && (
          <BulkBar<Row>
            actions={definition.bulk}
            picked={picked.rows}
            nameOf={openKeyOf}
            amountOf={definition.amountOf}
            onClear={picked.clear}
            onDone={() => {
              picked.clear();
              void answer.refetch();
            }}
          />
        )}
        <WaitingRows count={state.page === 1 ? live.waiting : 0} onShow={live.showWaiting} />
        {failed ? (
          <ListFailure error={answer.error} onRetry={() => void answer.refetch()} />
        ) : !answer.data ? (
          <TableSkeleton columns={Math.min(choices.shown.length, 8)} />
        ) : (
          <>
            {answer.isError && <StaleNote error={answer.error} />}
            <ListTable<Row>
              caption={definition.title}
              rows={live.rows}
              keyOf={keyOf}
              columns={choices.shown}
              widths={choices.widths}
              onWidth={setWidth}
              pinned={choices.pinned}
              density={choices.density}
              fresh={live.fresh}
              dimmed={isPrevious}
              focused={focused}
              opened={opened && keyOf(opened)}
              onOpen={drawer && openRow}
              actionsOf={definition.actionsOf}
              picked={definition.bulk && picked}
              empty={empty}
            />
            <ListFoot
              control={control}
              answer={answer.data}
              nextCursor={live.nextCursor}
              rowCount={live.rows.length}
              busy={isPrevious}
              Totals={Totals}
              figures={figures}
            />
          </>
        )}
      </div>
      {state.open !== undefined && drawer && (
        <RowWalkContext value={walk}>{drawer(state.open, control.close)}</RowWalkContext>
      )}
    </section>
  );
}
