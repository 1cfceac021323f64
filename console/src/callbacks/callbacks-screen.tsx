import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { CallbackState } from '../figures/callback-state.tsx';
import { Copyable } from '../figures/copyable.tsx';
import { Moment } from '../figures/moment.tsx';
import { useNames } from '../language/names.ts';
import type { InputOf } from '../http/call-types.ts';
import type { ListColumn, ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { useFilterOptions } from '../operator-table/use-filter-options.ts';
import { useMayCall } from '../session/may-call.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { AttemptOutcome } from './attempt-outcome.tsx';
import { CallbackHealth } from './callback-health.tsx';
import { CallbackDrawer } from './callback-drawer.tsx';
import type { Callback, CallbackCall } from './callback.ts';
import { useCallbackActions } from './use-callback-actions.tsx';

/** The server's names (contract, endpoints/callback.ts). */
const STATES = ['pending', 'succeeded', 'exhausted', 'withdrawn'] as const;
const KINDS = ['paid', 'manual', 'timeout', 'reversed', 'payout'] as const;

function useColumns(): readonly ListColumn<Callback>[] {
  const { t } = useTranslation();
  const name = useNames();
  return [
    {
      key: 'order',
      field: 'orderCode',
      title: t('orders.orderCode'),
      names: true,
      render: (callback) => <Copyable text={callback.orderCode} limit={20} />,
    },
    {
      key: 'merchant',
      field: 'merchantName',
      title: t('orders.merchant'),
      render: (callback) => callback.merchantName,
    },
    { key: 'kind', title: t('callbacks.kind'), render: (callback) => name('callbackKinds', callback.kind) },
    {
      key: 'state',
      title: t('callbacks.state'),
      render: (callback) => <CallbackState state={callback.state} paused={callback.paused} />,
    },
    {
      key: 'attempts',
      title: t('callbacks.attempts'),
      align: 'right',
      render: (callback) => callback.attempts,
    },
    {
      key: 'last',
      parts: [
        { field: 'lastStatus', title: t('callbacks.lastAnswer') },
        { field: 'lastError', title: t('payScripts.problem') },
      ],
      title: t('callbacks.lastAnswer'),
      render: (callback) =>
        callback.attempts === 0 ? (
          '–'
        ) : (
          <AttemptOutcome
            status={callback.lastStatus}
            error={callback.lastError}
            acknowledged={callback.state === 'succeeded'}
          />
        ),
    },
    {
      key: 'next',
      field: 'nextTime',
      title: t('callbacks.nextTime'),
      render: (callback) => <Moment time={callback.nextTime} />,
    },
    {
      key: 'created',
      field: 'createTime',
      title: t('orders.createTime'),
      render: (callback) => <Moment time={callback.createTime} />,
    },
    {
      key: 'mchOrderNo',
      field: 'merchantOrderNo',
      title: t('orders.mchOrderNo'),
      render: (callback) => <Copyable text={callback.merchantOrderNo} limit={20} />,
    },
    {
      key: 'url',
      title: t('callbacks.url'),
      optional: true,
      render: (callback) => <Copyable text={callback.url} limit={40} />,
    },
  ];
}

/** Callbacks of all merchants for staff, its own for a merchant. The exhausted ones are the dead letters. */
export function CallbacksScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const name = useNames();
  const choices = useFilterOptions();
  const actions = useCallbackActions();
  const mayCall = useMayCall();
  const isOwn = screen.variant === 'own';
  const columns = useColumns();

  const definition: ListDefinition<Callback, InputOf<CallbackCall>> = {
    name: 'callbacks',
    title: title(screen),
    call: endpoints.callback.getCallbackList,
    keyOf: (callback) => callback.id,
    emptyText: t('callbacks.empty'),
    Panel: CallbackHealth,
    ...(mayCall(endpoints.callback.getCallbackDetailList)
      ? {
          drawer: (id: string, close: () => void) => (
            <CallbackDrawer id={id} actionsOf={actions.of} onClose={close} />
          ),
        }
      : {}),
    actionsOf: actions.of,
    ...(actions.bulk && { bulk: actions.bulk }),
    filters: [
      { name: 'orderCode', param: 'o', kind: 'text', label: t('orders.orderCode'), pinned: true },
      { name: 'merchantOrderNo', param: 'mo', kind: 'text', label: t('orders.mchOrderNo'), pinned: true },
      {
        name: 'state',
        param: 's',
        kind: 'choice',
        label: t('callbacks.state'),
        pinned: true,
        values: STATES,
        options: STATES.map((state) => ({ value: state, label: name('callbackStates', state) })),
      },
      ...(isOwn
        ? []
        : [
            {
              name: 'merchantId' as const,
              param: 'm',
              kind: 'digits' as const,
              label: t('orders.merchant'),
              pinned: true,
              options: choices.merchants,
            },
          ]),
      {
        name: 'kind',
        param: 'k',
        kind: 'choice',
        label: t('callbacks.kind'),
        values: KINDS,
        options: KINDS.map((kind) => ({ value: kind, label: name('callbackKinds', kind) })),
      },
      { name: 'period', param: 't', kind: 'period', label: t('list.period') },
    ],
    columns: isOwn ? columns.filter(({ key }) => key !== 'merchant') : columns,
  };
  return (
    <>
      <ListScreen definition={definition} />
      {actions.dialog}
    </>
  );
}
