import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Balances } from '../figures/balances.tsx';
import { Copyable } from '../figures/copyable.tsx';
import { KycState } from '../figures/kyc-state.tsx';
import { Moment } from '../figures/moment.tsx';
import { ProductList } from '../figures/product-list.tsx';
import { useEnabledFilter } from '../operator-table/enabled-filter.ts';
import { LINK_PARAMS } from '../operator-table/list-links.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { LIST_PARAMS } from '../operator-table/list-state.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import type { InputOf, RowOf } from '../http/call-types.ts';
import { HeldState } from '../parties/held-state.tsx';
import { useMayCall } from '../session/may-call.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTabParam } from '../navigation/tab-location.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { MerchantDrawer } from './merchant-drawer.tsx';
import { NewMerchantDialog } from './new-merchant-dialog.tsx';

type MerchantCall = typeof endpoints.party.getMerchantList;

export function MerchantsScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const mayCall = useMayCall();
  const [creating, setCreating] = useState(false);
  const [, setOpen] = useTabParam(LIST_PARAMS.open);
  const definition: ListDefinition<RowOf<MerchantCall>, InputOf<MerchantCall>> = {
    name: 'merchants',
    title: title(screen),
    call: endpoints.party.getMerchantList,
    keyOf: (merchant) => merchant.id,
    emptyText: t('people.noMerchants'),
    tools: mayCall(endpoints.merchant.createMerchant) && (
      <Button onClick={() => setCreating(true)}>{t('people.newMerchant')}</Button>
    ),
    drawer: (id, close) => <MerchantDrawer key={id} id={id} onClose={close} />,
    filters: [
      {
        name: 'name',
        param: LINK_PARAMS.merchants.name,
        kind: 'text',
        label: t('people.nameOrAccount'),
        pinned: true,
      },
      useEnabledFilter(),
    ],
    columns: [
      { key: 'name', title: t('people.name'), names: true, render: (merchant) => merchant.name },
      { key: 'id', title: t('people.merchantId'), render: (merchant) => <Copyable text={merchant.id} /> },
      { key: 'account', title: t('people.account'), render: (merchant) => merchant.account },
      {
        key: 'state',
        field: 'enabled',
        title: t('people.state'),
        render: (merchant) => <HeldState {...merchant} />,
      },
      { key: 'kyc', words: 'kyc', title: 'KYC', render: (merchant) => <KycState state={merchant.kyc} /> },
      {
        key: 'products',
        title: t('people.products'),
        render: (merchant) => <ProductList products={merchant.products} />,
      },
      {
        key: 'orders',
        field: 'todayOrders',
        title: t('people.todayOrders'),
        align: 'right',
        render: (merchant) => merchant.todayOrders,
      },
      {
        key: 'paid',
        field: 'todayPaid',
        title: t('people.todayPaid'),
        align: 'right',
        render: (merchant) => merchant.todayPaid,
      },
      {
        key: 'balances',
        title: t('people.balances'),
        // Takes a whole line of a card: a bucket and its sum do not wrap.
        width: 220,
        align: 'right',
        render: (merchant) => <Balances balances={merchant.balances} />,
      },
      {
        key: 'signType',
        title: t('people.signType'),
        optional: true,
        render: (merchant) => merchant.signType,
      },
      {
        key: 'transport',
        field: 'callbackTransport',
        title: t('people.callbackTransport'),
        optional: true,
        render: (merchant) => merchant.callbackTransport ?? '—',
      },
      {
        key: 'createTime',
        title: t('people.createTime'),
        optional: true,
        render: (merchant) => <Moment time={merchant.createTime} />,
      },
    ],
  };
  return (
    <>
      <ListScreen definition={definition} />
      {creating && (
        <NewMerchantDialog
          onMade={(id) => {
            setCreating(false);
            setOpen(id);
          }}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  );
}
