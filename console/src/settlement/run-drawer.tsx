import { Alert, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { RowDrawer } from '../dialogs/row-drawer.tsx';
import { Copyable } from '../figures/copyable.tsx';
import { Facts, NothingYet, Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { MoreButton } from '../figures/more-button.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import { usePages } from '../http/use-pages.ts';
import type { InputOf } from '../http/call-types.ts';
import { useListedRow } from '../operator-table/use-listed-row.ts';
import { type Run, RunState } from './run-state.tsx';
import { Sums } from './sums.tsx';

const PAGE = 100;

type RunsCall = typeof endpoints.settlement.getSettlementRuns;

/** A settlement run with every balance that it moved. */
export function RunDrawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const run = useListedRow<InputOf<RunsCall>, Run>(endpoints.settlement.getSettlementRuns, id);
  const { pages, more, busy, error } = usePages(endpoints.settlement.getSettlementRows, {
    runId: id,
    pageSize: PAGE,
  });
  const [first] = pages;
  const rows = pages.flatMap(({ list }) => list);
  return (
    <RowDrawer width={720} onClose={onClose} title={t('settlement.run', { day: run?.throughDay ?? id })}>
      {run && (
        <Facts
          facts={[
            [t('settlement.state'), <RunState run={run} />],
            [t('settlement.amount'), <Sums amounts={run.amounts} />],
            [t('settlement.throughDay'), run.throughDay],
            [t('orders.merchant'), run.merchantName ?? t('settlement.allMerchants')],
            [t('settlement.startedBy'), run.startedBy ?? t('settlement.daily')],
            [t('settlement.startTime'), <Moment time={run.startTime} exact />],
            [t('settlement.finishTime'), <Moment time={run.finishTime} exact />],
            [t('settlement.runId'), <Copyable text={run.id} />],
          ]}
        />
      )}
      <Section title={t('settlement.moved')} {...(first && { count: first.total })}>
        {error && <Alert type="error" showIcon title={error.message} />}
        {!first ? (
          !error && <Skeleton active />
        ) : rows.length === 0 ? (
          <NothingYet text={t('settlement.noRows')} />
        ) : (
          <PlainTable
            rows={rows}
            keyOf={(row) => row.id}
            columns={[
              { title: t('orders.merchant'), cell: (row) => row.merchantName },
              { title: t('settlement.dueDay'), cell: (row) => row.dueDay },
              {
                title: t('settlement.amount'),
                right: true,
                cell: (row) => <Money minor={row.amount} currency={row.currency} />,
              },
              { title: t('settlement.settledTime'), cell: (row) => <Moment time={row.time} exact /> },
              { title: t('fund.postingId'), cell: (row) => <Copyable text={row.postingId} /> },
            ]}
          />
        )}
        <MoreButton more={more} busy={busy} />
      </Section>
    </RowDrawer>
  );
}
