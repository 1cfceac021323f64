import { Tag } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Balances } from '../figures/balances.tsx';
import { Copyable } from '../figures/copyable.tsx';
import { KycState } from '../figures/kyc-state.tsx';
import { Moment } from '../figures/moment.tsx';
import { ProductList } from '../figures/product-list.tsx';
import { Status } from '../figures/status.tsx';
import type { InputOf, RowOf } from '../operator-table/call-types.ts';
import { useEnabledFilter } from '../operator-table/enabled-filter.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import type { PageProps } from '../shell/page-props.ts';
import { useTitles } from '../shell/use-titles.ts';

type SupplierCall = typeof endpoints.party.getSupplierList;

export function SuppliersScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const definition: ListDefinition<RowOf<SupplierCall>, InputOf<SupplierCall>> = {
    name: 'suppliers',
    title: title(screen),
    call: endpoints.party.getSupplierList,
    keyOf: (supplier) => supplier.id,
    emptyText: t('people.noSuppliers'),
    filters: [
      { name: 'name', param: 'q', kind: 'text', label: t('people.nameOrAccount'), pinned: true },
      useEnabledFilter(),
    ],
    columns: [
      {
        key: 'name',
        title: t('people.name'),
        names: true,
        render: (supplier) => (
          <>
            {supplier.name} {supplier.isAgent && <Tag variant="filled">{t('people.agent')}</Tag>}
          </>
        ),
      },
      { key: 'id', title: t('people.supplierId'), render: (supplier) => <Copyable text={supplier.id} /> },
      { key: 'account', title: t('people.account'), render: (supplier) => supplier.account },
      {
        key: 'state',
        title: t('people.state'),
        render: (supplier) => (
          <Status
            tone={supplier.enabled ? 'positive' : 'quiet'}
            word={t(supplier.enabled ? 'people.enabled' : 'people.disabled')}
          />
        ),
      },
      { key: 'kyc', title: 'KYC', render: (supplier) => <KycState state={supplier.kyc} /> },
      { key: 'agentName', title: t('people.broughtBy'), render: (supplier) => supplier.agentName ?? '–' },
      {
        key: 'accounts',
        title: t('people.accountsEnabled'),
        align: 'right',
        render: (supplier) => `${supplier.enabledAccountCount} / ${supplier.accountCount}`,
      },
      {
        key: 'products',
        title: t('people.products'),
        render: (supplier) => <ProductList products={supplier.products} />,
      },
      {
        key: 'orders',
        title: t('people.todayOrders'),
        align: 'right',
        render: (supplier) => supplier.todayOrders,
      },
      { key: 'paid', title: t('people.todayPaid'), align: 'right', render: (supplier) => supplier.todayPaid },
      {
        key: 'balances',
        title: t('people.balances'),
        align: 'right',
        render: (supplier) => <Balances balances={supplier.balances} />,
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
