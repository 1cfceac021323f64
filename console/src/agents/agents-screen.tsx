import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Copyable } from '../figures/copyable.tsx';
import { Moment } from '../figures/moment.tsx';
import { Status } from '../figures/status.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';

type TeamCall = typeof endpoints.merchant.getSupplierProxyList;

/** The suppliers that an agent brought, on all levels. */
export function AgentsScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const definition: ListDefinition<RowOf<TeamCall>, InputOf<TeamCall>> = {
    name: 'agents',
    title: title(screen),
    call: endpoints.merchant.getSupplierProxyList,
    keyOf: (supplier) => supplier.id,
    emptyText: t('people.noTeam'),
    filters: [{ name: 'name', param: 'q', kind: 'text', label: t('people.nameOrAccount'), pinned: true }],
    columns: [
      { key: 'name', title: t('people.name'), names: true, render: (supplier) => supplier.name },
      { key: 'id', title: t('people.supplierId'), render: (supplier) => <Copyable text={supplier.id} /> },
      { key: 'account', title: t('people.account'), render: (supplier) => supplier.account },
      {
        key: 'state',
        field: 'enabled',
        title: t('people.state'),
        render: (supplier) => (
          <Status
            tone={supplier.enabled ? 'positive' : 'quiet'}
            label={t(supplier.enabled ? 'people.enabled' : 'people.disabled')}
          />
        ),
      },
      { key: 'level', title: t('people.level'), align: 'right', render: (supplier) => supplier.level },
      { key: 'agentName', title: t('people.broughtBy'), render: (supplier) => supplier.agentName },
      {
        key: 'accounts',
        parts: [
          { field: 'enabledAccountCount', title: t('people.accountsEnabled') },
          { field: 'accountCount', title: t('home.accountFigures.total') },
        ],
        title: t('people.accountsEnabled'),
        align: 'right',
        render: (supplier) => `${supplier.enabledAccountCount} / ${supplier.accountCount}`,
      },
      {
        key: 'orders',
        field: 'todayOrders',
        title: t('people.todayOrders'),
        align: 'right',
        render: (supplier) => supplier.todayOrders,
      },
      {
        key: 'paid',
        field: 'todayPaid',
        title: t('people.todayPaid'),
        align: 'right',
        render: (supplier) => supplier.todayPaid,
      },
      {
        key: 'createTime',
        title: t('people.createTime'),
        render: (supplier) => <Moment time={supplier.createTime} />,
      },
    ],
  };
  return <ListScreen definition={definition} />;
}
