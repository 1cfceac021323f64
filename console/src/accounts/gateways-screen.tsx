import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { GATEWAY_PROVIDERS } from '@sangam/contract/gateways.ts';
import { OPEN } from './account.ts';
import { CredentialsDialog } from './credentials-dialog.tsx';
import { Copyable } from '../figures/copyable.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { Status } from '../figures/status.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { useMayCall } from '../session/may-call.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';

type GatewayCall = typeof endpoints.gateway.getGateways;
type GatewayRow = RowOf<GatewayCall>;

/** Payout gateways: provider, keys, the address their webhooks go to, and what they reported. */
export function GatewaysScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const mayCall = useMayCall();
  const [asked, setAsked] = useState<GatewayRow>();
  const definition: ListDefinition<GatewayRow, InputOf<GatewayCall>> = {
    name: 'gateways',
    title: title(screen),
    call: endpoints.gateway.getGateways,
    keyOf: (row) => row.id,
    emptyText: t('gateways.none'),
    filters: [
      {
        name: 'provider',
        param: 'pv',
        kind: 'choice',
        label: t('gateways.provider'),
        pinned: true,
        values: GATEWAY_PROVIDERS,
        options: GATEWAY_PROVIDERS.map((value) => ({ value, label: t(`gateways.providers.${value}`) })),
      },
    ],
    columns: [
      {
        key: 'provider',
        title: t('gateways.provider'),
        names: true,
        render: (row) => t(`gateways.providers.${row.provider}`),
      },
      {
        key: 'accountNumber',
        title: t('gateways.account'),
        render: (row) => `${row.bank} ${row.accountNumber}`,
      },
      { key: 'supplierName', title: t('areas.suppliers'), render: (row) => row.supplierName },
      {
        key: 'state',
        title: t('gateways.open'),
        render: ({ state }) => (
          <Status
            tone={state === OPEN ? 'positive' : 'quiet'}
            label={t(state === OPEN ? 'gateways.opened' : 'gateways.closed')}
          />
        ),
      },
      {
        key: 'credentialsTime',
        title: t('gateways.keys'),
        render: (row) =>
          row.credentialsSet ? (
            <Moment time={row.credentialsTime} />
          ) : (
            <Status tone="warning" label={t('gateways.keysMissing')} />
          ),
      },
      {
        key: 'balance',
        title: t('gateways.balance'),
        align: 'right',
        render: ({ balance, balanceTime, currency }) =>
          balanceTime === null ? (
            '–'
          ) : (
            <>
              <Money minor={balance} currency={currency} /> · <Moment time={balanceTime} />
            </>
          ),
      },
      {
        key: 'payoutsOpen',
        title: t('gateways.payoutsOpen'),
        align: 'right',
        render: (row) => row.payoutsOpen,
      },
      {
        key: 'payoutsUnknown',
        title: t('gateways.payoutsUnknown'),
        align: 'right',
        render: (row) => row.payoutsUnknown,
      },
      {
        key: 'eventsToday',
        title: t('gateways.eventsToday'),
        align: 'right',
        render: (row) => row.eventsToday,
      },
      {
        key: 'lastEventTime',
        title: t('gateways.lastEvent'),
        render: (row) => <Moment time={row.lastEventTime} />,
      },
      {
        key: 'webhookUrl',
        title: t('gateways.webhookUrl'),
        width: 320,
        render: ({ webhookUrl }) => <Copyable text={webhookUrl} limit={48} />,
      },
    ],
    actionsOf: (row) =>
      mayCall(endpoints.account.setGatewayCredentials)
        ? [{ key: 'keys', label: t('gateways.setKeys'), run: () => setAsked(row) }]
        : [],
  };
  return (
    <>
      <ListScreen definition={definition} />
      {asked && <CredentialsDialog account={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}
