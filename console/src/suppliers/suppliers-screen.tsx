import { Button, Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Balances } from '../figures/balances.tsx';
import { Copyable } from '../figures/copyable.tsx';
import { KycState } from '../figures/kyc-state.tsx';
import { Moment } from '../figures/moment.tsx';
import { ProductList } from '../figures/product-list.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import { useEnabledFilter } from '../operator-table/enabled-filter.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { LINK_PARAMS } from '../operator-table/list-links.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { HeldState } from '../parties/held-state.tsx';
import { useMayCall } from '../session/may-call.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { NewSupplierDialog } from './supplier-dialogs.tsx';
import { SupplierDrawer } from './supplier-drawer.tsx';

type SupplierCall = typeof endpoints.party.getSupplierList;

export function SuppliersScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const mayCall = useMayCall();
  const [creating, setCreating] = useState(false);
  const definition: ListDefinition<RowOf<SupplierCall>, InputOf<SupplierCall>> = {
    name: 'suppliers',
    title: title(screen),
    call: endpoints.party.getSupplierList,
    keyOf: (supplier) => supplier.id,
    emptyText: t('people.noSuppliers'),
    waiting: { about: { kind: 'supplierAgent' } },
    tools: mayCall(endpoints.merchant.createSupplier) && (
      <Button onClick={() => setCreating(true)}>{t('people.newSupplier')}</Button>
    ),
    drawer: (id, close) => <SupplierDrawer key={id} id={id} onClose={close} />,
    filters: [
      {
        name: 'name',
        param: LINK_PARAMS.suppliers.name,
        kind: 'text',
        label: t('people.nameOrAccount'),
        pinned: true,
      },
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
        field: 'enabled',
        title: t('people.state'),
        render: (supplier) => <HeldState {...supplier} />,
      },
      { key: 'kyc', words: 'kyc', title: 'KYC', render: (supplier) => <KycState state={supplier.kyc} /> },
      { key: 'agentName', title: t('people.broughtBy'), render: (supplier) => supplier.agentName ?? '–' },
      {
        key: 'accounts',
        field: 'enabledAccountCount',
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
        key: 'balances',
        title: t('people.balances'),
        // Takes a whole line of a card: a bucket and its sum do not wrap.
        width: 220,
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
  return (
    <>
      <ListScreen definition={definition} />
      {creating && <NewSupplierDialog onClose={() => setCreating(false)} />}
    </>
  );
}
