import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { RowDrawer } from '../dialogs/row-drawer.tsx';
import { Copyable } from '../figures/copyable.tsx';
import { Facts, NothingYet, Raw } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import type { InputOf } from '../http/call-types.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { useListedRow } from '../operator-table/use-listed-row.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { AttemptOutcome, isAcknowledged } from './attempt-outcome.tsx';
import type { CallbackAttempt, DetailCall } from './callback.ts';

const METHODS = ['POST', 'GET'];

/** Every attempt to notify a merchant, newest first. */
export function CallbackDetailsScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const definition: ListDefinition<CallbackAttempt, InputOf<DetailCall>> = {
    name: 'callbackDetails',
    title: title(screen),
    call: endpoints.callback.getCallbackDetailList,
    keyOf: (attempt) => attempt.id,
    emptyText: t('callbacks.noAttempts'),
    drawer: (id, close) => <AttemptDrawer id={id} onClose={close} />,
    filters: [
      { name: 'orderCode', param: 'o', kind: 'text', label: t('orders.orderCode'), pinned: true },
      { name: 'merchantOrderCode', param: 'mo', kind: 'text', label: t('orders.mchOrderNo'), pinned: true },
      {
        name: 'httpMethod',
        param: 'h',
        kind: 'choice',
        label: t('callbacks.method'),
        pinned: true,
        values: METHODS,
        options: METHODS.map((method) => ({ value: method, label: method })),
      },
      { name: 'systemFlag', param: 'f', kind: 'text', label: t('callbacks.systemFlag') },
      { name: 'period', param: 't', kind: 'period', label: t('list.span') },
    ],
    columns: [
      {
        key: 'time',
        title: t('callbacks.time'),
        names: true,
        render: (attempt) => <Moment time={attempt.time} exact />,
      },
      {
        key: 'outcome',
        parts: [
          { field: 'status', title: t('callbacks.lastAnswer') },
          { field: 'error', title: t('payScripts.problem') },
        ],
        title: t('callbacks.lastAnswer'),
        render: (attempt) => <AttemptOutcome {...attempt} acknowledged={isAcknowledged(attempt.answer)} />,
      },
      {
        key: 'duration',
        parts: [{ field: 'durationMs', title: `${t('callbacks.duration')} · ms` }],
        title: t('callbacks.duration'),
        align: 'right',
        render: (attempt) => t('orders.milliseconds', { count: attempt.durationMs }),
      },
      {
        key: 'order',
        field: 'orderCode',
        title: t('orders.orderCode'),
        render: (attempt) => <Copyable text={attempt.orderCode} limit={20} />,
      },
      {
        key: 'mchOrderNo',
        field: 'merchantOrderCode',
        title: t('orders.mchOrderNo'),
        render: (attempt) => <Copyable text={attempt.merchantOrderCode} limit={20} />,
      },
      {
        key: 'merchant',
        field: 'merchantName',
        title: t('orders.merchant'),
        render: (attempt) => attempt.merchantName ?? '–',
      },
      {
        key: 'method',
        field: 'httpMethod',
        title: t('callbacks.method'),
        render: (attempt) => attempt.httpMethod,
      },
      {
        key: 'url',
        title: t('callbacks.url'),
        render: (attempt) => <Copyable text={attempt.url} limit={40} />,
      },
      {
        key: 'flag',
        field: 'systemFlag',
        title: t('callbacks.systemFlag'),
        optional: true,
        render: (attempt) => attempt.systemFlag ?? '–',
      },
    ],
  };
  return <ListScreen definition={definition} />;
}

function AttemptDrawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const attempt = useListedRow<InputOf<DetailCall>, CallbackAttempt>(
    endpoints.callback.getCallbackDetailList,
    id,
  );
  return (
    <RowDrawer
      width={640}
      onClose={onClose}
      title={attempt ? t('callbacks.drawer', { orderCode: attempt.orderCode }) : id}
    >
      {attempt ? (
        <>
          <Facts
            facts={[
              [t('callbacks.time'), <Moment time={attempt.time} exact />],
              [
                t('callbacks.lastAnswer'),
                <AttemptOutcome {...attempt} acknowledged={isAcknowledged(attempt.answer)} />,
              ],
              [t('callbacks.duration'), t('orders.milliseconds', { count: attempt.durationMs })],
              [t('orders.merchant'), attempt.merchantName],
            ]}
          />
          <Raw title={`${attempt.httpMethod} ${attempt.url}`} text={attempt.request} />
          <Raw title={t('orders.answer')} text={attempt.answer} />
        </>
      ) : (
        <NothingYet text={t('callbacks.notOnPage')} />
      )}
    </RowDrawer>
  );
}
