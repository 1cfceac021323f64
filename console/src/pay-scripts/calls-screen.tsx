import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { SCRIPT_FUNCTIONS } from '@sangam/contract/pay-scripts.ts';
import { RowDrawer } from '../dialogs/row-drawer.tsx';
import { Copyable } from '../figures/copyable.tsx';
import { Facts, NothingYet, Raw } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { Status } from '../figures/status.tsx';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import type { InputOf } from '../http/call-types.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import type { CallRow } from './pay-script.ts';
import { RecordView } from './record-view.tsx';
import styles from './pay-scripts.module.css';

/** Every call of a pay script, and every try in the console: input, fetches and answer. */
export function ScriptCallsScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const name = useNames();
  const yesNo = (param: string, key: 'failed' | 'isTry', yes: string, no: string) => ({
    name: key,
    param,
    kind: 'choice' as const,
    label: t(key === 'failed' ? 'people.state' : 'payScripts.kind'),
    pinned: true,
    values: ['true', 'false'],
    options: [
      { value: 'true', label: yes },
      { value: 'false', label: no },
    ],
  });
  const definition: ListDefinition<CallRow, InputOf<typeof endpoints.payScript.getPayScriptCallList>> = {
    name: 'payScriptCalls',
    title: title(screen),
    call: endpoints.payScript.getPayScriptCallList,
    keyOf: (row) => row.id,
    openKeyOf: (row) => row.id,
    drawer: (id, close) => <CallDrawer id={id} onClose={close} />,
    emptyText: t('payScripts.noCalls'),
    filters: [
      { name: 'orderCode', param: 'o', kind: 'digits', label: t('orders.orderCode'), pinned: true },
      {
        name: 'function',
        param: 'f',
        kind: 'choice',
        label: t('payScripts.function'),
        pinned: true,
        values: SCRIPT_FUNCTIONS,
        options: SCRIPT_FUNCTIONS.map((value) => ({ value, label: name('scriptFunctions', value) })),
      },
      yesNo('x', 'failed', t('payScripts.failed'), t('payScripts.answered')),
      yesNo('y', 'isTry', t('payScripts.isTry'), t('payScripts.isLive')),
    ],
    columns: [
      {
        key: 'time',
        title: t('payScripts.time'),
        names: true,
        render: (row) => <Moment time={row.time} exact />,
      },
      {
        key: 'scriptName',
        title: t('payScripts.name'),
        render: (row) => `${row.scriptName} v${row.version}`,
      },
      {
        key: 'function',
        title: t('payScripts.function'),
        render: (row) => name('scriptFunctions', row.function),
      },
      { key: 'failure', title: t('people.state'), render: (row) => <CallState row={row} /> },
      {
        key: 'orderCode',
        title: t('orders.orderCode'),
        render: ({ orderCode }) => (orderCode === null ? '–' : <Copyable text={orderCode} limit={24} />),
      },
      {
        key: 'accountName',
        title: t('accounts.account'),
        render: (row) => row.accountName ?? `${t('payScripts.isTry')} · ${row.triedBy ?? '–'}`,
      },
      { key: 'fetches', title: t('payScripts.fetches'), align: 'right', render: (row) => row.fetches },
      {
        key: 'durationMs',
        title: t('payScripts.duration'),
        align: 'right',
        render: (row) => t('orders.milliseconds', { count: row.durationMs }),
      },
      { key: 'message', title: t('payScripts.problem'), width: 320, render: (row) => row.message ?? '–' },
    ],
  };
  return <ListScreen definition={definition} />;
}

function CallState({ row: { failure } }: { readonly row: Pick<CallRow, 'failure'> }) {
  const { t } = useTranslation();
  const name = useNames();
  return failure === null ? (
    <Status tone="positive" label={t('payScripts.answered')} />
  ) : (
    <Status tone="negative" label={name('scriptFailures', failure)} />
  );
}

function CallDrawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const name = useNames();
  const { data, error } = useCall(endpoints.payScript.getPayScriptCall, { id });
  return (
    <RowDrawer
      width={720}
      onClose={onClose}
      title={data ? `${data.scriptName} v${data.version} · ${name('scriptFunctions', data.function)}` : id}
    >
      {error && <NothingYet text={error.message} />}
      {data && (
        <>
          <Facts
            facts={[
              [t('people.state'), <CallState row={data} />],
              [t('payScripts.time'), <Moment time={data.time} exact />],
              [t('orders.orderCode'), data.orderCode],
              [t('accounts.account'), data.accountName],
              [t('payScripts.by'), data.triedBy],
              [t('payScripts.duration'), t('orders.milliseconds', { count: data.durationMs })],
            ]}
          />
          <div className={styles['record']}>
            <Raw title={t('payScripts.input')} text={JSON.stringify(data.input, null, 2)} />
            <RecordView record={data} />
          </div>
        </>
      )}
    </RowDrawer>
  );
}
