import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { variantFor } from '@sangam/contract/screens.ts';
import { endpoints } from 'virtual:endpoints';
import { Moment } from '../figures/moment.tsx';
import { Status } from '../figures/status.tsx';
import { TextButton } from '../figures/text-button.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTabLocation } from '../navigation/tab-location.ts';
import { useTitles } from '../navigation/use-titles.ts';
import type { ListColumn, ListDefinition } from '../operator-table/list-definition.ts';
import { ListLink } from '../operator-table/list-link.tsx';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { createdInMinutes } from '../orders/counted-orders.ts';
import { useMayCall } from '../session/may-call.ts';
import { useViewer } from '../session/viewer.ts';
import { type IpAction, IpDialog, type IpDecision } from './ip-dialogs.tsx';
import { IP_TONES } from './ip-states.ts';

type FrozenCall = typeof endpoints.ipAnalysis.getFrozenIpList;
type Ip = RowOf<FrozenCall>;

const STATES = ['abnormal', 'frozen', 'exempt'] as const;

/** The screen, or its variant for a role, whose filter `ip` takes a network. */
const FREQUENCY = '/orderAnalysis/ip-analysis-list';

const ACTIONS: Readonly<Record<Ip['state'], readonly IpAction[]>> = {
  abnormal: ['freeze', 'exempt'],
  frozen: ['unfreeze', 'exempt'],
  exempt: ['endExemption'],
};

function useColumns(): readonly ListColumn<Ip>[] {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  return [
    {
      key: 'ipAddress',
      title: t('orders.ipAddress'),
      names: true,
      render: ({ ipAddress }) =>
        ipAddress.includes('/') ? (
          ipAddress
        ) : (
          <ListLink list="collectionOrders" filters={{ ipAddress }} label={t('ip.listOf', { ip: ipAddress })}>
            {ipAddress}
          </ListLink>
        ),
    },
    {
      key: 'state',
      title: t('orders.status'),
      render: ({ state }) => <Status tone={IP_TONES[state]} label={t(`ip.state.${state}`)} />,
    },
    {
      key: 'orders',
      title: t('ip.why'),
      width: 260,
      parts: [
        { field: 'orders', title: t('ip.orders') },
        { field: 'windowMinutes', title: t('ip.windowMinutes') },
        { field: 'threshold', title: t('ip.threshold') },
      ],
      render: ({ orders, windowMinutes, threshold }) =>
        orders === null
          ? t('ip.byHand')
          : t('ip.whyOrders', { orders: number.format(orders), minutes: windowMinutes, threshold }),
    },
    {
      key: 'ordersNow',
      title: t('ip.now'),
      align: 'right',
      render: (row) => <OrdersNow row={row} shown={number.format(row.ordersNow)} />,
    },
    { key: 'sinceTime', title: t('ip.since'), render: (row) => <Moment time={row.sinceTime} /> },
    { key: 'lastOverTime', title: t('ip.lastOver'), render: (row) => <Moment time={row.lastOverTime} /> },
    { key: 'frozenUntil', title: t('ip.frozenUntil'), render: (row) => <Moment time={row.frozenUntil} /> },
    { key: 'reason', title: t('ip.reason'), width: 220, render: ({ reason }) => reason ?? '–' },
    { key: 'changedBy', title: t('ip.by'), render: ({ changedBy }) => changedBy ?? '–' },
    { key: 'serverOf', title: t('ip.serverOf'), render: ({ serverOf }) => serverOf ?? '–' },
  ];
}

/** A link to the counted orders of an address, or to the counts of the addresses in a network. */
function OrdersNow({ row, shown }: { readonly row: Ip; readonly shown: string }) {
  const { t } = useTranslation();
  const { openTab } = useTabLocation();
  const { access } = useViewer();
  const { ipAddress, ordersNow, firstTime, lastTime } = row;
  if (firstTime === null || lastTime === null) return shown;
  const label = t('ip.ordersOf', { ip: ipAddress, count: ordersNow });
  if (!ipAddress.includes('/'))
    return (
      <ListLink
        list="collectionOrders"
        filters={{ ipAddress, ...createdInMinutes(firstTime, lastTime) }}
        label={label}
      >
        {shown}
      </ListLink>
    );
  const screen = variantFor(access, FREQUENCY);
  if (!screen) return shown;
  return (
    <TextButton
      text={shown}
      label={label}
      onClick={() => openTab(screen.path, () => `?${new URLSearchParams({ ip: ipAddress })}`)}
    />
  );
}

/** Client addresses with too many orders, and what people decided about them. */
export function AbnormalIpsScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const mayCall = useMayCall();
  const [decision, setDecision] = useState<IpDecision>();
  const { ipAnalysis } = endpoints;
  const may: Readonly<Record<IpAction, boolean>> = {
    freeze: mayCall(ipAnalysis.freezeIp),
    unfreeze: mayCall(ipAnalysis.unfreezeIp),
    exempt: mayCall(ipAnalysis.exemptIp),
    endExemption: mayCall(ipAnalysis.exemptIp),
  };
  const definition: ListDefinition<Ip, InputOf<FrozenCall>> = {
    name: 'abnormalIps',
    title: title(screen),
    call: ipAnalysis.getFrozenIpList,
    keyOf: ({ id }) => id,
    emptyText: t('ip.noneAbnormal'),
    tools: may.freeze && (
      <Button onClick={() => setDecision({ action: 'freeze', ipAddress: undefined })}>
        {t('ip.freezeAnother')}
      </Button>
    ),
    filters: [
      { name: 'ipAddress', param: 'ip', kind: 'text', label: t('orders.ipAddress'), pinned: true },
      {
        name: 'state',
        param: 's',
        kind: 'choice',
        label: t('orders.status'),
        pinned: true,
        values: STATES,
        options: STATES.map((state) => ({ value: state, label: t(`ip.state.${state}`) })),
      },
    ],
    columns: useColumns(),
    actionsOf: ({ ipAddress, state, serverOf }) =>
      ACTIONS[state]
        .filter((action) => may[action] && (action !== 'freeze' || serverOf === null))
        .map((action) => ({
          key: action,
          label: t(`ip.action.${action}`),
          run: () => setDecision({ action, ipAddress }),
        })),
  };
  return (
    <>
      <ListScreen definition={definition} />
      {decision && <IpDialog decision={decision} onClose={() => setDecision(undefined)} />}
    </>
  );
}
