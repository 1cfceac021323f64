import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { Copyable } from '../figures/copyable.tsx';
import { Moment } from '../figures/moment.tsx';
import { useSend } from '../http/use-send.ts';
import { useNames } from '../language/names.ts';
import type { InputOf } from '../http/call-types.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { useMayCall } from '../session/may-call.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { LogDrawer } from './log-drawer.tsx';
import { logFacts, type LogEntry } from './log-facts.ts';
import { LogPhase } from './log-phase.tsx';

type LogCall = typeof endpoints.monitor.getMonitorLogList;

/** The server's names (contract, endpoints/monitor.ts). */
const PHASES = ['heartbeat', 'received', 'parsed', 'placed', 'matched', 'held', 'failed', 'command'] as const;

/** What monitors did, and which sequence numbers are missing or came twice. */
export function MonitorLogScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const name = useNames();
  const mayCall = useMayCall();
  const send = useSend(endpoints.monitor.getMonitorLogList);
  const [clearing, setClearing] = useState(false);

  const definition: ListDefinition<LogEntry, InputOf<LogCall>> = {
    name: 'monitorLog',
    title: title(screen),
    call: endpoints.monitor.getMonitorLogList,
    keyOf: (entry) => entry.id,
    openKeyOf: (entry) => entry.id,
    drawer: (id, close) => <LogDrawer key={id} id={id} onClose={close} />,
    emptyText: t('monitorLog.none'),
    tools: mayCall(endpoints.monitor.clearMonitorLog) && (
      <Button onClick={() => setClearing(true)}>{t('monitorLog.clear')}</Button>
    ),
    filters: [
      { name: 'monitorId', param: 'm', kind: 'digits', label: t('messages.monitorId'), pinned: true },
      { name: 'orderCode', param: 'o', kind: 'digits', label: t('orders.orderCode'), pinned: true },
      {
        name: 'logPhase',
        param: 'ph',
        kind: 'choice',
        label: t('monitorLog.phase'),
        pinned: true,
        values: PHASES,
        options: PHASES.map((phase) => ({ value: phase, label: name('monitorPhases', phase) })),
      },
      { name: 'cardNumber', param: 'at', kind: 'text', label: t('monitorLog.tail') },
      { name: 'period', param: 't', kind: 'period', label: t('list.span') },
      {
        name: 'withCleared',
        param: 'w',
        kind: 'choice',
        label: t('monitorLog.withCleared'),
        values: ['true'],
        options: [{ value: 'true', label: t('monitorLog.withCleared') }],
      },
    ],
    columns: [
      {
        key: 'time',
        title: t('monitorLog.time'),
        names: true,
        render: (entry) => <Moment time={entry.time} exact />,
      },
      {
        key: 'logPhase',
        title: t('monitorLog.phase'),
        render: (entry) => <LogPhase entry={entry} />,
      },
      {
        key: 'monitor',
        field: 'monitorName',
        title: t('monitors.name'),
        render: (entry) => `${entry.monitorName ?? '–'} · ${entry.monitorId}`,
      },
      {
        key: 'supplier',
        field: 'supplierName',
        title: t('orders.supplier'),
        render: (entry) => entry.supplierName ?? '–',
      },
      {
        key: 'orderCode',
        title: t('orders.orderCode'),
        render: (entry) => <Copyable text={entry.orderCode} limit={20} />,
      },
      { key: 'accountTail', title: t('monitorLog.tail'), render: (entry) => entry.accountTail ?? '–' },
      {
        key: 'detail',
        title: t('monitorLog.detail'),
        width: 420,
        render: (entry) =>
          logFacts(entry, t, name)
            .map(([label, value]) => `${label} ${value}`)
            .join(' · ') || '–',
      },
    ],
  };
  return (
    <>
      <ListScreen definition={definition} />
      {clearing && (
        <FormDialog
          title={t('monitorLog.clear')}
          fields={[]}
          consequence={t('monitorLog.clearConsequence')}
          okText={t('monitorLog.clear')}
          onSubmit={async () => {
            await send(endpoints.monitor.clearMonitorLog, {}, t('people.saved'));
          }}
          onClose={() => setClearing(false)}
        />
      )}
    </>
  );
}
