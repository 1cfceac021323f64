import { ColumnHeightOutlined, ReloadOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../http/use-call.ts';
import { useRealtimeState } from '../realtime/realtime.ts';
import { useChanges } from '../realtime/use-changes.ts';
import { useTabLocation } from '../navigation/tab-location.ts';
import { useListArrangement, type ListView } from './arrangement.ts';
import { BulkBar } from './bulk-bar.tsx';
import { ColumnChooser } from './column-chooser.tsx';
import { ExportButton } from './export-button.tsx';
import { FilterBar } from './filter-bar.tsx';
import type { ListDefinition } from './list-definition.ts';
import { ListFailure, NothingToShow } from './list-outcomes.tsx';
import { filterInput, pagingInput } from './list-state.ts';
import { ListTable, TableSkeleton } from './list-table.tsx';
import styles from './operator-table.module.css';
import { Pager } from './pager.tsx';
import { useTableChoices } from './table-choices.ts';
import { useAtRest } from './use-at-rest.ts';
import { useListKeys } from './use-list-keys.ts';
import { useListState } from './use-list-state.ts';
import { useLiveRows } from './use-live-rows.ts';
import { usePicked } from './use-picked.ts';
import { useSame } from './use-same.ts';
import { ViewsMenu } from './views-menu.tsx';

/** How often a list asks for its newest state while it is shown; seldom where the server tells what changes. */
const LIVE_MS = 5_000;
const TOLD_LIVE_MS = 20_000;

/** A list as operators use it all day; everything particular comes from the definition. */
export function ListScreen<Row extends object, Input>({
  definition,
}: {
  readonly definition: ListDefinition<Row, Input>;
}) {
  const { t } = useTranslation();
  const { scroller } = useTabLocation();
  const { keyOf, drawer, cardsFilter, Cards, Panel } = definition;
  const fields = definition.filters.filter((field) => field.shown ?? true);
  const openKeyOf = definition.openKeyOf ?? keyOf;
  const kept = useListArrangement(definition.name);
  const control = useListState(fields, kept.arrangement.pageSize, (pageSize) => kept.arrange({ pageSize }));
  const choices = useTableChoices(kept, definition.columns);
  const searchRef = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<string>();
  const { state } = control;

  // Filters come as texts: the one place where they become the call's input. Their names are typed in ListDefinition.
  const inputOf = (asked: typeof fields) => ({
    ...definition.fixed,
    ...filterInput(state.filters, asked, new Date()),
  });
  const input = { ...inputOf(fields), ...pagingInput(state) } as Input;
  const cardsInput = inputOf(fields.filter((field) => field.name !== cardsFilter)) as Input;
  const viewKey = JSON.stringify(input);
  const picked = usePicked(keyOf, JSON.stringify(state.filters));
  const isTold = useRealtimeState() === 'connected' && definition.changes !== undefined;
  const everyMs = isTold ? TOLD_LIVE_MS : LIVE_MS;
  const answer = useCall(definition.call, input, { everyMs, keepPrevious: true });
  useChanges(definition.changes, () => void answer.refetch());
  const waitingForView = answer.isPlaceholderData;
  const isAtRest = useAtRest(state.open !== undefined, state.page);
  const live = useLiveRows(
    waitingForView ? undefined : answer.data,
    viewKey,
    keyOf,
    isAtRest,
    answer.dataUpdatedAt,
  );

  const reload = () => {
    live.settleNext();
    void answer.refetch();
  };
  const openRow = useSame((row: Row) => {
    setFocused(keyOf(row));
    control.open(openKeyOf(row));
  });
  const clearFilters = useSame(control.clearFilters);
  const filtered = Object.keys(state.filters).length > 0;
  const empty = useMemo(
    () => <NothingToShow filtered={filtered} emptyText={definition.emptyText} onClear={clearFilters} />,
    [filtered, definition.emptyText, clearFilters],
  );
  useListKeys({
    search: () => searchRef.current?.querySelector('input')?.focus(),
    reload,
    move: (step) => {
      const index = live.rows.findIndex((row) => keyOf(row) === focused);
      const next = live.rows[index < 0 ? 0 : Math.min(Math.max(index + step, 0), live.rows.length - 1)];
      if (!next) return;
      setFocused(keyOf(next));
      scroller()
        ?.querySelector(`[data-row="${CSS.escape(keyOf(next))}"]`)
        ?.scrollIntoView({ block: 'nearest' });
    },
    openRow: () => {
      const row = live.rows.find((candidate) => keyOf(candidate) === focused);
      if (row && drawer) openRow(row);
    },
    pickRow: () => {
      const row = live.rows.find((candidate) => keyOf(candidate) === focused);
      if (row && definition.bulk) picked.toggle(row);
    },
    closeDrawer: () => state.open !== undefined && control.close(),
  });

  const applyView = (view: ListView, quietly = false) => {
    control.setFilters(view.filters, quietly);
    kept.arrange({ columns: undefined, density: undefined, ...view.arrangement });
  };
  // The default view stands in for an address that says nothing, once: cleared filters stay cleared.
  const asked = useRef(filtered || state.open !== undefined);
  const defaultView = kept.views?.find((view) => view.id === kept.defaultViewId);
  useEffect(() => {
    if (asked.current || !kept.views) return;
    asked.current = true;
    // The views may come late: what the user has begun to look at meanwhile stays.
    if (defaultView && !filtered && state.open === undefined && state.page === 1)
      applyView(defaultView, true);
  });

  const opened = live.rows.find((row) => openKeyOf(row) === state.open);
  const showWaiting = () => {
    live.showWaiting();
    scroller()?.scrollTo({ top: 0 });
  };
  const failed = answer.isError && !answer.data;

  return (
    <section className={styles['screen']} aria-label={definition.title}>
      <header className={styles['title']}>
        <h1>{definition.title}</h1>
        <div className={styles['tools']}>
          {definition.tools}
          <div className={styles['toolGroup']}>
            <ViewsMenu list={definition.name} kept={kept} filters={state.filters} onApply={applyView} />
            <ExportButton
              title={definition.title}
              list={definition.call.path}
              filters={inputOf(fields)}
              columns={choices.shown}
            />
            <Tooltip title={t('list.reloadHint')}>
              <Button
                type="text"
                icon={<ReloadOutlined spin={waitingForView && answer.isFetching} />}
                aria-label={t('list.reload')}
                onClick={reload}
              />
            </Tooltip>
            <Tooltip title={t('list.density')}>
              <Button
                type="text"
                icon={<ColumnHeightOutlined />}
                aria-label={t('list.density')}
                aria-pressed={choices.density === 'middle'}
                onClick={() => choices.setDensity(choices.density === 'small' ? 'middle' : 'small')}
              />
            </Tooltip>
            <ColumnChooser choices={choices} />
          </div>
        </div>
      </header>
      {Cards && cardsFilter && (
        <Cards
          input={cardsInput}
          chosen={state.filters[cardsFilter]}
          choose={(text) => control.setFilter(cardsFilter, text)}
          everyMs={everyMs}
          changes={definition.changes}
        />
      )}
      {Panel && <Panel />}
      <FilterBar fields={fields} control={control} searchRef={searchRef} />
      <div className={styles['body']}>
        {definition.bulk && (
          <BulkBar<Row>
            actions={definition.bulk}
            picked={picked.rows}
            nameOf={openKeyOf}
            onClear={picked.clear}
            onDone={() => {
              picked.clear();
              void answer.refetch();
            }}
          />
        )}
        <div aria-live="polite" className={styles['waitingPlace']}>
          {live.waiting > 0 && state.page === 1 && (
            <button type="button" className={styles['waiting']} onClick={showWaiting}>
              {t('list.waiting', { count: live.waiting })}
            </button>
          )}
        </div>
        {failed ? (
          <ListFailure error={answer.error} onRetry={() => void answer.refetch()} />
        ) : !answer.data ? (
          <TableSkeleton columns={Math.min(choices.shown.length, 8)} />
        ) : (
          <>
            {answer.isError && (
              <p className={styles['stale']} role="status">
                {t('list.stale', { reason: answer.error.message })}
              </p>
            )}
            <ListTable<Row>
              caption={definition.title}
              rows={live.rows}
              keyOf={keyOf}
              columns={choices.shown}
              density={choices.density}
              fresh={live.fresh}
              dimmed={waitingForView}
              focused={focused}
              opened={opened && keyOf(opened)}
              onOpen={drawer && openRow}
              actionsOf={definition.actionsOf}
              picked={definition.bulk && picked}
              empty={empty}
            />
            <Pager
              control={control}
              answer={answer.data}
              nextCursor={live.nextCursor}
              rowCount={live.rows.length}
              busy={waitingForView}
            />
          </>
        )}
      </div>
      {state.open !== undefined && drawer?.(state.open, control.close)}
    </section>
  );
}
