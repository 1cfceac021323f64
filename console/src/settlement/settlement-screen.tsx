import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Copyable } from '../figures/copyable.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { useMayCall } from '../session/may-call.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { RunDrawer } from './run-drawer.tsx';
import { RunState } from './run-state.tsx';
import { StartRunDialog } from './start-run-dialog.tsx';
import { Sums } from './sums.tsx';

type RunsCall = typeof endpoints.settlement.getSettlementRuns;
type RowsCall = typeof endpoints.settlement.getSettlementRows;

/** Settlement: for staff the runs; for a merchant the money that runs have made available to it. */
export function SettlementScreen(props: PageProps) {
  return props.screen.variant === 'own' ? <OwnSettlements {...props} /> : <Runs {...props} />;
}

function Runs({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const mayCall = useMayCall();
  const [starting, setStarting] = useState(false);
  const definition: ListDefinition<RowOf<RunsCall>, InputOf<RunsCall>> = {
    name: 'settlementRuns',
    title: title(screen),
    call: endpoints.settlement.getSettlementRuns,
    keyOf: (run) => run.id,
    emptyText: t('settlement.noRuns'),
    waiting: {
      about: { kind: 'earlySettlement' },
      nameOf: ({ merchantId }) =>
        typeof merchantId === 'string'
          ? `${t('orders.merchant')} ${merchantId}`
          : t('settlement.allMerchants'),
    },
    tools: mayCall(endpoints.settlement.startSettlementRun) && (
      <Button onClick={() => setStarting(true)}>{t('settlement.start')}</Button>
    ),
    drawer: (id, close) => <RunDrawer key={id} id={id} onClose={close} />,
    filters: [
      {
        name: 'finished',
        param: 'f',
        kind: 'choice',
        label: t('settlement.state'),
        pinned: true,
        values: ['true', 'false'],
        options: [
          { value: 'false', label: t('settlement.running') },
          { value: 'true', label: t('settlement.finished') },
        ],
      },
    ],
    columns: [
      {
        key: 'startTime',
        title: t('settlement.startTime'),
        names: true,
        render: (run) => <Moment time={run.startTime} />,
      },
      { key: 'throughDay', title: t('settlement.throughDay'), render: (run) => run.throughDay },
      {
        key: 'merchant',
        field: 'merchantName',
        title: t('orders.merchant'),
        render: (run) => run.merchantName ?? t('settlement.allMerchants'),
      },
      {
        key: 'startedBy',
        title: t('settlement.startedBy'),
        render: (run) => run.startedBy ?? t('settlement.daily'),
      },
      { key: 'state', field: 'done', title: t('settlement.state'), render: (run) => <RunState run={run} /> },
      {
        key: 'amounts',
        title: t('settlement.amount'),
        align: 'right',
        render: (run) => <Sums amounts={run.amounts} />,
      },
      {
        key: 'finishTime',
        title: t('settlement.finishTime'),
        render: (run) => <Moment time={run.finishTime} />,
      },
      {
        key: 'id',
        title: t('settlement.runId'),
        optional: true,
        render: (run) => <Copyable text={run.id} />,
      },
    ],
  };
  return (
    <>
      <ListScreen definition={definition} />
      {starting && <StartRunDialog onClose={() => setStarting(false)} />}
    </>
  );
}

function OwnSettlements({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const definition: ListDefinition<RowOf<RowsCall>, InputOf<RowsCall>> = {
    name: 'settlements',
    title: title(screen),
    call: endpoints.settlement.getSettlementRows,
    keyOf: (row) => row.id,
    emptyText: t('settlement.noRows'),
    filters: [],
    columns: [
      {
        key: 'time',
        title: t('settlement.settledTime'),
        names: true,
        render: (row) => <Moment time={row.time} />,
      },
      { key: 'dueDay', title: t('settlement.dueDay'), render: (row) => row.dueDay },
      {
        key: 'amount',
        title: t('settlement.amount'),
        align: 'right',
        render: (row) => <Money minor={row.amount} currency={row.currency} directed />,
      },
      { key: 'postingId', title: t('fund.postingId'), render: (row) => <Copyable text={row.postingId} /> },
    ],
  };
  return <ListScreen definition={definition} />;
}
