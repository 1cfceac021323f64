import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { AccountArea } from '@sangam/contract/account-kinds.ts';
import { isReadOnly } from '@sangam/contract/screens.ts';
import type { InputOf } from '../http/call-types.ts';
import type { FilterField, ListDefinition } from '../operator-table/list-definition.ts';
import { LINK_PARAMS } from '../operator-table/list-links.ts';
import type { FilterName } from '../operator-table/list-state.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { useFilterOptions } from '../operator-table/use-filter-options.ts';
import { useMayCall } from '../session/may-call.ts';
import { useViewer } from '../session/viewer.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import type { Account, AccountCall, ProductOfAccount } from './account.ts';
import { hasWatched, useAccountColumns } from './account-columns.tsx';
import { AccountDrawer } from './account-drawer.tsx';
import { useAreaProducts } from './area-products.ts';
import { NewAccountDialog } from './new-account-dialog.tsx';
import { ProductDialog } from './product-dialog.tsx';
import { UsdtWallets } from './usdt-wallets.tsx';

const PROOFS = ['none', 'pending', 'approved', 'rejected', 'expired'] as const;

function useFilters(
  area: AccountArea,
  isOwn: boolean,
): readonly FilterField<FilterName<InputOf<AccountCall>>>[] {
  const { t } = useTranslation();
  const choices = useFilterOptions();
  const products = useAreaProducts(area);
  return [
    {
      name: 'account',
      param: LINK_PARAMS.receivingAccounts.account,
      kind: 'text',
      label: t('accounts.numberOrVpa'),
      pinned: true,
    },
    {
      name: 'bank',
      param: 'b',
      kind: 'text',
      label: t('accounts.bank'),
      pinned: true,
      shown: area === 'receivingAccounts' || area === 'payoutAccounts',
    },
    {
      name: 'productId',
      param: 'pr',
      kind: 'digits',
      label: t('orders.product'),
      pinned: true,
      options: products.map(({ id, label }) => ({ value: String(id), label })),
      shown: products.length > 1,
    },
    {
      name: 'supplierId',
      param: 'sp',
      kind: 'digits',
      label: t('orders.supplier'),
      pinned: true,
      options: choices.suppliers,
      shown: !isOwn,
    },
    {
      name: 'state',
      param: 's',
      kind: 'choice',
      label: t('people.state'),
      pinned: true,
      values: ['0', '1'],
      options: [
        { value: '0', label: t('accounts.open') },
        { value: '1', label: t('accounts.closed') },
      ],
    },
    {
      name: 'online',
      param: 'on',
      kind: 'choice',
      label: t('accounts.monitor'),
      values: ['true', 'false'],
      options: [
        { value: 'true', label: t('accounts.online') },
        { value: 'false', label: t('accounts.offline') },
      ],
      shown: hasWatched(area),
    },
    {
      name: 'kyc',
      param: 'k',
      kind: 'choice',
      label: t('accounts.proof'),
      values: [...PROOFS],
      options: PROOFS.map((value) => ({ value, label: t(`kyc.${value}`) })),
    },
  ];
}

/** Accounts of one area (receiving or payout): everybody's for staff, their own for a supplier. */
export function AccountsScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const viewer = useViewer();
  const mayCall = useMayCall();
  const area = screen.area as AccountArea;
  const [chosen, setChosen] = useState<{ readonly account: Account; readonly product: ProductOfAccount }>();
  const [creating, setCreating] = useState(false);
  const columns = useAccountColumns(screen, (account, product) => setChosen({ account, product }));
  const readOnly = isReadOnly(viewer.access, screen);

  const definition: ListDefinition<Account, InputOf<AccountCall>> = {
    // Keeps the name it had when this was the only area, so that choices stored then still apply.
    name: `${area}.${screen.variant}`,
    title: title(screen),
    call: endpoints.party.getResourceList,
    fixed: { area },
    keyOf: (account) => account.id,
    emptyText: t('accounts.empty'),
    waiting: viewer.access === 'supplier' ? undefined : { about: { kind: 'balanceMode' } },
    tools: mayCall(endpoints.account.createAccount) && !readOnly && (
      <Button onClick={() => setCreating(true)}>{t('accounts.new')}</Button>
    ),
    ...(area === 'usdtAutoPayout' && mayCall(endpoints.usdt.getUsdtWallets) ? { Panel: UsdtWallets } : {}),
    drawer: (id, close) => <AccountDrawer key={id} id={id} area={area} readOnly={readOnly} onClose={close} />,
    filters: useFilters(area, screen.variant === 'own'),
    columns,
  };
  return (
    <>
      <ListScreen definition={definition} />
      {chosen && <ProductDialog {...chosen} area={area} onClose={() => setChosen(undefined)} />}
      {creating && <NewAccountDialog area={area} onClose={() => setCreating(false)} />}
    </>
  );
}
