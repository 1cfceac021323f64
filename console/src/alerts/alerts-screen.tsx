import { CheckOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { alertKindsOf, SEVERITIES, type Severity } from '@sangam/contract/alerts.ts';
import { AlertLink } from '../figures/alert-link.tsx';
import { Moment } from '../figures/moment.tsx';
import { Status, type Tone } from '../figures/status.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import { useSend } from '../http/use-send.ts';
import { useNames } from '../language/names.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import type { FilterField, ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import type { FilterName } from '../operator-table/list-state.ts';
import { useMayCall } from '../session/may-call.ts';
import { useViewer } from '../session/viewer.ts';
import { AlertOrders } from './alert-orders.tsx';

type AlertsCall = typeof endpoints.alert.getAlerts;
type AlertRow = RowOf<AlertsCall>;

const TONES: Readonly<Record<Severity, Tone>> = {
  critical: 'negative',
  warning: 'warning',
  notice: 'quiet',
};

/** Open and ended alerts: who looks after each, and a link to its subject. */
export function AlertsScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const name = useNames();
  const mayCall = useMayCall();
  const send = useSend(endpoints.alert.getAlerts);
  const mayAcknowledge = mayCall(endpoints.alert.acknowledgeAlert);
  const definition: ListDefinition<AlertRow, InputOf<AlertsCall>> = {
    name: 'alerts',
    title: title(screen),
    call: endpoints.alert.getAlerts,
    keyOf: ({ id }) => id,
    changes: 'alert',
    emptyText: t('alertList.none'),
    filters: useAlertFilters(),
    columns: [
      {
        key: 'openTime',
        title: t('alertList.opened'),
        names: true,
        render: ({ openTime }) => <Moment time={openTime} />,
      },
      {
        key: 'severity',
        words: 'severities',
        title: t('alertList.severity'),
        render: ({ severity }) => <Status tone={TONES[severity]} label={name('severities', severity)} />,
      },
      {
        key: 'kind',
        words: 'alertKinds',
        title: t('alertList.kind'),
        render: ({ kind }) => name('alertKinds', kind),
      },
      { key: 'text', title: t('alertList.text'), width: 420, render: ({ text }) => text },
      {
        key: 'subject',
        title: t('alertList.subject'),
        render: (row) => <AlertLink alert={row} by="subject" />,
      },
      {
        key: 'orders',
        parts: [],
        title: t('alertList.orders'),
        render: (row) => <AlertOrders alert={row} />,
      },
      {
        key: 'acknowledgedBy',
        title: t('alertList.acknowledgedBy'),
        parts: [
          { field: 'acknowledgedBy', title: t('alertList.acknowledgedBy') },
          { field: 'acknowledgeTime', title: t('alertList.acknowledged') },
        ],
        render: ({ acknowledgedBy, acknowledgeTime }) =>
          acknowledgeTime === null ? (
            '–'
          ) : (
            <>
              {acknowledgedBy} · <Moment time={acknowledgeTime} />
            </>
          ),
      },
      {
        key: 'closeTime',
        title: t('alertList.closed'),
        render: ({ closeTime }) =>
          closeTime === null ? (
            <Status tone="warning" label={t('alertList.open')} />
          ) : (
            <Moment time={closeTime} />
          ),
      },
    ],
    actionsOf: (row) =>
      mayAcknowledge && row.acknowledgeTime === null && row.closeTime === null
        ? [
            {
              key: 'acknowledge',
              label: t('alertList.acknowledge'),
              icon: <CheckOutlined aria-hidden />,
              primary: true,
              run: () =>
                void send(endpoints.alert.acknowledgeAlert, { id: row.id }, t('alertList.isYours')).catch(
                  () => undefined,
                ),
            },
          ]
        : [],
  };
  return <ListScreen definition={definition} />;
}

function useAlertFilters(): readonly FilterField<FilterName<InputOf<AlertsCall>>>[] {
  const { t } = useTranslation();
  const name = useNames();
  const { access } = useViewer();
  const kinds = alertKindsOf(access);
  return [
    {
      name: 'open',
      param: 'o',
      kind: 'choice',
      label: t('alertList.state'),
      pinned: true,
      values: ['true', 'false'],
      options: [
        { value: 'true', label: t('alertList.open') },
        { value: 'false', label: t('alertList.closed') },
      ],
    },
    {
      name: 'severity',
      param: 's',
      kind: 'choice',
      label: t('alertList.severity'),
      pinned: true,
      values: SEVERITIES,
      options: SEVERITIES.map((value) => ({ value, label: name('severities', value) })),
    },
    {
      name: 'kind',
      param: 'k',
      kind: 'choice',
      label: t('alertList.kind'),
      pinned: true,
      values: kinds,
      options: kinds.map((value) => ({ value, label: name('alertKinds', value) })),
    },
    {
      name: 'acknowledged',
      param: 'a',
      kind: 'choice',
      label: t('alertList.acknowledged'),
      values: ['true', 'false'],
      options: [
        { value: 'true', label: t('alertList.yes') },
        { value: 'false', label: t('alertList.no') },
      ],
    },
    { name: 'period', param: 't', kind: 'period', label: t('list.span') },
  ];
}
