import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Moment } from '../figures/moment.tsx';
import { Status } from '../figures/status.tsx';
import type { InputOf } from '../http/call-types.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { useMayCall } from '../session/may-call.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import type { ScriptRow } from './pay-script.ts';
import { SaveDialog } from './save-dialog.tsx';
import { ScriptDrawer } from './script-drawer.tsx';

/** Pay scripts: the live and the newest version, and the results of their calls. */
export function ScriptsScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const mayCall = useMayCall();
  const [isAdding, setIsAdding] = useState(false);
  const calls = endpoints.payScript;
  const definition: ListDefinition<ScriptRow, InputOf<typeof calls.getPayScriptList>> = {
    name: 'payScripts',
    title: title(screen),
    call: calls.getPayScriptList,
    keyOf: (row) => row.id,
    openKeyOf: (row) => row.id,
    drawer: (id, close) => <ScriptDrawer id={id} onClose={close} />,
    emptyText: t('payScripts.none'),
    waiting: { about: { kind: 'payScriptRelease' } },
    tools: mayCall(calls.createPayScript) && (
      <Button onClick={() => setIsAdding(true)}>{t('payScripts.add')}</Button>
    ),
    filters: [{ name: 'name', param: 'q', kind: 'text', label: t('payScripts.name'), pinned: true }],
    columns: [
      { key: 'name', title: t('payScripts.name'), names: true, render: (row) => row.name },
      {
        key: 'liveVersion',
        title: t('payScripts.live'),
        render: ({ liveVersion }) =>
          liveVersion === null ? (
            <Status tone="warning" label={t('payScripts.noneLive')} />
          ) : (
            <Status tone="positive" label={`v${liveVersion}`} />
          ),
      },
      { key: 'newestVersion', title: t('payScripts.newest'), render: (row) => `v${row.newestVersion}` },
      { key: 'accounts', title: t('payScripts.accounts'), align: 'right', render: (row) => row.accounts },
      {
        key: 'callsToday',
        title: t('payScripts.callsToday'),
        align: 'right',
        render: (row) => row.callsToday,
      },
      {
        key: 'failuresToday',
        title: t('payScripts.failuresToday'),
        align: 'right',
        render: (row) => row.failuresToday,
      },
      {
        key: 'createTime',
        title: t('people.createTime'),
        render: (row) => <Moment time={row.createTime} />,
      },
    ],
  };
  return (
    <>
      <ListScreen definition={definition} />
      {isAdding && <SaveDialog onClose={() => setIsAdding(false)} />}
    </>
  );
}
