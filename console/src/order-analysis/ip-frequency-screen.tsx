import { StopOutlined } from '@ant-design/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { NothingYet } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { Status } from '../figures/status.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import { useCall } from '../http/use-call.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import type { ListColumn, ListDefinition } from '../operator-table/list-definition.ts';
import { ListLink } from '../operator-table/list-link.tsx';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { useFilterOptions } from '../operator-table/use-filter-options.ts';
import { createdInMinutes } from '../orders/counted-orders.ts';
import { useMayCall } from '../session/may-call.ts';
import { IpDialog, type IpDecision } from './ip-dialogs.tsx';
import { IP_TONES } from './ip-states.ts';

type IpCall = typeof endpoints.ipAnalysis.getIpList;
type Ip = RowOf<IpCall>;

/** States the period counted, and the number of orders from which an address is abnormal. */
function WindowPanel() {
  const { t } = useTranslation();
  const { data } = useCall(endpoints.ipAnalysis.getIpList, { pageSize: 1 }, { everyMs: 60_000 });
  if (!data) return null;
  const { lookForwardMinutes: minutes, perMinuteFreqCount: orders } = data;
  return <NothingYet text={t('ip.window', { minutes, orders })} />;
}

function useColumns(): readonly ListColumn<Ip>[] {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const count = (key: 'paid' | 'names' | 'accounts' | 'peak'): ListColumn<Ip> => ({
    key,
    title: t(`ip.${key}`),
    align: 'right',
    render: (row) => number.format(row[key]),
  });
  return [
    { key: 'ipAddress', title: t('orders.ipAddress'), names: true, render: ({ ipAddress }) => ipAddress },
    {
      key: 'state',
      title: t('orders.status'),
      render: ({ state }) => <Status tone={IP_TONES[state]} label={t(`ip.state.${state}`)} />,
    },
    {
      key: 'orders',
      title: t('ip.orders'),
      align: 'right',
      render: ({ ipAddress, orders, firstTime, lastTime }) => (
        <ListLink
          list="collectionOrders"
          filters={{ ipAddress, ...createdInMinutes(firstTime, lastTime) }}
          label={t('ip.ordersOf', { ip: ipAddress, count: orders })}
        >
          {number.format(orders)}
        </ListLink>
      ),
    },
    count('paid'),
    count('peak'),
    {
      key: 'merchants',
      title: t('ip.merchants'),
      width: 220,
      field: 'merchantNames',
      render: ({ merchants, merchantNames }) =>
        merchants > merchantNames.length
          ? `${merchantNames.join(', ')} … (${number.format(merchants)})`
          : merchantNames.join(', '),
    },
    count('names'),
    count('accounts'),
    {
      key: 'firstTime',
      title: t('ip.first'),
      optional: true,
      render: (row) => <Moment time={row.firstTime} />,
    },
    { key: 'lastTime', title: t('ip.last'), render: (row) => <Moment time={row.lastTime} /> },
  ];
}

/** Client addresses by the number of their recent orders. An address with too many can be frozen. */
export function IpFrequencyScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const mayFreeze = useMayCall()(endpoints.ipAnalysis.freezeIp);
  const [decision, setDecision] = useState<IpDecision>();
  const { merchants } = useFilterOptions('in');
  const definition: ListDefinition<Ip, InputOf<IpCall>> = {
    name: 'ipFrequency',
    title: title(screen),
    call: endpoints.ipAnalysis.getIpList,
    keyOf: ({ ipAddress }) => ipAddress,
    emptyText: t('ip.none'),
    Panel: WindowPanel,
    filters: [
      { name: 'ipAddress', param: 'ip', kind: 'text', label: t('orders.ipAddress'), pinned: true },
      {
        name: 'merchantId',
        param: 'm',
        kind: 'digits',
        label: t('orders.merchant'),
        options: merchants,
        pinned: true,
      },
      {
        name: 'state',
        param: 's',
        kind: 'choice',
        label: t('orders.status'),
        pinned: true,
        values: ['abnormal'],
        options: [{ value: 'abnormal', label: t('ip.state.abnormal') }],
      },
    ],
    columns: useColumns(),
    actionsOf: ({ ipAddress, state }) =>
      mayFreeze && (state === 'ordinary' || state === 'abnormal')
        ? [
            {
              key: 'freeze',
              label: t('ip.action.freeze'),
              icon: <StopOutlined aria-hidden />,
              primary: state === 'abnormal',
              run: () => setDecision({ action: 'freeze', ipAddress }),
            },
          ]
        : [],
  };
  return (
    <>
      <ListScreen definition={definition} />
      {decision && <IpDialog decision={decision} onClose={() => setDecision(undefined)} />}
    </>
  );
}
