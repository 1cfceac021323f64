import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Moment } from '../figures/moment.tsx';
import { Status } from '../figures/status.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import type { ListColumn, ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { useMayCall } from '../session/may-call.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { MonitorDialog, type MonitorAction } from './monitor-dialog.tsx';
import { ScriptsDialog } from './scripts-dialog.tsx';

type MonitorCall = typeof endpoints.monitor.getMonitorList;
export type Monitor = RowOf<MonitorCall>;

type Opened = 'scripts' | 'register' | { readonly monitor: Monitor; readonly action: MonitorAction };

/** Monitors, and the versions of the script that they run. */
export function MonitorsScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const mayCall = useMayCall();
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const calls = endpoints.monitor;
  /** A supplier's own monitors need no column for the supplier. */
  const isOwn = screen.variant === 'own';

  const supplier: ListColumn<Monitor> = {
    key: 'supplier',
    field: 'supplierName',
    title: t('orders.supplier'),
    render: (monitor) => monitor.supplierName,
  };
  const definition: ListDefinition<Monitor, InputOf<MonitorCall>> = {
    name: 'monitors',
    title: title(screen),
    call: calls.getMonitorList,
    keyOf: (monitor) => monitor.id,
    emptyText: t('monitors.none'),
    waiting: { about: { kind: 'monitorScriptRelease' } },
    tools: (
      <>
        {mayCall(calls.getMonitorScriptList) && (
          <Button onClick={() => setOpened('scripts')}>{t('monitors.scripts')}</Button>
        )}
        {mayCall(calls.registerMonitor) && (
          <Button onClick={() => setOpened('register')}>{t('monitors.register')}</Button>
        )}
      </>
    ),
    filters: [
      { name: 'name', param: 'q', kind: 'text', label: t('monitors.name'), pinned: true },
      {
        name: 'supplierId',
        param: 's',
        kind: 'digits',
        label: t('people.supplierId'),
        pinned: true,
        shown: !isOwn,
      },
    ],
    columns: [
      { key: 'name', title: t('monitors.name'), names: true, render: ({ name, id }) => `${name} · ${id}` },
      ...(isOwn ? [] : [supplier]),
      {
        key: 'online',
        title: t('people.state'),
        render: ({ enabled, online }) => (
          <Status
            tone={!enabled ? 'quiet' : online ? 'positive' : 'negative'}
            label={t(!enabled ? 'monitors.off' : online ? 'monitors.online' : 'monitors.offline')}
          />
        ),
      },
      {
        key: 'lastSeen',
        title: t('monitors.lastSeen'),
        render: ({ lastSeen }) => <Moment time={lastSeen} />,
      },
      {
        key: 'scriptVersion',
        title: t('monitors.script'),
        render: ({ scriptVersion, isScriptOld }) =>
          (scriptVersion ?? '–') + (isScriptOld ? ` · ${t('monitors.oldScript')}` : ''),
      },
      { key: 'accounts', title: t('monitors.accounts'), align: 'right', render: ({ accounts }) => accounts },
      {
        key: 'waitingCommands',
        title: t('monitors.waiting'),
        align: 'right',
        render: ({ waitingCommands }) => waitingCommands,
      },
    ],
    actionsOf: (monitor) =>
      (
        [
          ['resend', calls.askMonitorResend],
          ['renew', calls.renewMonitorSecret],
          [monitor.enabled ? 'disable' : 'enable', calls.enableMonitor],
        ] as const
      )
        .filter(([, call]) => mayCall(call))
        .map(([action]) => ({
          key: action,
          label: t(`monitors.${action}`),
          run: () => setOpened({ monitor, action }),
        })),
  };
  return (
    <>
      <ListScreen definition={definition} />
      {opened === 'scripts' && <ScriptsDialog onClose={close} />}
      {opened === 'register' && <MonitorDialog action="register" onClose={close} />}
      {typeof opened === 'object' && <MonitorDialog {...opened} onClose={close} />}
    </>
  );
}
